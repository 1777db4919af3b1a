import Foundation
import GRDB
import SyrinxByteStream
import SyrinxPlayback

/// The database record of a podcast.
struct PodcastRecord: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "podcast"

    /// The columns that the library manages.
    struct State: Codable {
        var id: Podcast.ID?
        var feedURL: String
        var state = Podcast.State.active.rawValue
        var etag: String?
        var lastModified: String?
        /// Whether a refresh has read all pages of the feed.
        var hasAllPages = false
        var addedAt: Date
        var refreshedAt: Date?
        var categories = JSONText<[String]>(text: "[]")
        var persons = JSONText<[Episode.Person]>(text: "[]")
        var failureCode: String?
        var failureMessage: String?
        var downloadRule: JSONText<DownloadRule>?
        var settings: JSONText<ShowSettings>?
    }

    var state: State
    /// The feed's properties except its lists, which `state` stores as JSON.
    private(set) var header: FeedHeader

    /// Creates a new subscription.
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

    /// Stores the feed's properties; a feed without a title keeps the previous one.
    mutating func setHeader(_ new: FeedHeader) throws {
        let title = header.title
        header = new
        if header.title.isEmpty { header.title = title }
        if state.categories.value != new.categories { state.categories = try JSONText(new.categories) }
        if state.persons.value != new.persons { state.persons = try JSONText(new.persons) }
    }

    /// Stores or clears the failure of the last refresh.
    mutating func setFailure(_ error: PodcastError?) {
        (state.failureCode, state.failureMessage) = (error?.code.rawValue, error?.message)
    }
}

extension PodcastRecord {
    /// The columns of this table.
    enum Columns {
        static let id = Column("id")
        static let feedURL = Column("feedURL")
        static let title = Column("title")
        static let state = Column("state")
        static let refreshedAt = Column("refreshedAt")
        static let downloadRule = Column("downloadRule")
    }
}

extension Podcast {
    /// The episode counts of a podcast.
    private struct Counts: Decodable, FetchableRecord {
        let podcastID: Podcast.ID
        let episodeCount: Int
        let unplayedCount: Int

        /// Counts the episodes of one podcast, or of all podcasts if `id` is `nil`.
        static func fetchAll(of id: Podcast.ID?, _ database: Database) throws -> [Counts] {
            let condition = id == nil ? "" : "WHERE podcastID = ?"
            let sql = """
                SELECT podcastID, COUNT(*) AS episodeCount, SUM(isPlayed = 0) AS unplayedCount
                FROM episode \(condition) GROUP BY podcastID
                """
            return try fetchAll(database, sql: sql, arguments: id.map { [$0] } ?? [])
        }
    }

    /// Returns podcasts with their episode counts.
    static func all(_ request: QueryInterfaceRequest<PodcastRecord>, _ database: Database) throws -> [Podcast] {
        let records = try request.fetchAll(database)
        let counts = try Counts.fetchAll(of: records.count == 1 ? records[0].state.id : nil, database)
        let known = Dictionary(counts.map { ($0.podcastID, $0) }) { first, _ in first }
        return records.map { Podcast($0, known[$0.state.id ?? 0]) }
    }

    private init(_ record: PodcastRecord, _ counts: Counts?) {
        let (state, header) = (record.state, record.header)
        id = state.id ?? 0
        feedURL = Redaction.redact(state.feedURL)
        title = header.title
        author = header.author
        summary = header.summary
        link = header.link.map { Redaction.redact($0) }
        artworkURL = header.artworkURL.map { Redaction.redact($0) }
        language = header.language
        categories = state.categories.value ?? []
        fundingURL = header.fundingURL.map { Redaction.redact($0) }
        self.state = State(rawValue: state.state) ?? .active
        addedAt = state.addedAt
        refreshedAt = state.refreshedAt
        failure = Failure(state.failureCode, state.failureMessage)
        episodeCount = counts?.episodeCount ?? 0
        unplayedCount = counts?.unplayedCount ?? 0
    }
}

extension Podcast.Failure {
    /// Creates a failure from its two columns; `nil` if there is no code.
    init?(_ code: String?, _ message: String?) {
        guard let code else { return nil }
        self.init(code: ErrorCode(rawValue: code), message: message ?? "")
    }
}
