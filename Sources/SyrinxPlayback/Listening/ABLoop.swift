/// A repeated part of a recording, from A to B.
///
/// Playback jumps to A when it reaches B. After a seek past B, the loop is inactive until playback reaches B from
/// before again.
///
/// ```swift
/// var loop = ABLoop()
/// loop.set(from: 60, to: 75)
/// // At each playback position that the player reports:
/// if let start = loop.reached(position) { print("seek to", start) }
/// ```
public struct ABLoop: Sendable, Equatable {
    /// The minimum length of a loop in seconds: 0.05.
    public static let minimumLength = 0.05

    /// The position of A in seconds; `nil` if it is not set.
    public private(set) var start: Double?
    /// The position of B in seconds; `nil` if it is not set.
    public private(set) var end: Double?
    private var last: Double?

    /// Creates an inactive loop.
    public init() {}

    /// Whether both ends are set.
    public var isActive: Bool { start != nil && end != nil }

    /// Sets A, then B, then clears both, for a single key that cycles through these steps.
    ///
    /// If B would precede A, the two are exchanged. A mark closer to A than ``minimumLength`` is ignored.
    public mutating func mark(at position: Double) {
        guard position.isFinite, position >= 0 else { return }
        guard let start else {
            start = position
            return
        }
        if end != nil {
            clear()
        } else if abs(position - start) >= Self.minimumLength {
            self.start = min(start, position)
            end = max(start, position)
            last = nil
        }
    }

    /// Sets both ends, in seconds.
    ///
    /// - Returns: Whether the part is long enough; otherwise nothing changes.
    @discardableResult public mutating func set(from start: Double, to end: Double) -> Bool {
        guard start.isFinite, end.isFinite, start >= 0, end - start >= Self.minimumLength else { return false }
        self.start = start
        self.end = end
        last = nil
        return true
    }

    /// Clears both ends.
    public mutating func clear() {
        start = nil
        end = nil
        last = nil
    }

    /// Processes a playback position, in seconds.
    ///
    /// - Returns: The position to seek to, if playback has reached B.
    public mutating func reached(_ position: Double) -> Double? {
        guard position.isFinite else { return nil }
        let before = last
        last = position
        guard let start, let end, let before, before < end, position >= end else { return nil }
        // The next position may precede or follow the seek, so it is not compared with this one.
        last = nil
        return start
    }

    /// Processes the end of the recording, which may precede B.
    ///
    /// - Returns: The position to seek to, if playback was between A and B.
    public mutating func ended() -> Double? {
        guard let start, let end, let last, last >= start, last < end else { return nil }
        self.last = nil
        return start
    }

    /// Processes a seek by the user.
    public mutating func seeked(to position: Double) { last = position.isFinite ? position : nil }
}
