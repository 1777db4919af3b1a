import AudioAnalysis
import Foundation
import MediaCodec

/// Writes a waveform in the format that was asked for.
struct WaveformWriter {
    let format: WaveformFormat
    let bits: WaveformBits
    let look: WaveformLookOptions

    /// Writes it to a path, where it appears when it is complete, or to standard output for `-`.
    func write(_ made: MadeWaveform, to path: String) throws(Failure) {
        let file = try OutputBytes(path: path)
        do throws(Failure) {
            try write(made, to: file)
            try file.commit()
        } catch {
            file.abandon()
            throw error
        }
    }

    private func write(_ made: MadeWaveform, to file: OutputBytes) throws(Failure) {
        switch (format, made.kind) {
        case (.dat, .peaks(let waveform)):
            try waveform.writeDAT(bits: bits) { bytes throws(Failure) in try file.write(bytes) }
        case (.json, .peaks(let waveform)):
            try waveform.writeJSON(bits: bits) { bytes throws(Failure) in try file.write(bytes) }
        case (.wavesurfer, .peaks(let waveform)):
            try file.write([UInt8](waveform.wavesurferFile(duration: made.duration)))
        case (.png, _):
            try file.write(try picture(made))
        case (.svg, _): try file.write(Array(drawing(made).svg.utf8))
        case (.txt, .peaks(let waveform)): try list(waveform, to: file)
        case (.txt, .decibels(let waveform)):
            let lines = waveform.values.map { "\(($0 * 1000).rounded() / 1000)\n" }
            try file.write(Array(lines.joined().utf8))
        case (.dat, .decibels), (.json, .decibels), (.wavesurfer, .decibels):
            throw .usage("--decibels are drawn as png or svg, or listed as txt", name: "--decibels")
        }
    }

    private func picture(_ made: MadeWaveform) throws(Failure) -> [UInt8] {
        do throws(MediaError) {
            return try drawing(made).png()
        } catch {
            throw Failure(error, name: "png")
        }
    }

    private func drawing(_ made: MadeWaveform) -> WaveformDrawing {
        switch made.kind {
        case .peaks(let waveform):
            WaveformDrawing(
                waveform,
                width: look.width,
                height: look.height,
                style: look.waveformStyle,
                theme: look.theme
            )
        case .decibels(let waveform):
            WaveformDrawing(
                waveform,
                width: look.width,
                height: look.height,
                style: look.waveformStyle,
                theme: look.theme
            )
        }
    }

    /// A line for each pixel: least and greatest of each channel.
    private func list(_ waveform: PeakWaveform, to file: OutputBytes) throws(Failure) {
        let divisor = bits == .eight ? Int16(256) : 1
        let perLine = 2 * waveform.channelCount
        var text = ""
        for index in waveform.values.indices {
            text += "\(waveform.values[index] / divisor)\(index % perLine == perLine - 1 ? "\n" : " ")"
            if text.utf8.count > 65000 {
                try file.write(Array(text.utf8))
                text = ""
            }
        }
        try file.write(Array(text.utf8))
    }
}
