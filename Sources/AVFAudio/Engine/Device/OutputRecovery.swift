/// When to try for an output again that has been lost, and when to give up: no clock, no device.
struct OutputRecovery: Equatable {
    /// The next action.
    enum Action: Equatable {
        /// Look for an output after this number of seconds.
        case attempt(after: Double)
        case giveUp
    }

    /// A sound server that is restarted is back in a second or two; a desktop's session takes longer.
    static let patience = 10.0
    private static let longestDelay = 0.5

    private let end: Double
    private var delay: Double

    /// Starts the recovery of an output that was lost at `now`.
    /// - Parameters:
    ///   - now: The current time in seconds of any monotonic clock.
    ///   - patience: Seconds after which the search ends.
    ///   - delay: Seconds before the first attempt. The delay doubles after each attempt.
    init(lostAt now: Double, patience: Double = patience, delay: Double = 0) {
        end = now + patience
        self.delay = delay
    }

    /// Returns the first action, or the next one when an attempt has failed at `now`.
    mutating func next(at now: Double) -> Action {
        guard now < end else { return .giveUp }
        let wait = min(delay, Self.longestDelay)
        delay = wait == 0 ? 0.05 : wait * 2
        return .attempt(after: wait)
    }
}
