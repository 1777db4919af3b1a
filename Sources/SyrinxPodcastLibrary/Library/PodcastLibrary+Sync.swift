import Foundation
import GRDB
import SyrinxByteStream

/// Synchronisation of subscriptions and positions with other devices.
extension PodcastLibrary {
    /// The result of a synchronisation.
    public struct SyncResult: Hashable, Sendable {
        /// Feeds that were subscribed to here; the next refresh fetches them.
        public internal(set) var subscribedCount = 0
        /// Podcasts that were ended here.
        public internal(set) var unsubscribedCount = 0
        /// Positions that were taken over.
        public internal(set) var receivedCount = 0
        /// Positions and subscriptions that were sent.
        public internal(set) var sentCount = 0
    }

    /// Exchanges the changes since the last time with a server; of two changes of the same thing the later one counts.
    ///
    /// An attempt that fails in the middle is repeated without loss by the next one.
    /// - Throws: `PodcastError` with `http.401` if the server does not accept user and password, `network.syncInvalid` if its answer is not
    ///   understood, or the failure of the network.
    @discardableResult
    public func synchronize(with server: SyncServer) async throws(PodcastError) -> SyncResult {
        let session = SyncSession(server, options.network)
        return try await BlockingWork.run(cancel: session.cancel) { () throws(PodcastError) in
            var result = SyncResult()
            let state = try self.syncState(server)
            try self.synchronizeSubscriptions(session, state, &result)
            try self.synchronizePositions(session, state, &result)
            return result
        }
    }

    /// The largest number of podcasts that a server may bring the library to, and of feeds that are remembered as removed.
    private static let maximumFeeds = 20_000

    private struct SyncState {
        var subscriptionsSince: Int64 = 0
        var actionsSince: Int64 = 0
        var sentAt: Double = 0
        let now = Date().timeIntervalSince1970
    }

    private func syncState(_ server: SyncServer) throws(PodcastError) -> SyncState {
        try database.write { database in
            try database.execute(sql: "INSERT OR IGNORE INTO syncState (server) VALUES (?)", arguments: [server.name])
            let row = try Row.fetchOne(
                database,
                sql: "SELECT * FROM syncState WHERE server = ?",
                arguments: [server.name]
            )
            var state = SyncState()
            state.subscriptionsSince = row?.value("subscriptionsSince") ?? 0
            state.actionsSince = row?.value("actionsSince") ?? 0
            state.sentAt = row?.value("sentAt") ?? 0
            return state
        }
    }

    private func synchronizeSubscriptions(
        _ session: SyncSession,
        _ state: SyncState,
        _ result: inout SyncResult
    ) throws(PodcastError) {
        let answer = try session.get(
            SyncMessages.Subscriptions.self,
            .changedSubscriptions(since: state.subscriptionsSince)
        )
        let remote = (
            added: (answer.add ?? []).prefix(Self.maximumFeeds).compactMap(FeedURL.typed),
            removed: (answer.remove ?? []).compactMap(FeedURL.typed)
        )
        let (merge, additions, removals) = try database.write { database in
            let rows = try Row.fetchAll(database, sql: "SELECT id, feedURL, addedAt FROM podcast")
            let ids = Dictionary(
                rows.map { (Redaction.redact($0.value("feedURL") as String), $0.value("id") as Int64) }
            ) { first, _ in first }
            let present = Set(ids.keys)
            let added = rows.filter { $0.value("addedAt") as Double > state.sentAt }.map {
                Redaction.redact($0.value("feedURL") as String)
            }
            let removedSQL = "SELECT feedURL FROM removedFeed WHERE removedAt > ?"
            let removed = try String.fetchAll(database, sql: removedSQL, arguments: [state.sentAt])
            let merge = SyncMerge(present: present, added: Set(added), removed: Set(removed), remote: remote)
            var count = 0
            // No addition made here, for the next time: it is not later than what is sent now.
            for url in merge.subscribed.prefix(max(0, Self.maximumFeeds - present.count))
            where try insert(url, title: nil, now: state.now, database).isNew { count += 1 }
            try database.execute(
                sql: """
                    DELETE FROM removedFeed WHERE feedURL IN
                    (SELECT feedURL FROM removedFeed ORDER BY removedAt DESC LIMIT -1 OFFSET ?)
                    """,
                arguments: [Self.maximumFeeds]
            )
            return (merge, count, merge.unsubscribed.compactMap { ids[$0] })
        }
        for id in removals {
            try unsubscribe(id)
            result.unsubscribedCount += 1
        }
        result.subscribedCount = additions
        if !merge.sentAdditions.isEmpty || !merge.sentRemovals.isEmpty {
            let body = SyncMessages.Subscriptions(add: merge.sentAdditions, remove: merge.sentRemovals)
            try session.post(body, .sendSubscriptions)
            result.sentCount += merge.sentAdditions.count + merge.sentRemovals.count
        }
        if let timestamp = answer.timestamp {
            try setSyncState("subscriptionsSince = ?", [timestamp, session.server.name])
        }
    }

    private func synchronizePositions(
        _ session: SyncSession,
        _ state: SyncState,
        _ result: inout SyncResult
    ) throws(PodcastError) {
        let answer = try session.get(SyncMessages.Actions.self, .actions(since: state.actionsSince))
        let remote = SyncMessages.positions(answer.actions ?? [])
        let (sent, received) = try database.write { database in
            let local = try Self.localActions(since: state.sentAt, database)
            let merge = SyncMerge.actions(local: local, remote: remote)
            var received = 0
            let secrets = merge.applied.isEmpty ? [:] : try Self.secretEpisodes(database)
            for action in merge.applied { received += try Self.apply(action, secrets, database) }
            return (merge.sent, received)
        }
        result.receivedCount = received
        // In parts, as servers limit the size of what they take.
        var rest = sent[...]
        while !rest.isEmpty {
            try session.post(rest.prefix(200).map { SyncMessages.action($0, session.server) }, .sendActions)
            result.sentCount += min(200, rest.count)
            rest = rest.dropFirst(200)
        }
        // Changes made meanwhile are sent the next time.
        try setSyncState(
            "actionsSince = ?, sentAt = ?",
            [answer.timestamp ?? state.actionsSince, state.now, session.server.name]
        )
    }

    private func setSyncState(_ assignments: String, _ values: StatementArguments) throws(PodcastError) {
        try database.write {
            try $0.execute(sql: "UPDATE syncState SET \(assignments) WHERE server = ?", arguments: values)
        }
    }

    private static func localActions(since time: Double, _ database: Database) throws -> [SyncAction] {
        let sql = """
            SELECT feedURL, mediaURL, identity, position, duration, isPlayed, playedAt FROM episode
            JOIN podcast ON podcast.id = podcastID WHERE playedAt > ? AND mediaURL IS NOT NULL
            """
        return try Row.fetchAll(database, sql: sql, arguments: [time]).map { row in
            SyncAction(
                podcast: row.shownURL("feedURL") ?? "",
                episode: row.shownURL("mediaURL") ?? "",
                guid: row.shownURL("identity"),
                position: row.value("position"),
                total: row.value("duration"),
                isPlayed: row.value("isPlayed"),
                time: row.value("playedAt")
            )
        }
    }

    /// The episodes with a user or a password in one of their URLs, by what the server knows of them.
    private static func secretEpisodes(_ database: Database) throws -> [[String]: Episode.ID] {
        let sql = """
            SELECT episode.id, mediaURL, identity, feedURL FROM episode JOIN podcast ON podcast.id = podcastID
            WHERE instr(feedURL, '@') > 0 OR instr(mediaURL, '@') > 0 OR instr(identity, '@') > 0
            """
        var episodes: [[String]: Episode.ID] = [:]
        let rows = try Row.fetchCursor(database, sql: sql)
        while let row = try rows.next() {
            if let media = row.shownURL("mediaURL") { episodes[[media]] = row.value("id") }
            episodes[[row.shownURL("feedURL") ?? "", row.shownURL("identity") ?? ""]] = row.value("id")
        }
        return episodes
    }

    /// Takes a position over if it is newer, and returns the number of episodes that it changed.
    private static func apply(
        _ action: SyncAction,
        _ secrets: [[String]: Episode.ID],
        _ database: Database
    ) throws -> Int {
        let values: StatementArguments = [action.isPlayed ? 0 : action.position, action.isPlayed, action.time]
        func update(_ condition: String, _ arguments: StatementArguments) throws -> Int {
            let sql = """
                UPDATE episode SET position = ?1, isPlayed = ?2, playedAt = ?3
                WHERE (\(condition)) AND (playedAt IS NULL OR playedAt < ?3)
                """
            try database.execute(sql: sql, arguments: values + arguments)
            return database.changesCount
        }
        let count = try update(
            "mediaURL = ?4 OR (identity = ?5 AND podcastID IN (SELECT id FROM podcast WHERE feedURL = ?6))",
            [action.episode, action.guid, action.podcast]
        )
        guard count == 0, let id = secrets[[action.episode]] ?? secrets[[action.podcast, action.guid ?? ""]] else {
            return count
        }
        return try update("id = ?4", [id])
    }
}
