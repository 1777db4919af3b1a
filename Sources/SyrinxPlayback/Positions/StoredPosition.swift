/// The stored playback position of an item.
public struct StoredPosition: Sendable, Equatable, Codable {
    /// The identifier of the item: a URL, a path, or an episode's GUID.
    public var item: String
    /// The position from the start, in seconds.
    public var position: Double
    /// The duration in seconds; `nil` if it is unknown.
    public var duration: Double?
    /// Whether the item has been played to its end.
    public var isFinished: Bool
    /// The time of storing, in seconds since 1970.
    public var date: Double

    /// Creates a position.
    public init(item: String, position: Double, duration: Double? = nil, isFinished: Bool = false, date: Double) {
        self.item = item
        self.position = position
        self.duration = duration
        self.isFinished = isFinished
        self.date = date
    }

    /// Whether all numbers are valid.
    var isUsable: Bool {
        position.isFinite && position >= 0 && date.isFinite && (duration.map { $0.isFinite && $0 >= 0 } ?? true)
    }
}

/// Decides which positions are stored during playback, and when.
///
/// During playback, a position is stored every ``interval`` seconds. At a pause, a seek or the end it is stored at
/// once. A killed process therefore loses at most the interval and the time between two reports. When an item is
/// replaced by another, report its last position with ``settled(_:)`` first.
///
/// ```swift
/// var schedule = PositionSchedule()
/// let store = PositionStore(folder: "/home/ann/.local/state/player")
/// // At each playback position that the player reports:
/// let stored = StoredPosition(item: "episode-12", position: position, date: Date().timeIntervalSince1970)
/// if let due = schedule.reached(stored) { try store.store(due) }
/// ```
public struct PositionSchedule: Sendable, Equatable {
    /// The time between two writes, in seconds (default: 3).
    public var interval: Double
    private var current: StoredPosition?
    private var written: StoredPosition?

    /// Creates a schedule with nothing to store.
    public init(interval: Double = 3) { self.interval = interval }

    /// Processes a position during playback.
    ///
    /// - Returns: The position to store, if one is due.
    public mutating func reached(_ position: StoredPosition) -> StoredPosition? {
        guard position.isUsable else { return nil }
        current = position
        if let written, written.item == position.item, !written.isFinished {
            // If the clock was set back, positions must still be stored.
            let elapsed = position.date - written.date
            if elapsed >= 0, elapsed < interval { return nil }
        }
        return write()
    }

    /// Processes a position after a pause, a seek or the end.
    ///
    /// - Returns: The position to store; `nil` if it is already stored.
    public mutating func settled(_ position: StoredPosition) -> StoredPosition? {
        guard position.isUsable else { return nil }
        current = position
        return write()
    }

    /// Call this when the process ends.
    ///
    /// - Returns: The last position; `nil` if it is already stored.
    public mutating func flush() -> StoredPosition? { write() }

    private mutating func write() -> StoredPosition? {
        guard let current, current != written else { return nil }
        written = current
        return current
    }
}
