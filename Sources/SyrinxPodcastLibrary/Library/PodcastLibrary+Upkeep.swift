package import Foundation
import GRDB

/// Automatic refreshing and downloading by players.
extension PodcastLibrary {
    /// The age of a refresh in seconds below which a starting player does not refresh, because another player may just
    /// have.
    package static let freshSeconds = 300.0

    /// Returns the active podcasts whose last refresh is too old, starting with those that were never refreshed.
    ///
    /// - Parameters:
    ///   - seconds: The maximum age of a refresh, in seconds.
    ///   - now: The current time. A refresh time in the future comes from a wrong clock, and is ignored.
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

    /// Returns the episodes whose downloads were interrupted when a player ended.
    ///
    /// Another process may be downloading them; then `fetch(_:isWanted:progress:)` throws `file.inUse`.
    package func brokenOffDownloads() throws(PodcastError) -> [Episode.ID] {
        try database.read { database in
            let isWaiting = DownloadRecord.Columns.state == EpisodeDownload.State.waiting.rawValue
            return try DownloadRecord.filter(isWaiting).order(DownloadRecord.Columns.episodeID)
                .select(DownloadRecord.Columns.episodeID, as: Int64.self).fetchAll(database)
        }
    }
}
