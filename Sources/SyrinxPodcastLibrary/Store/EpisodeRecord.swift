import Foundation
import GRDB
import SyrinxByteStream

/// The database record of an episode: the feed's content and the playback state.
struct EpisodeRecord: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "episode"
    static let download = hasOne(DownloadRecord.self, using: ForeignKey(["episodeID"]))
    static let queued = hasOne(QueueRecord.self, using: ForeignKey(["episodeID"]))

    /// The columns that the library manages.
    struct State: Codable, Equatable {
        var id: Episode.ID?
        var podcastID: Podcast.ID
        var identity: String
        var details: JSONText<Episode.Details>?
        var isListed = true
        var addedAt: Date
    }

    /// The position at which playback resumes.
    struct Position: Codable {
        var position = 0.0
        var isPlayed = false
        var playedAt: Date?
    }

    var state: State
    var content: Episode.Content
    var position = Position()

    /// Creates the record of a new episode.
    init(_ state: State, _ content: Episode.Content) { (self.state, self.content) = (state, content) }

    init(row: Row) throws {
        state = try RowColumns<State>(row: row).value
        content = try RowColumns<Episode.Content>(row: row).value
        position = try RowColumns<Position>(row: row).value
    }

    func encode(to container: inout PersistenceContainer) throws {
        try RowColumns(state).encode(to: &container)
        try RowColumns(content).encode(to: &container)
        try RowColumns(position).encode(to: &container)
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { state.id = inserted.rowID }

    /// Episodes without their notes and details, which lists do not show.
    static var listed: QueryInterfaceRequest<EpisodeRecord> { select(listedColumns) }

    /// The columns of a record without notes and details.
    static var listedColumns: [any SQLSelectable] {
        [.allColumns(excluding: ["summary", "details"]), SQL("''").forKey("summary")]
    }
}

extension EpisodeRecord {
    /// The columns of this table.
    enum Columns {
        static let id = Column("id")
        static let podcastID = Column("podcastID")
        static let published = Column("published")
        static let mediaURL = Column("mediaURL")
        static let position = Column("position")
        static let isPlayed = Column("isPlayed")
        static let playedAt = Column("playedAt")
    }
}

extension Episode {
    init(_ record: EpisodeRecord) {
        id = record.state.id ?? 0
        podcastID = record.state.podcastID
        identity = Redaction.redact(record.state.identity)
        content = record.content.withoutSecrets
        isListed = record.state.isListed
        position = record.position.position
        isPlayed = record.position.isPlayed
        playedAt = record.position.playedAt
    }
}
