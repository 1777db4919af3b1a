import NIOCore

/// Decides when a stream has gone without a byte for too long, over all its requests and the pauses between them.
///
/// No clock. Time counts only while bytes are wanted.
struct NoBytesLimit {
    /// When bytes began to be wanted, or the last of them came; `nil` while none are wanted.
    private var since: NIODeadline?

    /// Notes whether bytes are wanted.
    mutating func note(isWanted: Bool, at now: NIODeadline) {
        if !isWanted { since = nil } else if since == nil { since = now }
    }

    /// Notes that something has come.
    mutating func sign(at now: NIODeadline) {
        if since != nil { since = now }
    }

    /// The moment when it will have been too long if nothing comes; `nil` if none are wanted, or it never will.
    func due(after seconds: Double) -> NIODeadline? {
        guard let since, seconds < Self.longest else { return nil }
        return since + .clamped(seconds: max(0, seconds))
    }

    /// Seconds, some thirty years: longer is for ever.
    private static let longest = 1e9
}
