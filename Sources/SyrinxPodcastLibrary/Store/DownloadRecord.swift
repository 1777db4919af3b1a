import Foundation
import GRDB

/// The database record of a download.
struct DownloadRecord: LibraryRecord {
    static let databaseTableName = "download"
    static let episode = belongsTo(EpisodeRecord.self, using: ForeignKey(["episodeID"]))

    var episodeID: Episode.ID
    var state = EpisodeDownload.State.waiting.rawValue
    /// The path of the file.
    var path: String
    /// The size of the completed file, in bytes.
    var byteCount: Int64 = 0
    /// The size that the server states, in bytes.
    var length: Int64?
    /// The version of the incomplete file.
    var validator: String?
    var isWanted = false
    var failureCode: String?
    var failureMessage: String?
}

extension DownloadRecord {
    /// The columns of this table.
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

/// The database record of a queued episode.
struct QueueRecord: LibraryRecord {
    static let databaseTableName = "queue"

    var episodeID: Episode.ID
    /// The sort key of the queue; ranks may have gaps.
    var rank: Int64
}

extension QueueRecord {
    /// The columns of this table.
    enum Columns {
        static let episodeID = Column("episodeID")
        static let rank = Column("rank")
    }
}

/// The database record of the synchronization with a server.
struct SyncRecord: LibraryRecord {
    static let databaseTableName = "syncState"

    var server: String
    /// Timestamps of the server, in its own seconds.
    var subscriptionsSince: Int64 = 0
    var actionsSince: Int64 = 0
    /// The time up to which local changes have been sent.
    var sentAt = Date(timeIntervalSince1970: 0)
}

/// A removed feed, recorded for the next synchronization.
struct RemovedFeedRecord: LibraryRecord {
    static let databaseTableName = "removedFeed"

    var feedURL: String
    var removedAt: Date

    /// The columns of this table.
    enum Columns {
        static let feedURL = Column("feedURL")
        static let removedAt = Column("removedAt")
    }
}
