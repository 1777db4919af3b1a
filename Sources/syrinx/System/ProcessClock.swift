/// Seconds since the process started.
struct ProcessClock: Sendable {
    private let start = ContinuousClock.now

    /// Seconds since this clock was made, which `main` does first of all.
    var now: Double { (ContinuousClock.now - start) / .seconds(1) }
}
