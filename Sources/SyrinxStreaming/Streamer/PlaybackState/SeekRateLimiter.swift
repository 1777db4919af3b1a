/// Keeps seeks apart that follow each other at once, so that a server is not asked for every place that a slider passes.
///
/// The first of them is carried out at once. Later ones wait while it is young, and the newest replaces the others.
struct SeekRateLimiter {
    private var last: Double?

    /// Ten places a second are as many as an ear can tell apart.
    static let interval = 0.1

    /// Seconds for which a seek has to wait at the time `now`, in seconds from any moment on; 0 if it is carried out now.
    mutating func delay(at now: Double) -> Double {
        let left = last.map { $0 + Self.interval - now } ?? 0
        guard left <= 0 else { return left }
        last = now
        return 0
    }
}
