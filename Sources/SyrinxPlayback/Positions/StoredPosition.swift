/// The position in one item, as it is stored.
public struct StoredPosition: Sendable, Equatable, Codable {
    /// The identifier of the item: an address, a path, the GUID of an episode.
    public var item: String
    /// Seconds from the start.
    public var position: Double
    /// The length in seconds, if it is known.
    public var duration: Double?
    /// Whether the item has been played to its end.
    public var isFinished: Bool
    /// The moment of storing, in seconds since 1970.
    public var date: Double

    /// A position.
    public init(item: String, position: Double, duration: Double? = nil, isFinished: Bool = false, date: Double) {
        self.item = item
        self.position = position
        self.duration = duration
        self.isFinished = isFinished
        self.date = date
    }

    /// Whether each number can be stored and resumed at.
    var isUsable: Bool {
        position.isFinite && position >= 0 && date.isFinite && (duration.map { $0.isFinite && $0 >= 0 } ?? true)
    }
}

/// The decision which positions are written while an item plays, and when.
///
/// It writes at most every ``interval`` seconds while playback runs, and at once where a position is worth keeping: at a pause, at a
/// seek and at the end. A process that is killed therefore loses at most the interval and the time between two reports. Report where
/// an item was left with ``settled(_:)`` before the next one begins.
public struct PositionSchedule: Sendable, Equatable {
    /// The time between two writes, in seconds; default: 3.
    public var interval: Double
    private var current: StoredPosition?
    private var written: StoredPosition?

    /// A schedule that has nothing to write.
    public init(interval: Double = 3) { self.interval = interval }

    /// Playback runs and has reached this position.
    ///
    /// - Returns: The position to write now, if one is due.
    public mutating func reached(_ position: StoredPosition) -> StoredPosition? {
        guard position.isUsable else { return nil }
        current = position
        if let written, written.item == position.item, !written.isFinished {
            // A clock that was set back must not stop the writing.
            let elapsed = position.date - written.date
            if elapsed >= 0, elapsed < interval { return nil }
        }
        return write()
    }

    /// Playback has paused, moved or ended at this position.
    ///
    /// - Returns: The position to write now; `nil` if it has been written.
    public mutating func settled(_ position: StoredPosition) -> StoredPosition? {
        guard position.isUsable else { return nil }
        current = position
        return write()
    }

    /// The process is about to end.
    ///
    /// - Returns: The position to write now; `nil` if it has been written.
    public mutating func flush() -> StoredPosition? { write() }

    private mutating func write() -> StoredPosition? {
        guard let current, current != written else { return nil }
        written = current
        return current
    }
}
