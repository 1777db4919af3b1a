/// Decides when no byte has arrived for too long, on one connection or over all requests of a stream.
///
/// A pure value; times are seconds of a monotonic clock. Time counts only while bytes are wanted.
struct SilenceLimit {
    /// The time since which bytes are wanted, or of the last arrival; `nil` while none are wanted.
    private var since: Double?

    /// Notes whether bytes are wanted.
    mutating func note(isWanted: Bool, at now: Double) {
        if !isWanted { since = nil } else if since == nil { since = now }
    }

    /// Notes an arrival.
    mutating func sign(at now: Double) {
        if since != nil { since = now }
    }

    /// Returns the time at which `seconds` of silence end; `nil` if no bytes are wanted, or the limit is infinite.
    func due(after seconds: Double) -> Double? {
        guard let since, seconds < Self.longest else { return nil }
        return since + max(0, seconds)
    }

    /// About thirty years in seconds: a longer limit counts as infinite.
    private static let longest = 1e9
}
