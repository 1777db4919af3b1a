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
            var order = try Int64.fetchAll(database, sql: "SELECT episodeID FROM queue ORDER BY rank, episodeID")
            let moved = Set(ids)
            let index =
                switch place {
                case .first: 0
                case .last: order.count
                case .index(let index): max(0, min(index, order.count))
                }
            let before = order[..<index].filter { !moved.contains($0) }
            let after = order[index...].filter { !moved.contains($0) }
            var inserted = Set<Int64>()
            order = before + ids.filter { inserted.insert($0).inserted } + after
            try Self.setQueue(order, database)
        }
    }

    /// Takes an episode out of the queue; one that is not in it is no error.
    public func dequeue(_ id: Episode.ID) throws(PodcastError) {
        try database.write { try $0.execute(sql: "DELETE FROM queue WHERE episodeID = ?", arguments: [id]) }
    }

    /// Empties the queue.
    public func clearQueue() throws(PodcastError) {
        try database.write { try $0.execute(sql: "DELETE FROM queue") }
    }

    private static func setQueue(_ order: [Int64], _ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO queue (episodeID, rank) VALUES (?1, ?2)
                ON CONFLICT (episodeID) DO UPDATE SET rank = ?2 WHERE rank <> ?2
                """
        )
        for (rank, id) in order.enumerated() { try statement.execute(arguments: [id, rank]) }
    }
}
