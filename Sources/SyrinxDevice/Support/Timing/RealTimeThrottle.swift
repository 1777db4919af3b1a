/// Paces devices that do not keep real time, such as ALSA's `null` and `file`, which accept all samples at once.
///
/// A device that is far ahead of the clock during its first seconds is paced by the clock from then on. Later it is not
/// checked, because a sound card with a fast crystal can get as far ahead within an hour.
package struct RealTimeThrottle: Equatable, Sendable {
    private let sampleRate: Double
    private let allowance: Double
    private var start: UInt64
    private var frameCount: Int64 = 0
    /// Whether the device is paced by the clock.
    package private(set) var isClocked = false

    /// The time after the start in which the device is checked, in nanoseconds.
    private static var probation: UInt64 { 5_000_000_000 }

    /// - Parameters:
    ///   - bufferFrameCount: The size of the device's buffer, by which it may be ahead, in addition to 0.1 s.
    ///   - now: The start time, in nanoseconds.
    package init(sampleRate: Double, bufferFrameCount: Int, now: UInt64) {
        self.sampleRate = sampleRate
        allowance = Double(bufferFrameCount) / sampleRate + 0.1
        start = now
    }

    /// Restarts timing after a pause or a gap.
    package mutating func restart(at now: UInt64) {
        start = now
        frameCount = 0
    }

    /// Returns the time at which to write the next `count` frames.
    /// - Returns: The time in nanoseconds, which is `now` unless the device is paced by the clock.
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
