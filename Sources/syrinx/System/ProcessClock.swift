/// A clock that counts seconds since the process started.
struct ProcessClock: Sendable {
    private let start = ContinuousClock.now

    /// The time in seconds since this clock was created, at the start of `main`.
    var now: Double { (ContinuousClock.now - start) / .seconds(1) }
}
