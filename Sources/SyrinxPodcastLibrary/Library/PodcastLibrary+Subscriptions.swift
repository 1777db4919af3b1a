import Foundation
import GRDB

/// Subscribing to feeds and refreshing them.
extension PodcastLibrary {
    /// Subscribes to a feed, fetches it, and returns the podcast; an existing podcast is returned unchanged.
    ///
    /// - Parameter url: The URL of a feed or of a web page, as for ``subscribe(toFeedOrPage:)``.
    /// - Throws: The errors of ``subscribe(toFeedOrPage:)``.
    public func subscribe(to url: String) async throws(PodcastError) -> Podcast {
        try await subscribe(toFeedOrPage: url).podcast
    }

    /// The result of adding a subscription.
    public struct Subscription: Hashable, Sendable {
        /// The subscribed podcast.
        public let podcast: Podcast
        /// Whether the URL was that of a web page, which links to the feed.
        public internal(set) var isOfPage = false
        /// The other feeds to which the page links, in order, at most 19.
        public internal(set) var otherFeeds: [FeedLink] = []
    }

    /// Subscribes to a feed, or to the first feed to which a web page links.
    ///
    /// The feed is fetched; an existing podcast is returned unchanged. A page's feeds are its `rel="alternate"` links
    /// with the type `application/rss+xml` or `application/atom+xml` in its first mebibyte. A user name and password in
    /// the URL are stored in the library, and sent only to the feed's server.
    /// - Parameter url: The URL. A missing scheme, or `feed:` and similar ones, mean `https:`.
    /// - Throws: `PodcastError` with `usage.badURL`, with `media.feedIsWebPage` for a page without feeds, with
    ///   `media.notAFeed` or similar, or a network error.
    public func subscribe(toFeedOrPage url: String) async throws(PodcastError) -> Subscription {
        guard let url = FeedURL.typed(url) else {
            throw PodcastError(.badURL, "this is not an address", name: url)
        }
        if let known = try knownPodcast(url) { return Subscription(podcast: known) }
        let refresh = try FeedRefresh(url: url, self)
        do throws(PodcastError) {
            return Subscription(podcast: try await podcast(of: refresh))
        } catch {
            guard error.code == .feedIsWebPage, let link = refresh.links.first else { throw error }
            // Links of a page to another page are not followed.
            let feed = Self.url(link.address, onOriginOf: url)
            let podcast =
                if let known = try knownPodcast(feed) { known } else {
                    try await podcast(of: FeedRefresh(url: feed, self))
                }
            return Subscription(podcast: podcast, isOfPage: true, otherFeeds: Array(refresh.links.dropFirst()))
        }
    }

    /// Waits for the feed of a new podcast.
    private func podcast(of refresh: FeedRefresh) async throws(PodcastError) -> Podcast {
        let result = try await BlockingWork.run(cancel: refresh.cancel) { () throws(PodcastError) in try refresh.run() }
        return try podcast(result.podcastID)
    }

    /// Ends a subscription, and removes the podcast, its episodes, their positions and downloads.
    /// - Throws: `usage.noSuchPodcast` if the podcast does not exist.
    public func unsubscribe(_ id: Podcast.ID) throws(PodcastError) {
        let paths = try database.read { database in
            let isOfPodcast = DownloadRecord.episode.filter(EpisodeRecord.Columns.podcastID == id)
            return try DownloadRecord.joining(required: isOfPodcast).fetchAll(database).map(\.path)
        }
        let pictures = try database.read { database in
            let sql = """
                SELECT artworkURL FROM podcast WHERE id = ?1 AND artworkURL IS NOT NULL
                UNION SELECT artworkURL FROM episode WHERE podcastID = ?1 AND artworkURL IS NOT NULL
                """
            return try String.fetchAll(database, sql: sql, arguments: [id])
        }
        try database.write { database in
            let url = try feedURL(of: id, database)
            // Remove the files first: a record without a file is detected later, but a file without a record is not.
            for path in paths { downloadFile(path)?.remove() }
            for picture in pictures { artworkPath(picture).withCString { _ = unlink($0) } }
            try PodcastRecord.deleteOne(database, key: id)
            var removed = RemovedFeedRecord(feedURL: Redaction.redact(url), removedAt: Date())
            try removed.upsert(database)
        }
    }

    /// Fetches the feed of a podcast, keeping positions and played marks.
    /// - Throws: `PodcastError`, which is also stored as the podcast's `failure`.
    @discardableResult
    public func refresh(_ id: Podcast.ID) async throws(PodcastError) -> RefreshResult {
        let refresh = try FeedRefresh(id, self)
        return try await BlockingWork.run(cancel: refresh.cancel) { () throws(PodcastError) in try refresh.run() }
    }

    /// The progress of refreshing several podcasts.
    public struct RefreshProgress: Sendable {
        /// The number of refreshed podcasts, including this one.
        public let doneCount: Int
        /// The number of podcasts to refresh.
        public let totalCount: Int
        /// The podcast that was refreshed.
        public let podcastID: Podcast.ID
        /// The result of refreshing it.
        public let result: Result<RefreshResult, PodcastError>
    }

    /// Refreshes all active podcasts, several at a time, continuing after failures.
    /// - Parameter progress: Called after each podcast, on any thread, but never concurrently.
    /// - Returns: The results in the order of completion; after cancellation, those so far.
    /// - Throws: `PodcastError` if the library cannot be read.
    @discardableResult
    public func refreshAll(
        progress: @escaping @Sendable (RefreshProgress) -> Void = { _ in }
    ) async throws(PodcastError) -> [RefreshProgress] {
        let ids = try database.read { database in
            // Podcasts that were never fetched come first, because SQLite sorts NULL first.
            typealias Columns = PodcastRecord.Columns
            return try PodcastRecord.filter(Columns.state == Podcast.State.active.rawValue).order(Columns.refreshedAt)
                .select(Columns.id, as: Int64.self).fetchAll(database)
        }
        return await refresh(ids, progress: progress)
    }

    /// Refreshes podcasts, several at a time, continuing after failures.
    ///
    /// - Parameters:
    ///   - ids: The podcasts, in the order in which they are started.
    ///   - progress: Called after each podcast, on any thread, but never concurrently.
    /// - Returns: The results in the order of completion; after cancellation, those so far.
    @discardableResult
    package func refresh(
        _ ids: [Podcast.ID],
        progress: @escaping @Sendable (RefreshProgress) -> Void = { _ in }
    ) async -> [RefreshProgress] {
        await withTaskGroup(of: Outcome.self) { group in
            var waiting = ids[...]
            func startNext() {
                guard let id = waiting.popFirst(), !Task.isCancelled else { return }
                group.addTask { await self.outcome(of: id) }
            }
            for _ in 0..<max(1, options.maximumConcurrentRefreshes) { startNext() }
            var done: [RefreshProgress] = []
            while let outcome = await group.next() {
                startNext()
                let step = RefreshProgress(
                    doneCount: done.count + 1,
                    totalCount: ids.count,
                    podcastID: outcome.id,
                    result: outcome.result
                )
                done.append(step)
                progress(step)
            }
            return done
        }
    }

    /// The result of refreshing one podcast.
    private struct Outcome: Sendable {
        let id: Podcast.ID
        let result: Result<RefreshResult, PodcastError>
    }

    /// Refreshes a podcast, and returns the outcome.
    ///
    /// This is a separate function because Swift 6.3 miscompiles a closure that returns from a `do` with typed throws.
    private func outcome(of id: Podcast.ID) async -> Outcome {
        do throws(PodcastError) {
            let result = try await refresh(id)
            return Outcome(id: id, result: .success(result))
        } catch {
            return Outcome(id: id, result: .failure(error))
        }
    }

    // MARK: Rows

    func knownPodcast(_ url: String) throws(PodcastError) -> Podcast? {
        try database.read { try Podcast.all(PodcastRecord.filter(PodcastRecord.Columns.feedURL == url), $0).first }
    }

    /// Inserts a podcast, unless it exists.
    func insert(_ url: String, title: String?, now: Double, _ database: Database) throws -> (Podcast.ID, isNew: Bool) {
        let known = PodcastRecord.filter(PodcastRecord.Columns.feedURL == url)
        if let id = try known.select(PodcastRecord.Columns.id, as: Int64.self).fetchOne(database) { return (id, false) }
        let shown = Redaction.redact(url)
        let date = Date(timeIntervalSince1970: now)
        let record = try PodcastRecord(feedURL: url, title: title ?? shown, addedAt: date).inserted(database)
        try RemovedFeedRecord.deleteOne(database, key: shown)
        return (record.state.id ?? database.lastInsertedRowID, true)
    }

    /// Stores the new URL of a feed, unless another podcast has it.
    func move(_ id: Podcast.ID, to url: String?, _ database: Database) throws {
        guard let url else { return }
        try PodcastRecord.filter(key: id).updateAll(
            database,
            onConflict: .ignore,
            PodcastRecord.Columns.feedURL.set(to: url)
        )
    }
}
