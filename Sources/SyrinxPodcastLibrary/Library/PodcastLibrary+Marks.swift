public import Foundation
import GRDB

/// Episodes that are marked together.
public enum EpisodeSelection: Hashable, Sendable {
    /// The episodes with these numbers.
    case episodes([Episode.ID])
    /// The episodes of a podcast; with a date only those that were published before it.
    case podcast(Podcast.ID, before: Date? = nil)
    /// The episodes of all podcasts; with a date only those that were published before it.
    case all(before: Date? = nil)
}

/// The marks and positions that episodes had before they were marked, so that the change can be undone.
///
/// The value takes about 50 bytes for each episode that changed.
public struct EpisodeMarks: Hashable, Sendable {
    /// The state of one episode before the change.
    struct Former: Hashable, Sendable, Decodable, FetchableRecord {
        let id: Episode.ID
        let position: Double
        /// In seconds since 1970.
        let playedAt: Double?
        /// The place in the queue; `nil` if it was not in the queue.
        let rank: Int64?
    }

    /// The mark that the episodes got: whether they have been listened to.
    public let isPlayed: Bool
    /// The time of the change, in seconds since 1970.
    let time: Double
    let former: [Former]

    /// The number of episodes that changed.
    public var count: Int { former.count }
}

/// Marks of several episodes, and taking them back.
extension PodcastLibrary {
    /// Marks episodes as listened to, or not, in one transaction.
    ///
    /// Episodes that have the mark already do not change: one that has been begun keeps its position when it is marked as not listened
    /// to. Those that change begin at their start the next time, and those that have been listened to leave the queue. A date selects
    /// no episode whose feed states none.
    ///
    /// ```swift
    /// let month = Date(timeIntervalSinceNow: -30 * 86_400)
    /// let marks = try library.mark(.podcast(podcast.id, before: month), isPlayed: true)
    /// print("\(marks.count) episodes marked")
    /// try library.undo(marks)
    /// ```
    /// - Parameters:
    ///   - selection: The episodes.
    ///   - isPlayed: Whether they have been listened to.
    /// - Returns: The former marks of the episodes that changed, for ``undo(_:)``.
    /// - Throws: `usage.noSuchPodcast` or `usage.noSuchEpisode` if one that the selection names does not exist; then nothing has
    ///   changed.
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

    /// Gives episodes back the marks, the positions and the places in the queue that they had before ``mark(_:isPlayed:)``.
    ///
    /// An episode that a listener has played or marked since then, in this process or another one, stays as it is. After a
    /// synchronization the next one reports the restored marks.
    /// - Parameter marks: The former marks.
    /// - Returns: The number of episodes that changed.
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
                // An episode that counts as played since the subscription is not reported to a server.
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

    /// Whether a server may have been sent a change that was made at a time.
    private static func hasSynchronized(since time: Double, _ database: Database) throws -> Bool {
        // A synchronization notes the time at which it began, and reads the changes later.
        let longest = 3_600.0
        let sql = "SELECT EXISTS (SELECT 1 FROM syncState WHERE sentAt > ?)"
        return try Bool.fetchOne(database, sql: sql, arguments: [time - longest]) ?? false
    }

    /// Returns the conditions of the statements that select the episodes.
    private func parts(of selection: EpisodeSelection, _ database: Database) throws -> [SQL] {
        switch selection {
        case .episodes(let ids):
            for id in ids { try check(id, database) }
            // A statement takes some ten thousand values.
            return stride(from: 0, to: ids.count, by: 1_000).map { start in
                "id IN \(ids[start..<min(start + 1_000, ids.count)])"
            }
        case .podcast(let id, let date):
            _ = try record(id, database)
            return ["podcastID = \(id)" + Self.published(before: date)]
        case .all(let date): return ["1" + Self.published(before: date)]
        }
    }

    private static func published(before date: Date?) -> SQL {
        date.map { " AND published < \($0.timeIntervalSince1970)" } ?? ""
    }

    /// Marks the episodes of one condition that have not the mark, and returns their former states.
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
