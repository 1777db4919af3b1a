/// Limits the rate of seeks, so that a slider does not cause a request for each position.
///
/// The first seek is carried out at once. Later ones wait for the interval, and the newest replaces the others.
struct SeekRateLimiter {
    private var last: Double?

    /// The minimum interval in seconds: ten positions a second are as many as a listener can distinguish.
    static let interval = 0.1

    /// Returns the seconds for which a seek at the time `now` has to wait; 0 if it is carried out at once.
    mutating func delay(at now: Double) -> Double {
        let left = last.map { $0 + Self.interval - now } ?? 0
        guard left <= 0 else { return left }
        last = now
        return 0
    }
}
