/// A part of a recording, from A to B, that is repeated.
///
/// Playback jumps to A when it reaches B. A seek past B leaves the loop until playback reaches B from before once more.
public struct ABLoop: Sendable, Equatable {
    /// The shortest loop in seconds: 0.05.
    public static let minimumLength = 0.05

    /// The start in seconds; `nil` if none is set.
    public private(set) var start: Double?
    /// The end in seconds; `nil` if none is set.
    public private(set) var end: Double?
    private var last: Double?

    /// No loop.
    public init() {}

    /// Whether a part is repeated.
    public var isActive: Bool { start != nil && end != nil }

    /// Sets A, then B, then clears both, as one key does.
    ///
    /// A mark before A exchanges the two. One that is nearer to A than ``minimumLength`` changes nothing.
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

    /// Sets both ends.
    ///
    /// - Returns: Whether the part is long enough; otherwise nothing changes.
    @discardableResult public mutating func set(from start: Double, to end: Double) -> Bool {
        guard start.isFinite, end.isFinite, start >= 0, end - start >= Self.minimumLength else { return false }
        self.start = start
        self.end = end
        last = nil
        return true
    }

    /// Ends the loop.
    public mutating func clear() {
        start = nil
        end = nil
        last = nil
    }

    /// Playback has reached this position.
    ///
    /// - Returns: The position to jump to, if it is the end of the part.
    public mutating func reached(_ position: Double) -> Double? {
        guard position.isFinite else { return nil }
        let before = last
        last = position
        guard let start, let end, let before, before < end, position >= end else { return nil }
        // The next position comes from before the jump or from after it; either is a new beginning.
        last = nil
        return start
    }

    /// Playback has come to the end of the recording, which may lie before B.
    ///
    /// - Returns: The position to jump to, if playback was in the part.
    public mutating func ended() -> Double? {
        guard let start, let end, let last, last >= start, last < end else { return nil }
        self.last = nil
        return start
    }

    /// The listener has moved to this position.
    public mutating func seeked(to position: Double) { last = position.isFinite ? position : nil }
}
