import SyrinxAnalysis
import SyrinxByteStream
import SyrinxDevice
import SyrinxMediaCodec
import SyrinxStreaming

extension Failure {
    /// A failure of bytes or of a recording, which messages call `name`.
    init(_ error: SyrinxError, name: String) {
        self.init(code: error.code, message: error.message, name: name)
    }

    /// A part of an input that is missing, such as a segment of a presentation.
    init(_ sound: MissingSound) {
        self.init(sound.error, name: sound.error.name)
        stretch = Stretch(time: sound.time, length: sound.duration)
    }

    /// A failure of an analysis, which messages call `name`.
    init(_ error: AnalysisError, name: String) {
        self.init(code: error.code, message: error.message, name: name)
    }

    /// A failure of a device.
    init(_ error: DeviceError) {
        self.init(code: error.code, message: error.message, name: error.device)
    }

    /// A failure of playback.
    ///
    /// Failures of the input are reported under the name that the user gave it; those of a device or a file that was
    /// written, under its own.
    init(_ error: SyrinxError, input: String) {
        let isOutput = error.code.rawValue.hasPrefix("device.") || error.code == .fileWriteFailed
        self.init(code: error.code, message: error.message, name: isOutput ? error.name : input)
    }
}
