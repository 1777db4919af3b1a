/// Bounds of what a recording may state of itself: beyond them a number says nothing, and counts as not stated.
enum StatedLimits {
    /// 203 years at 44.1 kHz.
    ///
    /// Sums of some of them, and each of them in milliseconds at 1 Hz, are numbers of 64 bits.
    static let frameCount: Int64 = 1 << 48
    /// Frames per second: some times those of any recording, the finest DSD included.
    ///
    /// At more the silence of a short gap alone would be gigabytes.
    static let sampleRate: Int32 = 10_000_000
    /// As many as libavcodec takes.
    static let channelCount: Int32 = 512

    /// The frames, if a recording can have so many.
    static func plausible(_ frames: Int64?) -> Int64? { frames.flatMap { 0...frameCount ~= $0 ? $0 : nil } }

    /// The seconds, if a recording of that rate can last so long.
    static func plausible(seconds: Double?, sampleRate: Double) -> Double? {
        seconds.flatMap { (0...Double(frameCount)).contains($0 * sampleRate) ? $0 : nil }
    }
}
