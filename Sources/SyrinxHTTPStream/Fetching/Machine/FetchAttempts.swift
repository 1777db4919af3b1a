/// The failures since the last byte of progress, and what has been tried about them.
struct FetchAttempts: Sendable {
    /// Attempts in a row that brought nothing.
    var attempts = 0
    /// Seconds waited for the network since the last byte, as far as timers tell.
    var outage = 0.0
    /// Whether the original URL has been tried anew since the last byte.
    var hasResolvedAnew = false
    /// Answers since the last byte that were of another version.
    var otherVersions = 0

    /// Forgets all failures: bytes that are new have come.
    mutating func reset() { self = FetchAttempts() }
}
