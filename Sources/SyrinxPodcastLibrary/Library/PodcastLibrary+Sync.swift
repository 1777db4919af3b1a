import Foundation
import GRDB
import SyrinxByteStream

/// Synchronization of subscriptions and positions with other devices.
extension PodcastLibrary {
    /// The result of a synchronization.
    public struct SyncResult: Hashable, Sendable {
        /// The number of new subscriptions from the server; the next refresh fetches their feeds.
        public internal(set) var subscribedCount = 0
        /// The number of subscriptions that were removed because of the server.
        public internal(set) var unsubscribedCount = 0
        /// The number of positions received from the server.
        public internal(set) var receivedCount = 0
        /// The number of positions and subscriptions sent to the server.
        public internal(set) var sentCount = 0
    }

    /// Exchanges changes since the last synchronization with a server.
    ///
    /// Of two changes to the same item, the later one wins. If a synchronization fails, the next one repeats it without
    /// loss.
    /// - Throws: `PodcastError` with `http.401` if the server rejects the user name and password, `network.syncInvalid`
    ///   if its response cannot be parsed, or a network error.
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

    /// The maximum number of podcasts after receiving subscriptions, and of removed feeds that are remembered.
    private static let maximumFeeds = 20_000

    /// The synchronization record of a server, and the time of this synchronization.
    private struct SyncState {
        var known: SyncRecord
        let now = Date()
    }

    private func syncState(_ server: SyncServer) throws(PodcastError) -> SyncState {
        try database.read { database in
            SyncState(known: try SyncRecord.fetchOne(database, key: server.name) ?? SyncRecord(server: server.name))
        }
    }

    private func synchronizeSubscriptions(
        _ session: SyncSession,
        _ state: SyncState,
        _ result: inout SyncResult
    ) throws(PodcastError) {
        let answer = try session.get(
            SyncMessages.Subscriptions.self,
            .changedSubscriptions(since: state.known.subscriptionsSince)
        )
        let remote = (
            added: (answer.add ?? []).prefix(Self.maximumFeeds).compactMap(FeedURL.typed),
            removed: (answer.remove ?? []).compactMap(FeedURL.typed)
        )
        let (merge, additions, removals) = try database.write { database in
            let records = try PodcastRecord.fetchCursor(database)
            let podcasts = try Array(
                records.map { (url: Redaction.redact($0.state.feedURL), id: $0.state.id, addedAt: $0.state.addedAt) }
            )
            let ids = Dictionary(podcasts.map { ($0.url, $0.id) }) { first, _ in first }
            let present = Set(ids.keys)
            let added = podcasts.filter { $0.addedAt > state.known.sentAt }.map(\.url)
            let sentAt = state.known.sentAt.timeIntervalSince1970
            let removed = try RemovedFeedRecord.filter(RemovedFeedRecord.Columns.removedAt > sentAt)
                .select(RemovedFeedRecord.Columns.feedURL, as: String.self).fetchAll(database)
            let merge = SyncMerge(present: present, added: Set(added), removed: Set(removed), remote: remote)
            var count = 0
            // These additions are not newer than `sentAt`, so the next synchronization does not send them back.
            for url in merge.subscribed.prefix(max(0, Self.maximumFeeds - present.count))
            where try insert(url, title: nil, now: state.now.timeIntervalSince1970, database).isNew { count += 1 }
            try database.execute(
                sql: """
                    DELETE FROM removedFeed WHERE feedURL IN
                    (SELECT feedURL FROM removedFeed ORDER BY removedAt DESC LIMIT -1 OFFSET ?)
                    """,
                arguments: [Self.maximumFeeds]
            )
            return (merge, count, merge.unsubscribed.compactMap { ids[$0] ?? nil })
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
            try change(state) { $0.subscriptionsSince = timestamp }
        }
    }

    private func synchronizePositions(
        _ session: SyncSession,
        _ state: SyncState,
        _ result: inout SyncResult
    ) throws(PodcastError) {
        let answer = try session.get(SyncMessages.Actions.self, .actions(since: state.known.actionsSince))
        let remote = SyncMessages.positions(answer.actions ?? [])
        let (sent, received) = try database.write { database in
            let local = try Self.localActions(since: state.known.sentAt, database)
            let merge = SyncMerge.actions(local: local, remote: remote)
            var received = 0
            let secrets = merge.applied.isEmpty ? [:] : try Self.secretEpisodes(database)
            for action in merge.applied { received += try Self.apply(action, secrets, database) }
            return (merge.sent, received)
        }
        result.receivedCount = received
        // Send in batches, because servers limit the size of requests.
        var rest = sent[...]
        while !rest.isEmpty {
            try session.post(rest.prefix(200).map { SyncMessages.action($0, session.server) }, .sendActions)
            result.sentCount += min(200, rest.count)
            rest = rest.dropFirst(200)
        }
        // Changes made during this synchronization are sent by the next one.
        try change(state) { record in
            record.actionsSince = answer.timestamp ?? record.actionsSince
            record.sentAt = state.now
        }
    }

    /// Updates the synchronization record of the server in `state`.
    private func change(_ state: SyncState, _ body: (inout SyncRecord) -> Void) throws(PodcastError) {
        try database.write { database in
            var record = try SyncRecord.fetchOne(database, key: state.known.server) ?? state.known
            body(&record)
            try record.save(database)
        }
    }

    /// An episode with its position and the identifiers that servers use.
    private struct NamedEpisode: Decodable, FetchableRecord {
        let id: Episode.ID
        let identity: String
        let mediaURL: String?
        let feedURL: String
        let duration: Double?
        let position: Double
        let isPlayed: Bool
        let playedAt: Double?

        static func cursor(
            _ database: Database,
            where condition: String,
            _ arguments: StatementArguments = []
        ) throws -> RecordCursor<NamedEpisode> {
            let sql = """
                SELECT episode.id, identity, mediaURL, feedURL, duration, position, isPlayed, playedAt FROM episode
                JOIN podcast ON podcast.id = podcastID WHERE \(condition)
                """
            return try fetchCursor(database, sql: sql, arguments: arguments)
        }
    }

    private static func localActions(since time: Date, _ database: Database) throws -> [SyncAction] {
        let condition = "playedAt > ? AND mediaURL IS NOT NULL"
        let cursor = try NamedEpisode.cursor(database, where: condition, [time.timeIntervalSince1970])
        let actions = cursor.map { episode in
            SyncAction(
                podcast: Redaction.redact(episode.feedURL),
                episode: Redaction.redact(episode.mediaURL ?? ""),
                guid: Redaction.redact(episode.identity),
                position: episode.position,
                total: episode.duration,
                isPlayed: episode.isPlayed,
                time: episode.playedAt ?? 0
            )
        }
        return try Array(actions)
    }

    /// Returns the episodes whose URLs contain a user name or password, keyed by their redacted URLs.
    private static func secretEpisodes(_ database: Database) throws -> [[String]: Episode.ID] {
        let condition = "instr(feedURL, '@') > 0 OR instr(mediaURL, '@') > 0 OR instr(identity, '@') > 0"
        var episodes: [[String]: Episode.ID] = [:]
        let cursor = try NamedEpisode.cursor(database, where: condition)
        while let episode = try cursor.next() {
            if let media = episode.mediaURL { episodes[[Redaction.redact(media)]] = episode.id }
            episodes[[Redaction.redact(episode.feedURL), Redaction.redact(episode.identity)]] = episode.id
        }
        return episodes
    }

    /// Applies a position if it is newer, and returns the number of changed episodes.
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
