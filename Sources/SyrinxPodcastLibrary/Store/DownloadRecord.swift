import Foundation
import GRDB

/// The row of a download.
struct DownloadRecord: LibraryRecord {
    static let databaseTableName = "download"
    static let episode = belongsTo(EpisodeRecord.self, using: ForeignKey(["episodeID"]))

    var episodeID: Episode.ID
    var state = EpisodeDownload.State.waiting.rawValue
    /// The path of the file.
    var path: String
    /// The size of the file in bytes, once it is completed.
    var byteCount: Int64 = 0
    /// The size in bytes that the server states.
    var length: Int64?
    /// The version of the recording of which there is a part.
    var validator: String?
    var isWanted = false
    var failureCode: String?
    var failureMessage: String?
}

extension DownloadRecord {
    /// The columns of this table, by the names of the properties.
    enum Columns {
        static let episodeID = Column("episodeID")
        static let state = Column("state")
    }
}

extension EpisodeDownload {
    init(_ record: DownloadRecord) {
        id = record.episodeID
        state = State(rawValue: record.state) ?? .waiting
        file = FilePath(record.path).url
        byteCount = record.byteCount
        isWanted = record.isWanted
        failure = Podcast.Failure(record.failureCode, record.failureMessage)
    }
}

/// The place of an episode in the queue.
struct QueueRecord: LibraryRecord {
    static let databaseTableName = "queue"

    var episodeID: Episode.ID
    /// Places are in the order of their ranks, which may have holes.
    var rank: Int64
}

extension QueueRecord {
    /// The columns of this table, by the names of the properties.
    enum Columns {
        static let episodeID = Column("episodeID")
        static let rank = Column("rank")
    }
}

/// The changes that have been exchanged with a server that synchronises.
struct SyncRecord: LibraryRecord {
    static let databaseTableName = "syncState"

    var server: String
    /// Times of the server, in its own seconds.
    var subscriptionsSince: Int64 = 0
    var actionsSince: Int64 = 0
    /// The time up to which changes made here have been sent.
    var sentAt = Date(timeIntervalSince1970: 0)
}

/// A feed that was removed, for the next synchronisation.
struct RemovedFeedRecord: LibraryRecord {
    static let databaseTableName = "removedFeed"

    var feedURL: String
    var removedAt: Date

    /// The columns of this table, by the names of the properties.
    enum Columns {
        static let feedURL = Column("feedURL")
        static let removedAt = Column("removedAt")
    }
}
