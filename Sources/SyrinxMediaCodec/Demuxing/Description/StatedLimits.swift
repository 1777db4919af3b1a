/// The largest plausible values in a header; larger values are treated as not stated.
enum StatedLimits {
    /// The largest frame count: 203 years at 44.1 kHz.
    ///
    /// Sums of several counts, and each count in milliseconds at 1 Hz, fit into 64 bits.
    static let frameCount: Int64 = 1 << 48
    /// The largest sample rate, in hertz: several times the highest DSD rate.
    ///
    /// At higher rates, even the silence for a short gap would take gigabytes.
    static let sampleRate: Int32 = 10_000_000
    /// The largest number of channels that libavcodec supports.
    static let channelCount: Int32 = 512

    /// Returns the frame count; `nil` if it is implausible.
    static func plausible(_ frames: Int64?) -> Int64? { frames.flatMap { 0...frameCount ~= $0 ? $0 : nil } }

    /// Returns the duration in seconds; `nil` if it is implausible at this sample rate.
    static func plausible(seconds: Double?, sampleRate: Double) -> Double? {
        seconds.flatMap { (0...Double(frameCount)).contains($0 * sampleRate) ? $0 : nil }
    }
}
