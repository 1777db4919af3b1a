package import Foundation
import GRDB

/// Refreshing and downloading that players do by themselves.
extension PodcastLibrary {
    /// A feed that was fetched so many seconds ago is not fetched again when a player starts: another one may just have done it.
    package static let freshSeconds = 300.0

    /// Returns the podcasts that have not ended and have not been refreshed for a time, those that never were first.
    ///
    /// - Parameters:
    ///   - seconds: The time.
    ///   - now: The present. A refresh that is still to come was noted with a wrong clock, and does not count.
    package func stalePodcasts(after seconds: Double, now: Date = Date()) throws(PodcastError) -> [Podcast.ID] {
        try database.read { database in
            typealias Columns = PodcastRecord.Columns
            let isStale =
                Columns.refreshedAt == nil || Columns.refreshedAt <= now.timeIntervalSince1970 - seconds
                || Columns.refreshedAt > now.timeIntervalSince1970
            return try PodcastRecord.filter(Columns.state == Podcast.State.active.rawValue).filter(isStale)
                .order(Columns.refreshedAt).select(Columns.id, as: Int64.self).fetchAll(database)
        }
    }

    /// Returns the episodes whose download was under way when a player ended.
    ///
    /// Another process may be downloading them at present: then `fetch(_:isWanted:progress:)` throws `file.inUse`.
    package func brokenOffDownloads() throws(PodcastError) -> [Episode.ID] {
        try database.read { database in
            let isWaiting = DownloadRecord.Columns.state == EpisodeDownload.State.waiting.rawValue
            return try DownloadRecord.filter(isWaiting).order(DownloadRecord.Columns.episodeID)
                .select(DownloadRecord.Columns.episodeID, as: Int64.self).fetchAll(database)
        }
    }
}
