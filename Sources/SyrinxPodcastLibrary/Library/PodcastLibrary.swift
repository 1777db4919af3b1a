public import Foundation
import GRDB
import Synchronization

/// Podcasts, their episodes, and what a listener does with them, in one file.
///
/// Any number of processes may use the file at once: a player, another one, and a refresher. What a call has saved is on the disk when
/// it returns, whatever happens to the process then. All methods may be called from any thread but the render thread; those that are
/// not `async` wait for the disk, and for other processes that write at the moment.
///
/// ```swift
/// let library = try PodcastLibrary(file: url)
/// let podcast = try await library.subscribe(to: "https://example.org/feed.xml")
/// for episode in try library.episodes(of: podcast.id) { … }
/// ```
public final class PodcastLibrary: Sendable {
    /// The settings of a library.
    public struct Options: Sendable {
        /// The folder of downloads; `nil`, the default, means `Downloads` beside the library's file.
        public var downloadsFolder: URL?
        /// Feeds fetched at a time; 4 by default, at least 1.
        public var maximumConcurrentRefreshes = 4
        /// Seconds that fetching a feed may take; 300 by default.
        public var feedTimeLimit = 300.0
        /// Time limits, headers and what else the network is used with.
        public var network = HTTPByteStream.Options()
        /// The largest recording that is downloaded, in bytes; 8 GiB by default.
        ///
        /// What the server sends counts, not what the feed states.
        public var maximumRecordingSize: Int64 = 8 << 30
        /// The space on the disk that downloads leave free, in bytes; 256 MiB by default.
        public var reservedDiskSpace: Int64 = 256 << 20
        /// Seconds that a write waits for other processes; 20 by default.
        public var busyTimeout = 20.0

        /// The defaults.
        public init() {}
    }

    let database: LibraryDatabase
    let options: Options
    let downloadsFolder: FilePath
    let artworkFolder: FilePath
    let limits: FeedLimits
    /// The cookies of feeds, which their episodes and pictures share, for as long as the library is open.
    private let jars = Mutex<[Podcast.ID: CookieJar]>([:])
    private static let mostJars = 500

    /// Opens the library in a file, which is made if it is missing.
    /// - Throws: `PodcastError` with `file.libraryDamaged` if the file is something else, `file.libraryTooNew` if a newer version has written
    ///   it, `file.libraryBusy`, `file.diskFull`, `file.permissionDenied` or `file.libraryFailed` if it cannot be opened.
    public convenience init(file: URL, options: Options = Options()) throws(PodcastError) {
        try self.init(path: FilePath(file) ?? FilePath(file.path), options: options)
    }

    package convenience init(path: FilePath, options: Options = Options()) throws(PodcastError) {
        let database = try LibraryDatabase(path: path, busySeconds: options.busyTimeout)
        self.init(database, path: path, options: options)
    }

    init(_ database: LibraryDatabase, path: FilePath, options: Options, limits: FeedLimits = FeedLimits()) {
        self.database = database
        self.options = options
        self.limits = limits
        downloadsFolder =
            options.downloadsFolder.flatMap { FilePath($0) } ?? path.absolute.folder.appending("Downloads")
        artworkFolder = path.absolute.folder.appending("Artwork")
    }

    // MARK: Podcasts

    /// All podcasts, by title.
    public func podcasts() throws(PodcastError) -> [Podcast] {
        try database.read { database in
            try Row.fetchAll(database, sql: Podcast.selection + " ORDER BY title COLLATE NOCASE, id").map(
                Podcast.init(row:)
            )
        }
    }

    /// Returns a podcast.
    /// - Throws: `usage.noSuchPodcast` if there is none.
    public func podcast(_ id: Podcast.ID) throws(PodcastError) -> Podcast {
        try database.read { try self.podcast(id, $0) }
    }

    func podcast(_ id: Podcast.ID, _ database: Database) throws -> Podcast {
        guard let row = try Row.fetchOne(database, sql: Podcast.selection + " WHERE podcast.id = ?", arguments: [id])
        else {
            throw noSuchPodcast(id)
        }
        return Podcast(row: row)
    }

    func noSuchPodcast(_ id: Podcast.ID) -> PodcastError {
        PodcastError(.noSuchPodcast, "there is no podcast number \(id) in the library", name: database.path)
    }

    func noSuchEpisode(_ id: Episode.ID) -> PodcastError {
        PodcastError(.noSuchEpisode, "there is no episode number \(id) in the library", name: database.path)
    }

    // MARK: Episodes

    /// The episodes that a list shows.
    public struct EpisodeFilter: Hashable, Sendable {
        /// The podcast; `nil`, the default, means all.
        public var podcastID: Podcast.ID?
        /// Whether only those that have not been listened to are listed; false by default.
        public var isUnplayedOnly = false
        /// Whether only those that have been begun and not finished are listed; false by default.
        public var isInProgressOnly = false
        /// Whether only those that are downloaded are listed; false by default.
        public var isDownloadedOnly = false
        /// Whether the oldest comes first; false by default.
        public var isOldestFirst = false
        /// The largest number of episodes; 500 by default.
        public var limit = 500
        /// The number of episodes left out at the beginning; 0 by default.
        public var offset = 0

        /// Every episode, newest first.
        public init() {}
    }

    /// Lists episodes by date, without their notes.
    public func episodes(_ filter: EpisodeFilter = EpisodeFilter()) throws(PodcastError) -> [Episode] {
        var conditions = ["1"]
        var arguments = StatementArguments()
        if let id = filter.podcastID {
            conditions.append("episode.podcastID = ?")
            arguments += [id]
        }
        if filter.isUnplayedOnly { conditions.append("episode.isPlayed = 0") }
        if filter.isInProgressOnly { conditions.append("episode.isPlayed = 0 AND episode.position > 0") }
        if filter.isDownloadedOnly {
            conditions.append("episode.id IN (SELECT episodeID FROM download WHERE state = 'completed')")
        }
        let order = filter.isOldestFirst ? "ASC" : "DESC"
        let sql = """
            SELECT \(Episode.columns) FROM episode WHERE \(conditions.joined(separator: " AND "))
            ORDER BY episode.published \(order), episode.id \(filter.isOldestFirst ? "DESC" : "ASC") LIMIT ? OFFSET ?
            """
        arguments += [max(0, filter.limit), max(0, filter.offset)]
        return try database.read { try Row.fetchAll($0, sql: sql, arguments: arguments).map(Episode.init(row:)) }
    }

    /// Lists the newest 500 episodes of a podcast, without their notes.
    public func episodes(of podcast: Podcast.ID) throws(PodcastError) -> [Episode] {
        var filter = EpisodeFilter()
        filter.podcastID = podcast
        return try episodes(filter)
    }

    /// Returns an episode with its notes.
    /// - Throws: `usage.noSuchEpisode` if there is none.
    public func episode(_ id: Episode.ID) throws(PodcastError) -> Episode {
        try database.read { database in
            let sql = "SELECT \(Episode.columns), episode.summary FROM episode WHERE id = ?"
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [id]) else { throw noSuchEpisode(id) }
            return Episode(row: row)
        }
    }

    /// Returns the URL at which the recording of an episode is opened; `nil` for an episode without one.
    ///
    /// The URL has the user and password that the feed gives it or, on the feed's origin, those of the feed: do not show it.
    /// - Throws: `usage.noSuchPodcast` if the podcast has been removed.
    public func recordingURL(of episode: Episode) throws(PodcastError) -> String? {
        try database.read { database in
            let feed = try feedURL(of: episode.podcastID, database)
            let sql = "SELECT mediaURL FROM episode WHERE id = ?"
            let row = try Row.fetchOne(database, sql: sql, arguments: [episode.id])
            return (row?.value("mediaURL") ?? episode.mediaURL).map { Self.url($0, onOriginOf: feed) }
        }
    }

    /// Returns the settings for requests that belong to a podcast.
    func network(for id: Podcast.ID) -> HTTPByteStream.Options {
        var network = options.network
        network.cookies = jars.withLock { jars in
            if let jar = jars[id] { return jar }
            if jars.count >= Self.mostJars { jars.removeAll() }
            let jar = CookieJar()
            jars[id] = jar
            return jar
        }
        return network
    }

    /// Returns the URL of a podcast's feed, with its user and password.
    func feedURL(of id: Podcast.ID, _ database: Database) throws -> String {
        let sql = "SELECT feedURL FROM podcast WHERE id = ?"
        guard let url = try String.fetchOne(database, sql: sql, arguments: [id]) else { throw noSuchPodcast(id) }
        return url
    }

    /// Returns `url` with the user and password of `feed` if both have the same origin.
    static func url(_ url: String, onOriginOf feed: String) -> String {
        guard let own = URL(fromOutside: url), let feed = URL(fromOutside: feed) else { return url }
        return own.withCredentials(of: feed).absoluteString
    }

    /// Returns the chapters, transcripts, passages and people of an episode.
    ///
    /// The URLs of chapters and transcripts have the user and password of the feed if they are on its origin: do not show them.
    /// - Throws: `usage.noSuchEpisode` if there is none.
    public func details(of id: Episode.ID) throws(PodcastError) -> Episode.Details {
        try database.read { database in
            let sql = """
                SELECT details, persons, feedURL FROM episode JOIN podcast ON podcast.id = podcastID WHERE episode.id = ?
                """
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [id]) else { throw noSuchEpisode(id) }
            var details = JSONColumn.decode(Episode.Details.self, row.value("details")) ?? Episode.Details()
            if details.persons.isEmpty {
                details.persons = JSONColumn.decode([Episode.Person].self, row.value("persons")) ?? []
            }
            let feed: String = row.value("feedURL")
            details.chaptersFile = details.chaptersFile?.onOrigin(of: feed)
            details.transcripts = details.transcripts.map { $0.onOrigin(of: feed) }
            return details
        }
    }

    /// Returns the episode with this recording; the most recently added one, should there be several.
    /// - Parameter mediaURL: The URL, with the user and password that the feed gives it or without.
    public func episode(mediaURL: String) throws(PodcastError) -> Episode? {
        try database.read { database in
            let sql = "SELECT \(Episode.columns) FROM episode WHERE mediaURL = ? ORDER BY id DESC LIMIT 1"
            if let row = try Row.fetchOne(database, sql: sql, arguments: [mediaURL]) { return Episode(row: row) }
            let secret = "SELECT \(Episode.columns) FROM episode WHERE instr(mediaURL, '@') > 0 ORDER BY id DESC"
            let rows = try Row.fetchCursor(database, sql: secret)
            return try rows.first { $0.shownURL("mediaURL") == mediaURL }.map(Episode.init(row:))
        }
    }

    /// Searches titles and notes for all words of a text, of which the last may be unfinished; the best matches first.
    ///
    /// Case and accents do not count. A text without a word finds nothing.
    public func search(_ text: String, limit: Int = 100) throws(PodcastError) -> [Episode] {
        let words = text.prefix(1_000).split { !$0.isLetter && !$0.isNumber }.prefix(32)
        guard !words.isEmpty else { return [] }
        // Quoted, a word is never taken for an operator.
        let pattern =
            words.map { "\"\($0)\"" }.joined(separator: " ") + (text.last.map { $0.isWhitespace } == true ? "" : "*")
        let sql = """
            SELECT \(Episode.columns) FROM episodeSearch JOIN episode ON episode.id = episodeSearch.rowid
            WHERE episodeSearch MATCH ? ORDER BY bm25(episodeSearch, 8, 1), episode.published DESC LIMIT ?
            """
        return try database.read { database in
            try Row.fetchAll(database, sql: sql, arguments: [pattern, max(0, limit)]).map(Episode.init(row:))
        }
    }
}
