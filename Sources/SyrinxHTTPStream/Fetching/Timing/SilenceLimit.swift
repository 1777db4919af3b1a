/// Decides when no byte has arrived for too long: on one connection, or over all requests of a stream and the pauses between them.
///
/// No clock: times are seconds, from any moment on. Time counts only while bytes are wanted.
struct SilenceLimit {
    /// The time at which bytes began to be wanted, or the last of them arrived; `nil` while none are wanted.
    private var since: Double?

    /// Records whether bytes are wanted.
    mutating func note(isWanted: Bool, at now: Double) {
        if !isWanted { since = nil } else if since == nil { since = now }
    }

    /// Records that something has arrived.
    mutating func sign(at now: Double) {
        if since != nil { since = now }
    }

    /// The time at which `seconds` of silence will be over; `nil` if no bytes are wanted, or the limit is infinite.
    func due(after seconds: Double) -> Double? {
        guard let since, seconds < Self.longest else { return nil }
        return since + max(0, seconds)
    }

    /// Seconds, some thirty years: a longer limit is infinite.
    private static let longest = 1e9
}
