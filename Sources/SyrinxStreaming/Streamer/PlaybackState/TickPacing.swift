import SyrinxByteStream

/// Decides which renders, and which timer events between them, are ticks: ten a second.
///
/// While the output renders, no timer has to wake a thread for each tick. A slow timer checks whether renders still
/// occur, and takes over if not. All times are nanoseconds of the monotonic clock.
struct TickPacing: Equatable {
    /// Nanoseconds between two ticks.
    static let interval: UInt64 = 100_000_000
    /// The interval of the timer while renders occur, in nanoseconds.
    static let watchInterval: UInt64 = 300_000_000
    /// Nanoseconds after which no render is waited for any more: longer than the block of a device.
    private static let patience: UInt64 = 100_000_000

    private var due: UInt64
    /// Whether the last tick was the timer's.
    private var isTimed = true

    /// Creates a pacing whose first tick is due an interval after `now`.
    init(at now: UInt64) { due = now &+ Self.interval }

    /// Returns whether a render at `now` is a tick.
    mutating func rendered(at now: UInt64) -> Bool {
        // Sooner than the timer once, or that would be first each time.
        guard now &+ (isTimed ? Self.interval / 2 : 0) >= due else { return false }
        isTimed = false
        due &+= Self.interval
        if due <= now { due = now &+ Self.interval }
        return true
    }

    /// Returns whether a look of the timer at `now` is a tick, and the nanoseconds until its next look.
    mutating func looked(at now: UInt64) -> (isTick: Bool, wait: UInt64) {
        guard now >= due &+ (isTimed ? 0 : Self.patience) else {
            isTimed = false
            return (false, Self.watchInterval)
        }
        isTimed = true
        due = now &+ Self.interval
        return (true, Self.interval)
    }
}
