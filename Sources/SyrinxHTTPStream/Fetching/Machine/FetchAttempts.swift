/// The failures since the last new byte, and the attempted remedies.
struct FetchAttempts: Sendable {
    /// The number of consecutive attempts without a new byte.
    var attempts = 0
    /// The time spent waiting for the network since the last byte, in seconds.
    var outage = 0.0
    /// Whether the original URL was requested again since the last byte.
    var hasResolvedAnew = false
    /// The number of responses with another version since the last byte.
    var otherVersions = 0

    /// Resets all counters after a new byte.
    mutating func reset() { self = FetchAttempts() }
}
