import SyrinxByteStream
import SyrinxMediaCodec

/// The rate at which a recording is analysed: its own, but for Opus.
///
/// Of Opus, which is decoded at 48 kHz whatever was encoded, it is the least of the codec's rates that holds what was encoded, as in
/// the files of audiowaveform.
struct AnalysisRate: Equatable {
    /// Frames per second.
    let value: Double
    private let inputRate: Double

    /// The rates that Opus has (RFC 6716, 2).
    private static let opusRates = [8000.0, 12000, 16000, 24000, 48000]

    /// The rate for a recording.
    init(_ info: MediaInfo) {
        inputRate = info.sampleRate
        let original = info.codec == "opus" ? info.originalSampleRate : nil
        value = original.flatMap { original in Self.opusRates.first { $0 >= original } } ?? info.sampleRate
    }

    /// The frames of the analysis in so many of the recording.
    func frames(_ count: Int64) -> Int64 {
        value == inputRate ? count : Int64(clamped: (Double(count) * value / inputRate).rounded(.up))
    }

    /// The frames of the recording in so many of the analysis.
    func inputFrames(_ count: Int64) -> Int64 {
        value == inputRate ? count : Int64(clamped: (Double(count) * inputRate / value).rounded(.up))
    }
}
