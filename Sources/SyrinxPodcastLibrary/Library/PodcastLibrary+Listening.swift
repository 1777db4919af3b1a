public import Foundation
import GRDB

/// Positions, marks and the queue.
extension PodcastLibrary {
    /// Saves the place at which listening goes on.
    ///
    /// The process that has played last counts, if two play the same episode.
    /// - Parameters:
    ///   - seconds: From the start; what is no number, or below 0, counts as 0.
    ///   - id: The episode.
    ///   - date: The time at which it was there; an older one than the saved changes nothing, unless the saved
    ///     one is still to come.
    /// - Throws: `usage.noSuchEpisode` if there is no such episode.
    public func setPosition(_ seconds: Double, of id: Episode.ID, at date: Date = Date()) throws(PodcastError) {
        let seconds = seconds.isFinite ? max(0, seconds) : 0
        try change(id, "position = ?", [seconds], at: date)
    }

    /// Marks an episode as listened to, or not; it begins at its start the next time.
    /// - Throws: `usage.noSuchEpisode` if there is no such episode.
    public func setPlayed(_ isPlayed: Bool, _ id: Episode.ID, at date: Date = Date()) throws(PodcastError) {
        try change(id, "isPlayed = ?, position = 0", [isPlayed], at: date)
    }

    private func change(_ id: Episode.ID, _ assignment: String, _ values: StatementArguments, at date: Date)
        throws(PodcastError)
    {
        let time = date.timeIntervalSince1970
        // A saved time that is still to come was written with a wrong clock, and must not hold up all others.
        let now = Date().timeIntervalSince1970
        try database.write { database in
            try database.execute(
                sql: """
                    UPDATE episode SET \(assignment), playedAt = ? WHERE id = ?
                    AND (playedAt IS NULL OR playedAt <= ? OR playedAt > ?)
                    """,
                arguments: values + [time, id, time, now]
            )
            if database.changesCount == 0 { try check(id, database) }
        }
    }

    func check(_ id: Episode.ID, _ database: Database) throws {
        let exists = try Bool.fetchOne(database, sql: "SELECT 1 FROM episode WHERE id = ?", arguments: [id])
        if exists == nil { throw noSuchEpisode(id) }
    }

    /// The episode that was played last and has not been finished; `nil` if there is none.
    public func lastPlayed() throws(PodcastError) -> Episode? {
        try database.read { database in
            let sql = """
                SELECT \(Episode.columns) FROM episode WHERE playedAt IS NOT NULL AND isPlayed = 0 AND position > 0
                ORDER BY playedAt DESC LIMIT 1
                """
            return try Row.fetchOne(database, sql: sql).map(Episode.init(row:))
        }
    }

    // MARK: The queue

    /// The place at which an episode enters the queue.
    public enum QueuePlace: Hashable, Sendable {
        /// Before all others.
        case first
        /// Behind all others.
        case last
        /// Before the episode that is at this index now; behind all if there is none.
        case index(Int)
    }

    /// The episodes of the queue, in order.
    public func queue() throws(PodcastError) -> [Episode] {
        try database.read { database in
            let sql =
                "SELECT \(Episode.columns) FROM queue JOIN episode ON episode.id = episodeID ORDER BY rank, episodeID"
            return try Row.fetchAll(database, sql: sql).map(Episode.init(row:))
        }
    }

    /// Puts episodes into the queue, in their order; those that are in it are moved.
    /// - Throws: `usage.noSuchEpisode` if one of them does not exist; then none is moved.
    public func enqueue(_ ids: [Episode.ID], at place: QueuePlace = .last) throws(PodcastError) {
        try database.write { database in
            for id in ids { try check(id, database) }
            var moved = Set<Episode.ID>()
            let ids = ids.filter { moved.insert($0).inserted }
            let rank = try Self.makeRoom(for: ids.count, at: place, database)
            let statement = try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO queue (episodeID, rank) VALUES (?, ?)"
            )
            for (index, id) in ids.enumerated() {
                try statement.execute(arguments: [id, rank.addingClamped(Int64(index))])
            }
        }
    }

    /// Returns the first of `count` ranks at a place in the queue, in time that does not grow with the queue at its ends.
    private static func makeRoom(for count: Int, at place: QueuePlace, _ database: Database) throws -> Int64 {
        let next: Int64? =
            switch place {
            case .first: try Int64.fetchOne(database, sql: "SELECT MIN(rank) FROM queue")
            case .last: nil
            case .index(let index):
                try Int64.fetchOne(
                    database,
                    sql: "SELECT rank FROM queue ORDER BY rank, episodeID LIMIT 1 OFFSET ?",
                    arguments: [max(0, index)]
                )
            }
        guard let next else {
            return (try Int64.fetchOne(database, sql: "SELECT MAX(rank) FROM queue") ?? -1).addingClamped(1)
        }
        if case .first = place { return next.subtractingClamped(Int64(count)) }
        try database.execute(sql: "UPDATE queue SET rank = rank + ?1 WHERE rank >= ?2", arguments: [count, next])
        return next
    }

    /// Takes an episode out of the queue; one that is not in it is no error.
    public func dequeue(_ id: Episode.ID) throws(PodcastError) {
        try database.write { try $0.execute(sql: "DELETE FROM queue WHERE episodeID = ?", arguments: [id]) }
    }

    /// Empties the queue.
    public func clearQueue() throws(PodcastError) {
        try database.write { try $0.execute(sql: "DELETE FROM queue") }
    }
}
