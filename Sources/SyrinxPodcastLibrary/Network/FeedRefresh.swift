import Foundation
import GRDB
import Synchronization
import SyrinxByteStream
import SyrinxHTTPStream

/// The result of refreshing a podcast.
public struct RefreshResult: Sendable {
    /// The podcast.
    public let podcastID: Podcast.ID
    /// The number of new episodes.
    public internal(set) var addedCount = 0
    /// The number of episodes whose content has changed.
    public internal(set) var changedCount = 0
    /// Whether the server reported that the feed has not changed.
    public internal(set) var isUnchanged = false
    /// The new URL if the feed has moved, without user name and password.
    public internal(set) var movedURL: String?
    /// A problem with the feed, whose readable part was stored.
    public internal(set) var warning: PodcastError?
}

/// Fetches all required pages of one feed and stores them in the library, on a thread that may wait.
final class FeedRefresh: Sendable {
    private let library: PodcastLibrary
    private let requests: FeedRequests
    private let url: String
    /// The podcast; `nil` for a new subscription.
    private let known: Podcast.ID?
    /// Whether an earlier refresh has read all pages of the feed.
    private let hasAllPages: Bool
    private let found = Mutex<[FeedLink]>([])

    /// The feeds to which the document links, if ``run()`` has found a web page instead of a feed.
    var links: [FeedLink] { found.withLock { $0 } }

    /// Starts to fetch the feed of an existing podcast.
    convenience init(_ id: Podcast.ID, _ library: PodcastLibrary) throws(PodcastError) {
        let state = try library.database.read { try library.record(id, $0).state }
        var conditions: [(name: String, value: String)] = []
        // Conditional requests are used only if all pages are stored; otherwise the missing pages would never be read.
        if state.hasAllPages, let etag = state.etag { conditions.append(("If-None-Match", etag)) }
        if state.hasAllPages, let date = state.lastModified { conditions.append(("If-Modified-Since", date)) }
        try self.init(state.feedURL, known: id, conditions, hasAllPages: state.hasAllPages, library)
    }

    /// Starts to fetch the feed of a new podcast.
    convenience init(url: String, _ library: PodcastLibrary) throws(PodcastError) {
        try self.init(url, known: nil, [], hasAllPages: false, library)
    }

    private init(
        _ url: String,
        known: Podcast.ID?,
        _ headers: [(name: String, value: String)],
        hasAllPages: Bool,
        _ library: PodcastLibrary
    ) throws(PodcastError) {
        (self.library, self.url, self.known, self.hasAllPages) = (library, url, known, hasAllPages)
        requests = try FeedRequests(
            url,
            headers,
            options: known.map { library.network(for: $0) } ?? library.options.network,
            limit: library.limits.byteCount,
            timeLimit: library.options.feedTimeLimit
        )
    }

    /// Cancels the refresh.
    ///
    /// May be called from any thread.
    func cancel() { requests.cancel() }

    /// Waits for the feed, and stores it.
    /// - Throws: `PodcastError`, which is also stored as the failure of an existing podcast.
    func run() throws(PodcastError) -> RefreshResult {
        defer { requests.cancel() }
        do {
            return try fetch()
        } catch {
            let error = LibraryDatabase.failure(error, name: url)
            // A full disk is not a failure of the feed.
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

    /// Changes the record of a podcast, unless it has been removed meanwhile.
    private static func change(
        _ id: Podcast.ID,
        _ database: Database,
        _ body: (inout PodcastRecord) throws -> Void
    ) throws {
        guard var podcast = try PodcastRecord.fetchOne(database, key: id) else { return }
        try podcast.updateChanges(database, modify: body)
    }

    private func fetch() throws -> RefreshResult {
        let response = try requests.first.response()
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
        var writer: EpisodeWriter?
        let store = library.database
        /// Changes the podcast, inserting it with the first change.
        func write<Value>(_ body: (EpisodeWriter, Database) throws -> Value) throws -> Value {
            let (value, used, wasMade) = try store.write { database in
                if let writer { return (try body(writer, database), writer, isNew) }
                let (id, wasMade) =
                    try known.map { ($0, false) } ?? library.insert(moved ?? url, title: nil, now: now, database)
                let podcast = try library.record(id, database).state
                let backlog = EpisodeWriter.Backlog(of: podcast, newCount: library.options.newEpisodeCount)
                let begun = EpisodeWriter(podcastID: id, now: now, backlog: backlog)
                return (try body(begun, database), begun, wasMade)
            }
            // Set after the transaction has succeeded.
            (writer, isNew) = (used, wasMade)
            return value
        }
        do {
            let feed = try read { episodes in try write { try $0.write(episodes, $1) } }
            return try write { writer, database in
                try writer.finish(isComplete: feed.end == .complete, limits: library.limits, database)
                try save(feed, response, writer, database)
                try library.move(writer.podcastID, to: moved, database)
                var result = RefreshResult(podcastID: writer.podcastID)
                (result.addedCount, result.changedCount) = (feed.counts.added, feed.counts.changed)
                result.movedURL = moved.map { Redaction.redact($0) }
                result.warning = feed.warning
                return result
            }
        } catch {
            if let writer {
                // Ignore errors here, because the original error is reported.
                try? store.write { database in
                    try writer.end(database)
                    // Remove the podcast again if a new subscription fails.
                    guard isNew else { return }
                    try PodcastRecord.deleteOne(database, key: writer.podcastID)
                }
            }
            throw error
        }
    }

    // MARK: Pages

    /// A feed whose required pages have all been read.
    private struct Feed {
        /// The podcast's properties from the first page.
        var header = FeedHeader()
        var counts = EpisodeWriter.Counts()
        var end = FeedPages.End.complete
        /// A problem with the feed, whose readable part was stored.
        var warning: PodcastError?
    }

    /// Reads the pages of the feed, and stores their episodes with `write`.
    private func read(_ write: @escaping ([FeedEpisode]) throws -> EpisodeWriter.Counts) throws -> Feed {
        var feed = Feed()
        var pages = FeedPages(hasAll: hasAllPages, limits: library.limits)
        func page(_ exchange: HTTPExchange) throws -> (FeedPages.Page, FeedHeader) {
            let response = try exchange.response()
            var counts = EpisodeWriter.Counts()
            defer { feed.counts.append(counts) }
            var beginning: [UInt8] = []
            let outcome: FeedParser.Outcome
            do {
                outcome = try FeedParser.parse(
                    {
                        let bytes = try exchange.read()
                        if known == nil, beginning.count < FeedLink.largestPage { beginning += bytes }
                        return bytes
                    },
                    charset: response.charset,
                    base: FeedURL.base(response.url, contentLocation: response.header("content-location")),
                    limits: pages.limits
                ) { counts.append(try write($0)) }
            } catch let error as PodcastError where error.code == .feedIsWebPage && known == nil {
                try findLinks(beginning, exchange, response)
                throw error
            }
            let read = FeedPages.Page(
                urls: [exchange.name, response.url],
                next: outcome.header.nextPage,
                byteCount: outcome.byteCount,
                episodeCount: outcome.episodeCount,
                newCount: counts.seen,
                endsKnown: counts.endsKnown,
                isTruncated: outcome.isTruncated,
                isCut: outcome.isCut
            )
            return (read, outcome.header)
        }
        let (first, header) = try page(requests.first)
        feed.header = header
        var step = pages.handle(first)
        while case .fetch(let next) = step {
            do {
                step = pages.handle(try page(requests.page(next, limit: pages.limits.byteCount)).0)
            } catch let error where Self.isOfPage(error) {
                let cause = LibraryDatabase.failure(error, name: next)
                feed.warning = PodcastError(
                    cause.code,
                    "a page with older episodes cannot be read: \(cause.message)",
                    name: next,
                    underlying: cause
                )
                step = .end(FeedPages.end(after: cause.code))
            }
        }
        if case .end(let end) = step { feed.end = end }
        feed.warning = feed.warning ?? warning(feed)
        return feed
    }

    /// Finds the feeds to which a web page links.
    ///
    /// - Parameter beginning: The bytes of the page that have already been read; further bytes are read as needed.
    private func findLinks(
        _ beginning: [UInt8],
        _ exchange: HTTPExchange,
        _ response: HTTPExchange.Response
    ) throws(SyrinxError) {
        var bytes = beginning
        while bytes.count < FeedLink.largestPage, case let more = try exchange.read(), !more.isEmpty { bytes += more }
        let decoder = DocumentDecoder(charset: response.charset)
        let text = decoder.decode(bytes.prefix(FeedLink.largestPage)) + decoder.finish()
        let links = FeedLink.all(in: String(decoding: text, as: UTF8.self), at: URL(fromOutside: response.url))
        found.withLock { $0 = links }
    }

    /// Whether an error is one of the server or of its page, and not of the library.
    private static func isOfPage(_ error: any Error) -> Bool {
        switch error {
        case let error as SyrinxError: error.code != .cancelled
        case let error as PodcastError:
            FeedPages.noFeed.contains(error.code)
        default: false
        }
    }

    /// Returns the new URL of the feed, with the old credentials if the server is the same.
    private func moved(_ response: HTTPExchange.Response) -> String? {
        guard let moved = response.movedURL else { return nil }
        guard let old = URL(fromOutside: url), let new = URL(fromOutside: moved) else { return moved }
        return new.withCredentials(of: old).absoluteString
    }

    private func warning(_ feed: Feed) -> PodcastError? {
        let count = "its first \(feed.counts.seen) episodes were stored"
        switch feed.end {
        case .limit: return PodcastError(.feedTooLarge, "the feed is too large; \(count)", name: url)
        case .broken: return PodcastError(.feedTruncated, "the feed ends in the middle; \(count)", name: url)
        case .complete, .known, .missing: return nil
        }
    }

    private func save(
        _ feed: Feed,
        _ response: HTTPExchange.Response,
        _ writer: EpisodeWriter,
        _ database: Database
    ) throws {
        try Self.change(writer.podcastID, database) { podcast in
            try podcast.setHeader(feed.header)
            podcast.state.state = Podcast.State.active.rawValue
            // An incomplete feed is fetched unconditionally the next time.
            let isComplete = feed.warning == nil
            podcast.state.etag = isComplete ? response.header("etag") : nil
            podcast.state.lastModified = isComplete ? response.header("last-modified") : nil
            podcast.state.hasAllPages = feed.end.isWhole
            podcast.state.refreshedAt = Date(timeIntervalSince1970: writer.now)
            podcast.setFailure(feed.warning)
        }
    }
}
