import SyrinxByteStream
import SyrinxMediaCodec

/// The sample rate at which a recording is analyzed: its own rate, except for Opus.
///
/// Opus is always decoded at 48 kHz. Its analysis rate is the lowest rate of the codec that is sufficient for the
/// encoded audio, as in audiowaveform.
struct AnalysisRate: Equatable {
    /// The sample rate, in hertz.
    let value: Double
    private let inputRate: Double

    /// The sample rates of Opus in hertz (RFC 6716, section 2).
    private static let opusRates = [8000.0, 12000, 16000, 24000, 48000]

    /// Creates the rate for a recording.
    init(_ info: MediaInfo) {
        inputRate = info.sampleRate
        let original = info.codec == "opus" ? info.originalSampleRate : nil
        value = original.flatMap { original in Self.opusRates.first { $0 >= original } } ?? info.sampleRate
    }

    /// Converts a frame count of the recording to the analysis rate.
    func frames(_ count: Int64) -> Int64 {
        value == inputRate ? count : Int64(clamped: (Double(count) * value / inputRate).rounded(.up))
    }

    /// Converts a frame count of the analysis to the rate of the recording.
    func inputFrames(_ count: Int64) -> Int64 {
        value == inputRate ? count : Int64(clamped: (Double(count) * inputRate / value).rounded(.up))
    }
}
