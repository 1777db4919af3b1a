import Foundation
import GRDB
import SyrinxByteStream
import SyrinxPlayback

/// The row of a podcast.
struct PodcastRecord: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "podcast"
    static let episodes = hasMany(EpisodeRecord.self, using: EpisodeRecord.podcastKey)

    /// The subscription.
    struct State: Codable {
        var id: Podcast.ID?
        var feedURL: String
        var state = Podcast.State.active.rawValue
        var etag: String?
        var lastModified: String?
        var addedAt: Date
        var refreshedAt: Date?
        var failureCode: String?
        var failureMessage: String?
        var downloadRule: JSONText<DownloadRule>?
        var settings: JSONText<ShowSettings>?
    }

    var state: State
    var header: FeedHeader

    /// A new subscription, of whose feed only the title is known.
    init(feedURL: String, title: String, addedAt: Date) {
        state = State(feedURL: feedURL, addedAt: addedAt)
        header = FeedHeader()
        header.title = title
    }

    init(row: Row) throws {
        state = try RowColumns<State>(row: row).value
        header = try RowColumns<FeedHeader>(row: row).value
    }

    func encode(to container: inout PersistenceContainer) throws {
        try RowColumns(state).encode(to: &container)
        try RowColumns(header).encode(to: &container)
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { state.id = inserted.rowID }

    /// Notes a failure of the feed, or that it has none.
    mutating func setFailure(_ error: PodcastError?) {
        (state.failureCode, state.failureMessage) = (error?.code.rawValue, error?.message)
    }
}

extension PodcastRecord {
    /// The columns of this table, by the names of the properties.
    enum Columns {
        static let id = Column("id")
        static let feedURL = Column("feedURL")
        static let title = Column("title")
        static let artworkURL = Column("artworkURL")
        static let state = Column("state")
        static let refreshedAt = Column("refreshedAt")
        static let downloadRule = Column("downloadRule")
    }
}

extension Podcast {
    /// Podcasts with the numbers of their episodes.
    ///
    /// A join with the episodes twice, as counts of associations make it, would grow with the square of their number.
    static var request: QueryInterfaceRequest<PodcastRecord> {
        PodcastRecord.annotated(with: [
            SQL("(SELECT COUNT(*) FROM episode WHERE podcastID = podcast.id)").forKey("episodeCount"),
            SQL("(SELECT COUNT(*) FROM episode WHERE podcastID = podcast.id AND isPlayed = 0)").forKey("unplayedCount"),
        ])
    }

    /// Reads the podcasts of a request that is made of `request`.
    static func all(_ request: QueryInterfaceRequest<PodcastRecord>, _ database: Database) throws -> [Podcast] {
        try Row.fetchAll(database, request).map(Podcast.init(row:))
    }

    /// Reads a row of `request`.
    init(row: Row) throws {
        let record = try PodcastRecord(row: row)
        let (state, header) = (record.state, record.header)
        id = state.id ?? 0
        feedURL = Redaction.redact(state.feedURL)
        title = header.title
        author = header.author
        summary = header.summary
        link = header.link.map { Redaction.redact($0) }
        artworkURL = header.artworkURL.map { Redaction.redact($0) }
        language = header.language
        categories = header.categories
        fundingURL = header.fundingURL.map { Redaction.redact($0) }
        self.state = State(rawValue: state.state) ?? .active
        addedAt = state.addedAt
        refreshedAt = state.refreshedAt
        failure = Failure(state.failureCode, state.failureMessage)
        episodeCount = row["episodeCount"]
        unplayedCount = row["unplayedCount"]
    }
}

extension Podcast.Failure {
    /// The failure that two columns describe; `nil` if there is no code.
    init?(_ code: String?, _ message: String?) {
        guard let code else { return nil }
        self.init(code: ErrorCode(rawValue: code), message: message ?? "")
    }
}
