/// Computes the deadlines of the blocks of a device without hardware.
///
/// Each deadline is computed from the start, so that rounding errors do not accumulate, and a late block is followed by
/// an early one.
package struct TickSchedule: Equatable, Sendable {
    /// The sample rate, in hertz.
    package let sampleRate: Double
    /// The number of frames per block.
    package let blockFrameCount: Int
    /// The number of frames in the blocks so far.
    package private(set) var frame: Int64 = 0
    private var start: UInt64

    /// The delay in nanoseconds after which a device's buffer would have run dry; the clock is then restarted.
    private static var tolerance: UInt64 { 500_000_000 }

    /// Creates a clock whose first block is due at `start`.
    /// - Parameters:
    ///   - sampleRate: The sample rate, 1 Hz to 10 MHz.
    ///   - blockDuration: The duration of a block in seconds, 0 to 1; a block always has 1 to 4096 frames. Default:
    ///     0.01.
    ///   - start: The start time, in nanoseconds of the monotonic clock.
    package init(sampleRate: Double, blockDuration: Double = 0.01, start: UInt64) {
        self.sampleRate = sampleRate
        self.start = start
        // Bounded: at most 10 million frames a second for one second.
        blockFrameCount = min(RenderBlock.maximumFrameCount, max(1, Int((sampleRate * blockDuration).rounded())))
    }

    /// The duration of a block, in seconds.
    package var blockDuration: Double { Double(blockFrameCount) / sampleRate }

    /// The deadline of the next block, in nanoseconds.
    package var due: UInt64 { MonotonicClock.time(start, plus: Double(frame) / sampleRate) }

    /// Excludes a pause of `nanoseconds` from the schedule.
    package mutating func held(_ nanoseconds: UInt64) { start &+= nanoseconds }

    /// Checks whether the next block is late, and restarts the clock in that case.
    /// - Returns: Whether the device has run dry.
    package mutating func isDry(at now: UInt64) -> Bool {
        let due = due
        guard now > due &+ Self.tolerance else { return false }
        start &+= now &- due
        return true
    }

    /// Advances the schedule by one block.
    package mutating func advance() { frame &+= Int64(blockFrameCount) }
}
