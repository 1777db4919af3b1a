/// Keeps real time for a device that should, and does not: ALSA's `null` and `file` take everything at once.
///
/// A device that is far ahead of the clock in its first seconds is one of those, and from then on the clock decides.
/// Later it is not asked any more: a sound card whose crystal runs fast comes as far ahead in an hour.
package struct RealTimeThrottle: Equatable, Sendable {
    private let sampleRate: Double
    private let allowance: Double
    private var start: UInt64
    private var frameCount: Int64 = 0
    /// Whether the clock decides.
    package private(set) var isClocked = false

    /// Nanoseconds after the start in which the device is judged.
    private static var probation: UInt64 { 5_000_000_000 }

    /// - Parameters:
    ///   - bufferFrameCount: What the device may be ahead by, since it buffers so much; a tenth of a second is added.
    ///   - now: The time of the start, in nanoseconds.
    package init(sampleRate: Double, bufferFrameCount: Int, now: UInt64) {
        self.sampleRate = sampleRate
        allowance = Double(bufferFrameCount) / sampleRate + 0.1
        start = now
    }

    /// Time begins anew, after a pause or a gap.
    package mutating func restart(at now: UInt64) {
        start = now
        frameCount = 0
    }

    /// `count` frames are about to be written at `now`.
    /// - Returns: When to write them, in nanoseconds; not in the future unless the clock decides.
    package mutating func due(writing count: Int, at now: UInt64) -> UInt64 {
        if !isClocked {
            let elapsed = now &- start
            let written = Double(frameCount) / sampleRate
            if elapsed < Self.probation, written > Double(elapsed) / MonotonicClock.nanosecondsPerSecond + allowance {
                isClocked = true
                restart(at: now)
            }
        }
        let due = isClocked ? MonotonicClock.time(start, plus: Double(frameCount) / sampleRate) : now
        frameCount &+= Int64(count)
        return due
    }
}
