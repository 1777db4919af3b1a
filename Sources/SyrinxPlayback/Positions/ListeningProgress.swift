/// Decides when the place in what plays is kept, and when it counts as heard to its end.
///
/// Pure. Its owner stores what it returns: as the position of a recording, or in the library of podcasts. A player that is killed loses
/// at most the interval of a ``PositionSchedule`` and the time between two reports.
package struct ListeningProgress: Sendable, Equatable {
    /// An item that is left with less than so many seconds to come has been heard.
    package static let endSeconds = 15.0

    /// The identifier of the item: an address, a path, or the number of an episode.
    package let item: String
    /// The length in seconds, once it is known.
    package var duration: Double?
    /// The seconds at the end that are passed over.
    ///
    /// An item that is left within them has been heard.
    package var outro = 0.0
    /// Whether a part is repeated, whose end is not that of the item.
    package var repeatsPart = false
    private var schedule = PositionSchedule()
    private var time = 0.0
    /// The moment at which the position last moved, in seconds since 1970; `nil` if nothing has been heard.
    private var heardAt: Double?
    private var hasEnded = false

    /// The progress in an item of which nothing has been heard.
    /// - Parameter item: The identifier of the item.
    package init(of item: String) { self.item = item }

    /// Takes a position while the item plays.
    /// - Parameters:
    ///   - time: The position in seconds.
    ///   - date: The present, in seconds since 1970.
    /// - Returns: The position to store now, if one is due.
    package mutating func heard(_ time: Double, at date: Double) -> StoredPosition? {
        guard note(time, at: date) else { return nil }
        return schedule.reached(position())
    }

    /// Takes a position to which the listener has gone.
    /// - Parameters:
    ///   - time: The position in seconds.
    ///   - date: The present, in seconds since 1970.
    /// - Returns: The position to store now.
    package mutating func moved(to time: Double, at date: Double) -> StoredPosition? {
        guard note(time, at: date) else { return nil }
        return schedule.settled(position())
    }

    private mutating func note(_ time: Double, at date: Double) -> Bool {
        guard time.isFinite, time >= 0, date.isFinite else { return false }
        (self.time, heardAt, hasEnded) = (time, date, false)
        return true
    }

    /// Takes a pause, a wait or a failure.
    ///
    /// The position has the date at which it was heard: another player may have gone on with the item meanwhile.
    /// - Parameter time: The position in seconds; 0 counts as not known.
    /// - Returns: The position to store now; `nil` if nothing has been heard, or it has been stored.
    package mutating func stood(at time: Double) -> StoredPosition? {
        guard heardAt != nil, !hasEnded else { return nil }
        if time.isFinite, time > 0 { self.time = time }
        return schedule.settled(position())
    }

    /// Takes the end of listening: an item that is left near its end has been heard.
    /// - Parameter time: As for `stood(at:)`.
    /// - Returns: The position to store now; `nil` if nothing has been heard, or it has been stored.
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

    /// Takes the end of the item, or of a part that is repeated.
    /// - Parameter date: The present, in seconds since 1970.
    /// - Returns: The position to store now; `nil` if the end has been stored.
    package mutating func ended(at date: Double) -> StoredPosition? {
        guard !hasEnded, date.isFinite else { return nil }
        if repeatsPart { return stood(at: time) }
        (heardAt, hasEnded) = (date, true)
        return schedule.settled(position(isFinished: true))
    }

    /// Takes the start of an item that plays once more: it has not been heard to its end yet.
    /// - Parameter date: The present, in seconds since 1970.
    /// - Returns: The position to store now.
    package mutating func beganAgain(at date: Double) -> StoredPosition? {
        guard note(0, at: date) else { return nil }
        // Until it is heard again there is nothing to store.
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
