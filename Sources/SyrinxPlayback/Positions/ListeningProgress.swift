/// Decides when the playback position is stored, and when an item counts as played.
///
/// A value without side effects, whose owner stores the returned positions. If the player is killed, at most the
/// interval of a ``PositionSchedule`` and the time between two reports are lost.
package struct ListeningProgress: Sendable, Equatable {
    /// The remaining time, in seconds, below which an abandoned item counts as played.
    package static let endSeconds = 15.0

    /// The identifier of the item: a URL, a path, or an episode number.
    package let item: String
    /// The duration in seconds; `nil` while it is unknown.
    package var duration: Double?
    /// The duration of the skipped outro, in seconds.
    ///
    /// An item that is abandoned during the outro counts as played.
    package var outro = 0.0
    /// Whether a part of the item is repeated, so that the end of the part is not the end of the item.
    package var repeatsPart = false
    private var schedule = PositionSchedule()
    private var time = 0.0
    /// The time of the last change of the position, in seconds since 1970; `nil` if nothing has been played.
    private var heardAt: Double?
    private var hasEnded = false

    /// Creates the progress of an item that has not been played.
    /// - Parameter item: The identifier of the item.
    package init(of item: String) { self.item = item }

    /// Processes a position during playback.
    /// - Parameters:
    ///   - time: The position, in seconds.
    ///   - date: The current time, in seconds since 1970.
    /// - Returns: The position to store, if one is due.
    package mutating func heard(_ time: Double, at date: Double) -> StoredPosition? {
        guard note(time, at: date) else { return nil }
        return schedule.reached(position())
    }

    /// Processes a seek by the user.
    /// - Parameters:
    ///   - time: The new position, in seconds.
    ///   - date: The current time, in seconds since 1970.
    /// - Returns: The position to store.
    package mutating func moved(to time: Double, at date: Double) -> StoredPosition? {
        guard note(time, at: date) else { return nil }
        return schedule.settled(position())
    }

    private mutating func note(_ time: Double, at date: Double) -> Bool {
        guard time.isFinite, time >= 0, date.isFinite else { return false }
        (self.time, heardAt, hasEnded) = (time, date, false)
        return true
    }

    /// Processes a pause, a stall or a failure.
    ///
    /// The stored date is that of the last playback, because another player may have continued the item since.
    /// - Parameter time: The position in seconds; 0 if it is unknown.
    /// - Returns: The position to store; `nil` if nothing was played, or it is already stored.
    package mutating func stood(at time: Double) -> StoredPosition? {
        guard heardAt != nil, !hasEnded else { return nil }
        if time.isFinite, time > 0 { self.time = time }
        return schedule.settled(position())
    }

    /// Processes the end of listening; an item that is abandoned near its end counts as played.
    /// - Parameter time: The position in seconds; 0 if it is unknown.
    /// - Returns: The position to store; `nil` if nothing was played, or it is already stored.
    package mutating func left(at time: Double) -> StoredPosition? {
        guard let heardAt, !hasEnded else { return nil }
        if time.isFinite, time > 0 { self.time = time }
        let end = max(Self.endSeconds, outro + 1)
        guard !repeatsPart, let duration, duration.isFinite, duration > end, duration - self.time < end
        else {
            return schedule.settled(position())
        }
        return ended(at: heardAt)
    }

    /// Processes the end of the item, or of a repeated part.
    /// - Parameter date: The current time, in seconds since 1970.
    /// - Returns: The position to store; `nil` if the end is already stored.
    package mutating func ended(at date: Double) -> StoredPosition? {
        guard !hasEnded, date.isFinite else { return nil }
        if repeatsPart { return stood(at: time) }
        (heardAt, hasEnded) = (date, true)
        return schedule.settled(position(isFinished: true))
    }

    /// Processes the restart of an item that plays again, which is therefore no longer played.
    /// - Parameter date: The current time, in seconds since 1970.
    /// - Returns: The position to store.
    package mutating func beganAgain(at date: Double) -> StoredPosition? {
        guard note(0, at: date) else { return nil }
        // Nothing is stored until playback starts again.
        hasEnded = true
        return schedule.settled(position())
    }

    private func position(isFinished: Bool = false) -> StoredPosition {
        let known = duration.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        return StoredPosition(
            item: item,
            position: time,
            duration: known,
            isFinished: isFinished,
            date: heardAt ?? 0
        )
    }
}
