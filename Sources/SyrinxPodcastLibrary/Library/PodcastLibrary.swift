public import Foundation
import GRDB
import Synchronization

/// A database of podcasts, episodes, positions, downloads and the queue, stored in one file.
///
/// Several processes may use the file at once. Changes are on disk when a method returns, so they survive a crash. All
/// methods may be called from any thread except the render thread; those that are not `async` wait for the disk, and
/// for other processes that are writing.
/// ```swift
/// let library = try PodcastLibrary(file: url)
/// let podcast = try await library.subscribe(to: "https://example.org/feed.xml")
/// for episode in try library.episodes(of: podcast.id) { print(episode.title) }
/// ```
public final class PodcastLibrary: Sendable {
    /// The settings of a library.
    public struct Options: Sendable {
        /// The downloads folder; `nil`, the default, means `Downloads` next to the library's file.
        public var downloadsFolder: URL?
        /// The maximum number of feeds fetched at a time, at least 1 (default: 4).
        public var maximumConcurrentRefreshes = 4
        /// The maximum time for fetching a feed, in seconds (default: 300).
        public var feedTimeLimit = 300.0
        /// Options for network requests, such as time limits and headers.
        public var network = HTTPByteStream.Options()
        /// The maximum size of a downloaded recording, in bytes (default: 8 GiB).
        ///
        /// The limit applies to the data that the server sends, whatever the feed states.
        public var maximumRecordingSize: Int64 = 8 << 30
        /// The disk space that downloads leave free, in bytes (default: 256 MiB).
        public var reservedDiskSpace: Int64 = 256 << 20
        /// The number of newest episodes of a new subscription that are unplayed (default: 3); `nil` means all.
        ///
        /// Older episodes are marked as played without a date, so that a feed of 300 episodes does not fill the lists
        /// of new ones. They are not reported to a synchronization server.
        public var newEpisodeCount: Int? = 3
        /// Seconds that a write waits for other processes; 20 by default.
        public var busyTimeout = 20.0

        /// Creates the default options.
        public init() {}
    }

    let database: LibraryDatabase
    let options: Options
    let downloadsFolder: FilePath
    let artworkFolder: FilePath
    let limits: FeedLimits
    /// The cookies of each feed, shared with its episodes and pictures, and kept until the library is closed.
    private let jars = Mutex<[Podcast.ID: CookieJar]>([:])
    private static let mostJars = 500

    /// Opens a library, creating the file if it does not exist.
    /// - Throws: `PodcastError` with `file.libraryDamaged` if the file is not a library, `file.libraryTooNew` if a
    ///   newer version has written it, or `file.libraryBusy`, `file.diskFull`, `file.permissionDenied` or
    ///   `file.libraryFailed`.
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

    /// Returns all podcasts, sorted by title.
    public func podcasts() throws(PodcastError) -> [Podcast] {
        try database.read { try Self.podcasts($0) }
    }

    static func podcasts(_ database: Database) throws -> [Podcast] {
        let title = PodcastRecord.Columns.title.collating(.nocase)
        return try Podcast.all(PodcastRecord.order(title, PodcastRecord.Columns.id), database)
    }

    /// Returns a podcast.
    /// - Throws: `usage.noSuchPodcast` if the podcast does not exist.
    public func podcast(_ id: Podcast.ID) throws(PodcastError) -> Podcast {
        try database.read { try self.podcast(id, $0) }
    }

    func podcast(_ id: Podcast.ID, _ database: Database) throws -> Podcast {
        guard let podcast = try Podcast.all(PodcastRecord.filter(key: id), database).first else {
            throw noSuchPodcast(id)
        }
        return podcast
    }

    /// Returns the record of a podcast.
    func record(_ id: Podcast.ID, _ database: Database) throws -> PodcastRecord {
        guard let record = try PodcastRecord.fetchOne(database, key: id) else { throw noSuchPodcast(id) }
        return record
    }

    /// Changes the record of a podcast.
    func change(_ id: Podcast.ID, _ body: (inout PodcastRecord) throws -> Void) throws(PodcastError) {
        try database.write { database in
            var record = try record(id, database)
            try record.updateChanges(database, modify: body)
        }
    }

    func noSuchPodcast(_ id: Podcast.ID) -> PodcastError {
        PodcastError(.noSuchPodcast, "there is no podcast number \(id) in the library", name: database.path)
    }

    func noSuchEpisode(_ id: Episode.ID) -> PodcastError {
        PodcastError(.noSuchEpisode, "there is no episode number \(id) in the library", name: database.path)
    }

    // MARK: Episodes

    /// Lists the newest 500 episodes of a podcast, without their notes.
    public func episodes(of podcast: Podcast.ID) throws(PodcastError) -> [Episode] {
        var filter = EpisodeFilter()
        filter.podcastID = podcast
        return try episodes(filter)
    }

    /// Returns an episode with its notes.
    /// - Throws: `usage.noSuchEpisode` if the episode does not exist.
    public func episode(_ id: Episode.ID) throws(PodcastError) -> Episode {
        try database.read { Episode(try record(ofEpisode: id, $0)) }
    }

    /// Returns the record of an episode.
    func record(ofEpisode id: Episode.ID, _ database: Database) throws -> EpisodeRecord {
        guard let record = try EpisodeRecord.fetchOne(database, key: id) else { throw noSuchEpisode(id) }
        return record
    }

    /// Returns the URL to open for the recording of an episode; `nil` if the episode has none.
    ///
    /// The URL may contain a user name and password, so don't display it. They are those in the feed's link, or those
    /// of the feed itself if the recording has the same origin.
    /// - Throws: `usage.noSuchPodcast` if the podcast has been removed.
    public func recordingURL(of episode: Episode) throws(PodcastError) -> String? {
        try database.read { database in
            let feed = try feedURL(of: episode.podcastID, database)
            let url = EpisodeRecord.filter(key: episode.id).select(EpisodeRecord.Columns.mediaURL, as: String.self)
            return (try url.fetchOne(database) ?? episode.mediaURL).map { Self.url($0, onOriginOf: feed) }
        }
    }

    /// Returns the options for network requests of a podcast.
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

    /// Returns the URL of a podcast's feed, including its user name and password.
    func feedURL(of id: Podcast.ID, _ database: Database) throws -> String {
        let request = PodcastRecord.filter(key: id).select(PodcastRecord.Columns.feedURL, as: String.self)
        guard let url = try request.fetchOne(database) else { throw noSuchPodcast(id) }
        return url
    }

    /// Returns `url` with the user name and password of `feed`, if both have the same origin.
    static func url(_ url: String, onOriginOf feed: String) -> String {
        guard let own = URL(fromOutside: url), let feed = URL(fromOutside: feed) else { return url }
        return own.withCredentials(of: feed).absoluteString
    }

    /// Returns the chapters, transcripts, soundbites and people of an episode.
    ///
    /// The URLs of chapters and transcripts may contain the feed's user name and password, so don't display them.
    /// - Throws: `usage.noSuchEpisode` if the episode does not exist.
    public func details(of id: Episode.ID) throws(PodcastError) -> Episode.Details {
        try database.read { database in
            let episode = try record(ofEpisode: id, database).state
            let podcast = try record(episode.podcastID, database)
            let feed = podcast.state.feedURL
            var details = episode.details?.value ?? Episode.Details()
            if details.persons.isEmpty { details.persons = podcast.state.persons.value ?? [] }
            details.chaptersFile = details.chaptersFile?.onOrigin(of: feed)
            details.transcripts = details.transcripts.map { $0.onOrigin(of: feed) }
            return details
        }
    }

    /// Returns the episode with this recording; if there are several, the one added last.
    /// - Parameter mediaURL: The URL of the recording, with or without the user name and password in the feed.
    public func episode(mediaURL: String) throws(PodcastError) -> Episode? {
        try database.read { database in
            let newest = EpisodeRecord.listed.order(EpisodeRecord.Columns.id.desc)
            if let found = try newest.filter(EpisodeRecord.Columns.mediaURL == mediaURL).fetchOne(database) {
                return Episode(found)
            }
            let secret = try newest.filter(sql: "instr(mediaURL, '@') > 0").fetchCursor(database)
            return try secret.map(Episode.init).first { $0.mediaURL == mediaURL }
        }
    }
}
