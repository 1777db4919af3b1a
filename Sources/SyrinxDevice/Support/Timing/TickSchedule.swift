/// Which block of a device without hardware is due when.
///
/// Every deadline is counted from the start: rounding does not add up, and a late block is followed by an early one.
package struct TickSchedule: Equatable, Sendable {
    /// Frames per second.
    package let sampleRate: Double
    /// The frames of one block.
    package let blockFrameCount: Int
    /// Frames of the blocks so far.
    package private(set) var frame: Int64 = 0
    private var start: UInt64

    /// Half a second late, a device's buffer would have run dry: time begins anew instead of being caught up with.
    private static var tolerance: UInt64 { 500_000_000 }

    /// Creates a clock whose first block is due at `start`.
    /// - Parameters:
    ///   - sampleRate: Frames per second, 1 to 10 MHz.
    ///   - blockDuration: Seconds of a block, 0 to 1; a block has 1 to 4096 frames all the same. Default: 10 ms.
    ///   - start: Nanoseconds of the monotonic clock.
    package init(sampleRate: Double, blockDuration: Double = 0.01, start: UInt64) {
        self.sampleRate = sampleRate
        self.start = start
        // Bounded: at most 10 million frames a second for one second.
        blockFrameCount = min(RenderBlock.maximumFrameCount, max(1, Int((sampleRate * blockDuration).rounded())))
    }

    /// Seconds of a block.
    package var blockDuration: Double { Double(blockFrameCount) / sampleRate }

    /// When the next block is due, in nanoseconds.
    package var due: UInt64 { MonotonicClock.time(start, plus: Double(frame) / sampleRate) }

    /// The time `held` nanoseconds does not count.
    package mutating func held(_ nanoseconds: UInt64) { start &+= nanoseconds }

    /// The next block is about to be rendered at `now`.
    /// - Returns: Whether that is so late that the device has run dry.
    package mutating func isDry(at now: UInt64) -> Bool {
        let due = due
        guard now > due &+ Self.tolerance else { return false }
        start &+= now &- due
        return true
    }

    /// A block has been rendered.
    package mutating func advance() { frame &+= Int64(blockFrameCount) }
}
