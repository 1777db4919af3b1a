/// When to try for an output again that has been lost, and when to give up: no clock, no device.
struct OutputRecovery: Equatable {
    /// The next action.
    enum Action: Equatable {
        /// Look for an output after so many seconds.
        case attempt(after: Double)
        case giveUp
    }

    /// A sound server that is restarted is back in a second or two; a desktop's session takes longer.
    static let patience = 10.0
    private static let longestDelay = 0.5

    private let begin: Double
    private var delay = 0.0

    /// The output has been lost at `now`, in seconds of any clock.
    init(lostAt now: Double) { begin = now }

    /// Returns the first action, or the next one when an attempt has failed at `now`.
    mutating func next(at now: Double) -> Action {
        guard now - begin < Self.patience else { return .giveUp }
        let wait = delay
        delay = delay == 0 ? 0.05 : min(Self.longestDelay, delay * 2)
        return .attempt(after: wait)
    }
}
