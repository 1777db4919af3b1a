import Foundation
import GRDB

/// The result of refreshing a podcast.
public struct RefreshResult: Sendable {
    /// The podcast.
    public let podcastID: Podcast.ID
    /// The number of episodes that are new.
    public internal(set) var addedCount = 0
    /// The number of episodes that say something else than before.
    public internal(set) var changedCount = 0
    /// Whether the server says that nothing has changed.
    public internal(set) var isUnchanged = false
    /// The new address of a feed that has moved, without user and password.
    public internal(set) var movedURL: String?
    /// Something that is wrong with the feed, of which the rest has been taken.
    public internal(set) var warning: PodcastError?
}

/// Fetches one feed and brings it into the library, on a thread that may wait.
final class FeedRefresh: Sendable {
    private let library: PodcastLibrary
    private let exchange: HTTPExchange
    private let url: String
    /// The podcast; `nil` for one that is being subscribed to.
    private let known: Podcast.ID?

    /// Begins to fetch the feed of a podcast that is known.
    convenience init(_ id: Podcast.ID, _ library: PodcastLibrary) throws(PodcastError) {
        let state = try library.database.read { try library.record(id, $0).state }
        var conditions: [(name: String, value: String)] = []
        if let etag = state.etag { conditions.append(("If-None-Match", etag)) }
        if let date = state.lastModified { conditions.append(("If-Modified-Since", date)) }
        try self.init(state.feedURL, known: id, conditions, library)
    }

    /// Begins to fetch the feed of a new podcast.
    convenience init(url: String, _ library: PodcastLibrary) throws(PodcastError) {
        try self.init(url, known: nil, [], library)
    }

    private init(
        _ url: String,
        known: Podcast.ID?,
        _ headers: [(name: String, value: String)],
        _ library: PodcastLibrary
    ) throws(PodcastError) {
        self.library = library
        self.url = url
        self.known = known
        do {
            exchange = try HTTPExchange(
                url: url,
                headers: headers,
                options: known.map { library.network(for: $0) } ?? library.options.network,
                // One byte more than the parser reads: it takes the episodes of a feed that is too long, up to its limit.
                limit: Int(clamping: library.limits.byteCount.addingClamped(1)),
                timeLimit: library.options.feedTimeLimit
            )
        } catch {
            throw LibraryDatabase.failure(error, name: url)
        }
    }

    /// Ends it from any thread.
    func cancel() { exchange.cancel() }

    /// Waits for the feed, and saves it.
    /// - Throws: `PodcastError`; a podcast that is known then has it as its failure.
    func run() throws(PodcastError) -> RefreshResult {
        defer { exchange.cancel() }
        do {
            return try fetch()
        } catch {
            let error = LibraryDatabase.failure(error, name: url)
            // A disk that is full is no failure of the feed.
            if let known, error.code != .cancelled, !error.code.rawValue.hasPrefix("file.library"),
                error.code != .diskFull
            {
                try library.database.write { database in
                    try Self.change(known, database) { podcast in
                        podcast.setFailure(error)
                        if error.code == .feedGone { podcast.state.state = Podcast.State.ended.rawValue }
                    }
                }
            }
            throw error
        }
    }

    /// Changes the row of a podcast, unless it has been removed meanwhile.
    private static func change(
        _ id: Podcast.ID,
        _ database: Database,
        _ body: (inout PodcastRecord) throws -> Void
    ) throws {
        guard var podcast = try PodcastRecord.fetchOne(database, key: id) else { return }
        try podcast.updateChanges(database, modify: body)
    }

    private func fetch() throws -> RefreshResult {
        let response = try exchange.response()
        let moved = moved(response)
        let now = Date().timeIntervalSince1970
        if let known, response.status == 304 {
            return try library.database.write { database in
                try self.library.move(known, to: moved, database)
                try Self.change(known, database) { podcast in
                    podcast.state.refreshedAt = Date(timeIntervalSince1970: now)
                    podcast.setFailure(nil)
                }
                var result = RefreshResult(podcastID: known, isUnchanged: true)
                result.movedURL = moved.map { Redaction.redact($0) }
                return result
            }
        }
        var isNew = false
        var writer = known.map { EpisodeWriter(podcastID: $0, now: now) }
        var counts = EpisodeWriter.Counts()
        let store = library.database
        /// Changes the podcast, which the first change makes.
        func write<Value>(_ body: (EpisodeWriter, Database) throws -> Value) throws -> Value {
            let (value, used, wasMade) = try store.write { database in
                if let writer { return (try body(writer, database), writer, isNew) }
                let (id, wasMade) = try library.insert(moved ?? url, title: nil, now: now, database)
                let made = EpisodeWriter(podcastID: id, now: now)
                return (try body(made, database), made, wasMade)
            }
            // Only now is it there.
            (writer, isNew) = (used, wasMade)
            return value
        }
        do {
            let outcome = try FeedParser.parse(
                { try self.exchange.read() },
                charset: response.charset,
                base: URL(string: response.url),
                limits: library.limits
            ) { episodes in
                let batch = try write { try $0.write(episodes, $1) }
                counts.added += batch.added
                counts.changed += batch.changed
            }
            return try write { writer, database in
                try writer.finish(
                    isComplete: !outcome.isTruncated && !outcome.isCut,
                    limits: library.limits,
                    database
                )
                try save(outcome, response, writer, database)
                try library.move(writer.podcastID, to: moved, database)
                var result = RefreshResult(podcastID: writer.podcastID)
                (result.addedCount, result.changedCount) = (counts.added, counts.changed)
                result.movedURL = moved.map { Redaction.redact($0) }
                result.warning = warning(outcome)
                return result
            }
        } catch {
            if let writer {
                // The error that has led here is the one to report.
                try? store.write { database in
                    try writer.end(database)
                    // A subscription that fails leaves nothing behind.
                    guard isNew else { return }
                    try PodcastRecord.deleteOne(database, key: writer.podcastID)
                }
            }
            throw error
        }
    }

    /// The new address of the feed, with the credentials of the old one on the same server.
    private func moved(_ response: HTTPExchange.Response) -> String? {
        guard let moved = response.movedURL else { return nil }
        guard let old = URL(fromOutside: url), let new = URL(fromOutside: moved) else { return moved }
        return new.withCredentials(of: old).absoluteString
    }

    private func warning(_ outcome: FeedParser.Outcome) -> PodcastError? {
        if outcome.isCut {
            return PodcastError(
                .feedTooLarge,
                "the feed is larger than is read; its first \(outcome.episodeCount) episodes were taken",
                name: url
            )
        }
        guard outcome.isTruncated else { return nil }
        return PodcastError(
            .feedTruncated,
            "the feed ends in the middle; its first \(outcome.episodeCount) episodes were taken",
            name: url
        )
    }

    private func save(
        _ outcome: FeedParser.Outcome,
        _ response: HTTPExchange.Response,
        _ writer: EpisodeWriter,
        _ database: Database
    ) throws {
        let failure = warning(outcome)
        // What is not complete has to be fetched again, whatever the server says.
        let isComplete = failure == nil
        try Self.change(writer.podcastID, database) { podcast in
            try podcast.setHeader(outcome.header)
            podcast.state.state = Podcast.State.active.rawValue
            podcast.state.etag = isComplete ? response.header("etag") : nil
            podcast.state.lastModified = isComplete ? response.header("last-modified") : nil
            podcast.state.refreshedAt = Date(timeIntervalSince1970: writer.now)
            podcast.setFailure(failure)
        }
    }
}
