public import Foundation
import GRDB

/// A selection of episodes to mark.
public enum EpisodeSelection: Hashable, Sendable {
    /// The episodes with these identifiers.
    case episodes([Episode.ID])
    /// The episodes of a podcast, optionally only those published before a date.
    case podcast(Podcast.ID, before: Date? = nil)
    /// The episodes of all podcasts, optionally only those published before a date.
    case all(before: Date? = nil)
    /// The episodes that a filter selects, optionally only those published before a date.
    ///
    /// The order, the limit and the offset of the filter are ignored.
    case filtered(PodcastLibrary.EpisodeFilter, before: Date? = nil)
}

/// The previous marks and positions of episodes, with which a change can be undone.
///
/// The value takes about 50 bytes per changed episode.
public struct EpisodeMarks: Hashable, Sendable {
    /// The state of one episode before the change.
    struct Former: Hashable, Sendable, Decodable, FetchableRecord {
        let id: Episode.ID
        let position: Double
        /// The time of the last change, in seconds since 1970.
        let playedAt: Double?
        /// The rank in the queue; `nil` if the episode was not queued.
        let rank: Int64?
    }

    /// Whether the episodes were marked as played.
    public let isPlayed: Bool
    /// The time of the change, in seconds since 1970.
    let time: Double
    let former: [Former]

    /// The number of changed episodes.
    public var count: Int { former.count }
}

/// Marking several episodes, and undoing it.
extension PodcastLibrary {
    /// Marks episodes as played or unplayed, in one transaction.
    ///
    /// Episodes that already have the mark do not change, so an episode in progress keeps its position if it is marked
    /// as unplayed. For the others, the position is reset to the start. Played episodes are removed from the queue. If
    /// the selection has a date, episodes without a date are not selected.
    ///
    /// ```swift
    /// let month = Date(timeIntervalSinceNow: -30 * 86_400)
    /// let marks = try library.mark(.podcast(podcast.id, before: month), isPlayed: true)
    /// print("\(marks.count) episodes marked")
    /// try library.undo(marks)
    /// ```
    /// - Parameters:
    ///   - selection: The episodes.
    ///   - isPlayed: Whether the episodes have been played.
    /// - Returns: The previous marks of the changed episodes, for ``undo(_:)``.
    /// - Throws: `usage.noSuchPodcast` or `usage.noSuchEpisode` if a podcast or episode of the selection does not
    ///   exist; then nothing has changed.
    public func mark(_ selection: EpisodeSelection, isPlayed: Bool) throws(PodcastError) -> EpisodeMarks {
        let time = Date().timeIntervalSince1970
        return try database.write { database in
            var former: [EpisodeMarks.Former] = []
            for part in try parts(of: selection, database) {
                former += try Self.change(part, isPlayed: isPlayed, at: time, database)
            }
            return EpisodeMarks(isPlayed: isPlayed, time: time, former: former)
        }
    }

    /// Restores the marks, positions and queue positions that episodes had before ``mark(_:isPlayed:)``.
    ///
    /// Episodes that were played or marked since then, in this or another process, are not changed. If the change has
    /// been synchronized, the next synchronization reports the restored marks.
    /// - Parameter marks: The previous marks.
    /// - Returns: The number of changed episodes.
    /// - Throws: `PodcastError` if the library cannot be written; then nothing has changed.
    @discardableResult
    public func undo(_ marks: EpisodeMarks) throws(PodcastError) -> Int {
        let now = Date().timeIntervalSince1970
        return try database.write { database in
            let isKnownElsewhere = try Self.hasSynchronized(since: marks.time, database)
            let restore = try database.cachedStatement(
                sql: """
                    UPDATE episode SET isPlayed = ?, position = ?, playedAt = ?
                    WHERE id = ? AND isPlayed = ? AND playedAt = ? AND position = 0
                    """
            )
            let enqueue = try database.cachedStatement(
                sql: "INSERT OR IGNORE INTO queue (episodeID, rank) VALUES (?, ?)"
            )
            var count = 0
            for former in marks.former {
                // Episodes that were marked as played at the subscription are not reported to a server.
                let isReported = isKnownElsewhere && (marks.isPlayed || former.playedAt != nil)
                let playedAt = isReported ? now : former.playedAt
                let isSame: StatementArguments = [former.id, marks.isPlayed, marks.time]
                try restore.execute(arguments: [!marks.isPlayed, former.position, playedAt] + isSame)
                guard database.changesCount > 0 else { continue }
                count += 1
                if let rank = former.rank { try enqueue.execute(arguments: [former.id, rank]) }
            }
            return count
        }
    }

    /// Returns whether a change made at a time may have been sent to a server.
    private static func hasSynchronized(since time: Double, _ database: Database) throws -> Bool {
        // A synchronization stores the time at which it started, and reads the changes later.
        let longest = 3_600.0
        let sql = "SELECT EXISTS (SELECT 1 FROM syncState WHERE sentAt > ?)"
        return try Bool.fetchOne(database, sql: sql, arguments: [time - longest]) ?? false
    }

    /// Returns SQL conditions that together select the episodes.
    private func parts(of selection: EpisodeSelection, _ database: Database) throws -> [SQL] {
        switch selection {
        case .episodes(let ids):
            for id in ids { try check(id, database) }
            return Self.parts(of: ids)
        case .podcast(let id, let date):
            _ = try record(id, database)
            return ["podcastID = \(id)" + Self.published(before: date)]
        case .all(let date): return ["1" + Self.published(before: date)]
        case .filtered(let filter, let date):
            if let id = filter.podcastID { _ = try record(id, database) }
            return Self.parts(of: try Self.ids(filter, before: date, database))
        }
    }

    /// Returns SQL conditions that together select the episodes with these identifiers.
    private static func parts(of ids: [Episode.ID]) -> [SQL] {
        // SQLite limits the number of arguments of a statement to some ten thousand.
        stride(from: 0, to: ids.count, by: 1_000).map { start in
            "id IN \(ids[start..<min(start + 1_000, ids.count)])"
        }
    }

    private static func published(before date: Date?) -> SQL {
        date.map { " AND published < \($0.timeIntervalSince1970)" } ?? ""
    }

    /// Marks the episodes of one condition that do not have the mark, and returns their previous states.
    private static func change(
        _ condition: SQL,
        isPlayed: Bool,
        at time: Double,
        _ database: Database
    ) throws -> [EpisodeMarks.Former] {
        let changed: SQL = "(\(condition)) AND isPlayed = \(!isPlayed)"
        let former: SQLRequest<EpisodeMarks.Former> = """
            SELECT id, position, playedAt, (SELECT rank FROM queue WHERE episodeID = episode.id) AS rank
            FROM episode WHERE \(changed)
            """
        let states = try former.fetchAll(database)
        guard !states.isEmpty else { return [] }
        if isPlayed {
            let leave: SQL = "DELETE FROM queue WHERE episodeID IN (SELECT id FROM episode WHERE \(changed))"
            try database.execute(literal: leave)
        }
        let update: SQL = "UPDATE episode SET isPlayed = \(isPlayed), position = 0, playedAt = \(time) WHERE \(changed)"
        try database.execute(literal: update)
        return states
    }
}
