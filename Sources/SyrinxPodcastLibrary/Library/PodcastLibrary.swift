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
/// for episode in try library.episodes(of: podcast.id) { print(episode.title) }
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
        /// The number of the newest episodes of a new subscription that count as not listened to; 3 by default, `nil` means all.
        ///
        /// The older ones count as listened to, at no time, so that a feed of 300 episodes does not fill the lists of new ones. They
        /// are not reported to a server that synchronizes.
        public var newEpisodeCount: Int? = 3
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
        try database.read { try Self.podcasts($0) }
    }

    static func podcasts(_ database: Database) throws -> [Podcast] {
        let title = PodcastRecord.Columns.title.collating(.nocase)
        return try Podcast.all(PodcastRecord.order(title, PodcastRecord.Columns.id), database)
    }

    /// Returns a podcast.
    /// - Throws: `usage.noSuchPodcast` if there is none.
    public func podcast(_ id: Podcast.ID) throws(PodcastError) -> Podcast {
        try database.read { try self.podcast(id, $0) }
    }

    func podcast(_ id: Podcast.ID, _ database: Database) throws -> Podcast {
        guard let podcast = try Podcast.all(PodcastRecord.filter(key: id), database).first else {
            throw noSuchPodcast(id)
        }
        return podcast
    }

    /// Returns the row of a podcast.
    func record(_ id: Podcast.ID, _ database: Database) throws -> PodcastRecord {
        guard let record = try PodcastRecord.fetchOne(database, key: id) else { throw noSuchPodcast(id) }
        return record
    }

    /// Changes the row of a podcast.
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
    /// - Throws: `usage.noSuchEpisode` if there is none.
    public func episode(_ id: Episode.ID) throws(PodcastError) -> Episode {
        try database.read { Episode(try record(ofEpisode: id, $0)) }
    }

    /// Returns the row of an episode.
    func record(ofEpisode id: Episode.ID, _ database: Database) throws -> EpisodeRecord {
        guard let record = try EpisodeRecord.fetchOne(database, key: id) else { throw noSuchEpisode(id) }
        return record
    }

    /// Returns the URL at which the recording of an episode is opened; `nil` for an episode without one.
    ///
    /// The URL has the user and password that the feed gives it or, on the feed's origin, those of the feed: do not show it.
    /// - Throws: `usage.noSuchPodcast` if the podcast has been removed.
    public func recordingURL(of episode: Episode) throws(PodcastError) -> String? {
        try database.read { database in
            let feed = try feedURL(of: episode.podcastID, database)
            let url = EpisodeRecord.filter(key: episode.id).select(EpisodeRecord.Columns.mediaURL, as: String.self)
            return (try url.fetchOne(database) ?? episode.mediaURL).map { Self.url($0, onOriginOf: feed) }
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
        let request = PodcastRecord.filter(key: id).select(PodcastRecord.Columns.feedURL, as: String.self)
        guard let url = try request.fetchOne(database) else { throw noSuchPodcast(id) }
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

    /// Returns the episode with this recording; the most recently added one, should there be several.
    /// - Parameter mediaURL: The URL, with the user and password that the feed gives it or without.
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
