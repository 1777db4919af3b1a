public import Foundation
import GRDB
package import SyrinxPlayback

/// Playback positions, played marks and the queue.
extension PodcastLibrary {
    /// Saves the position at which playback resumes.
    ///
    /// If two processes play the same episode, the later position is kept.
    /// - Parameters:
    ///   - seconds: The position from the start, in seconds; negative values and NaN count as 0.
    ///   - id: The episode.
    ///   - date: The time of the position. If a later one is already saved, nothing changes, unless that time is in the
    ///     future.
    /// - Throws: `usage.noSuchEpisode` if the episode does not exist.
    public func setPosition(_ seconds: Double, of id: Episode.ID, at date: Date = Date())
        throws(PodcastError)
    {
        let seconds = seconds.isFinite ? max(0, seconds) : 0
        try change(id, [EpisodeRecord.Columns.position.set(to: seconds)], at: date)
    }

    /// Marks an episode as played or unplayed, and resets its position to the start.
    /// - Parameters:
    ///   - isPlayed: Whether the episode has been played.
    ///   - id: The episode.
    ///   - date: The time of the change; if it is older than the saved time, nothing changes.
    ///   - keepsInQueue: Whether a played episode stays in the queue. By default it is removed.
    /// - Throws: `usage.noSuchEpisode` if the episode does not exist.
    public func setPlayed(
        _ isPlayed: Bool,
        _ id: Episode.ID,
        at date: Date = Date(),
        keepsInQueue: Bool = false
    ) throws(PodcastError) {
        typealias Columns = EpisodeRecord.Columns
        try change(id, [Columns.isPlayed.set(to: isPlayed), Columns.position.set(to: 0)], at: date) {
            if isPlayed, !keepsInQueue { _ = try QueueRecord.deleteOne($0, key: id) }
        }
    }

    /// Saves what the progress of a player gives: the place, or that the episode has been listened to.
    /// - Parameters:
    ///   - position: The position, and the time at which it was reached.
    ///   - id: The episode.
    ///   - keepsInQueue: Whether a played episode stays in the queue.
    /// - Throws: `usage.noSuchEpisode` if the episode does not exist.
    package func keep(
        _ position: StoredPosition,
        of id: Episode.ID,
        keepsInQueue: Bool = false
    ) throws(PodcastError) {
        let date = Date(timeIntervalSince1970: position.date)
        if position.isFinished {
            try setPlayed(true, id, at: date, keepsInQueue: keepsInQueue)
        } else {
            try setPosition(position.position, of: id, at: date)
        }
    }

    /// - Parameter follow: Called in the same transaction if the episode has changed.
    private func change(
        _ id: Episode.ID,
        _ assignments: [ColumnAssignment],
        at date: Date,
        follow: (Database) throws -> Void = { _ in }
    ) throws(PodcastError) {
        typealias Columns = EpisodeRecord.Columns
        let time = date.timeIntervalSince1970
        // A saved time in the future comes from a wrong clock, and must not block later changes.
        let now = Date().timeIntervalSince1970
        let isOlder = Columns.playedAt == nil || Columns.playedAt <= time || Columns.playedAt > now
        try database.write { database in
            let count = try EpisodeRecord.filter(key: id).filter(isOlder).updateAll(
                database,
                assignments + [Columns.playedAt.set(to: time)]
            )
            if count == 0 { try check(id, database) } else { try follow(database) }
        }
    }

    func check(_ id: Episode.ID, _ database: Database) throws {
        if try !EpisodeRecord.exists(database, key: id) { throw noSuchEpisode(id) }
    }

    /// Returns the most recently played episode that has not been finished; `nil` if there is none.
    public func lastPlayed() throws(PodcastError) -> Episode? {
        typealias Columns = EpisodeRecord.Columns
        let begun = EpisodeRecord.listed.filter(
            Columns.playedAt != nil && Columns.isPlayed == false && Columns.position > 0
        )
        return try database.read {
            try begun.order(Columns.playedAt.desc).fetchOne($0).map(Episode.init)
        }
    }

    // MARK: The queue

    /// The place at which episodes are added to the queue.
    public enum QueuePlace: Hashable, Sendable {
        /// Before all other episodes.
        case first
        /// After all other episodes.
        case last
        /// Before the episode that currently has this index; at the end if there is none.
        case index(Int)
    }

    /// Returns the episodes of the queue, in order.
    public func queue() throws(PodcastError) -> [Episode] {
        try database.read { try Self.queue($0) }
    }

    static func queue(_ database: Database) throws -> [Episode] {
        typealias Columns = QueueRecord.Columns
        let queued = EpisodeRecord.queued.order(Columns.rank, Columns.episodeID)
        return try EpisodeRecord.listed.joining(required: queued).fetchAll(database).map(Episode.init)
    }

    /// Adds episodes to the queue in the given order; episodes that are already queued are moved.
    /// - Throws: `usage.noSuchEpisode` if one of them does not exist; then the queue does not change.
    public func enqueue(_ ids: [Episode.ID], at place: QueuePlace = .last) throws(PodcastError) {
        try database.write { database in
            for id in ids { try check(id, database) }
            var moved = Set<Episode.ID>()
            let ids = ids.filter { moved.insert($0).inserted }
            let rank = try Self.makeRoom(for: ids.count, at: place, database)
            for (index, id) in ids.enumerated() {
                var record = QueueRecord(episodeID: id, rank: rank.addingClamped(Int64(index)))
                try record.upsert(database)
            }
        }
    }

    /// Returns the first of `count` free ranks at a place in the queue.
    ///
    /// - Complexity: O(1) at either end of the queue, otherwise O(*n*).
    private static func makeRoom(for count: Int, at place: QueuePlace, _ database: Database) throws
        -> Int64
    {
        let rank = QueueRecord.Columns.rank
        let next: Int64? =
            switch place {
            case .first: try QueueRecord.select(min(rank), as: Int64.self).fetchOne(database)
            case .last: nil
            case .index(let index):
                try QueueRecord.order(rank, QueueRecord.Columns.episodeID).limit(1, offset: max(0, index))
                    .fetchOne(database)?.rank
            }
        guard let next else {
            return (try QueueRecord.select(max(rank), as: Int64.self).fetchOne(database) ?? -1)
                .addingClamped(1)
        }
        if case .first = place { return next.subtractingClamped(Int64(count)) }
        try QueueRecord.filter(rank >= next).updateAll(database, rank.set(to: rank + count))
        return next
    }

    /// Removes an episode from the queue; does nothing if it is not queued.
    public func dequeue(_ id: Episode.ID) throws(PodcastError) {
        _ = try database.write { try QueueRecord.deleteOne($0, key: id) }
    }

    /// Empties the queue.
    public func clearQueue() throws(PodcastError) {
        _ = try database.write { try QueueRecord.deleteAll($0) }
    }
}
