import Foundation
import SyrinxDesktopModel
import SyrinxPodcastLibrary

/// The lists of the page, read from the library.
enum LibraryLists {
    /// Reads a list of episodes, and all podcasts.
    /// - Parameters:
    ///   - scope: The list.
    ///   - limit: The episodes at most.
    static func read(
        _ library: PodcastLibrary,
        _ scope: PodcastsState.Scope,
        limit: Int
    ) throws(PodcastError) -> PodcastsState.Lists {
        let podcasts = try library.podcasts()
        let titles = Dictionary(podcasts.map { ($0.id, $0.title) }) { first, _ in first }
        let queue = try library.queue()
        let downloads = Dictionary(try library.downloads().map { ($0.id, $0) }) { first, _ in first }
        // One more than is shown tells whether there are more.
        let found = try episodes(library, scope, limit: limit + 1, queue)
        let queued = Set(queue.map(\.id))
        var isOfOneShow = false
        if case .show = scope { isOfOneShow = true }
        return PodcastsState.Lists(
            shows: podcasts.map(show),
            episodes: found.prefix(limit).map { episode in
                PodcastEpisode(
                    id: episode.id,
                    show: episode.podcastID,
                    title: episode.title,
                    showTitle: isOfOneShow ? nil : titles[episode.podcastID],
                    published: episode.published,
                    duration: episode.duration,
                    position: episode.position,
                    isPlayed: episode.isPlayed,
                    hasRecording: episode.mediaURL != nil,
                    isQueued: queued.contains(episode.id),
                    download: download(downloads[episode.id])
                )
            },
            hasMore: found.count > limit
        )
    }

    private static func episodes(
        _ library: PodcastLibrary,
        _ scope: PodcastsState.Scope,
        limit: Int,
        _ queue: [Episode]
    ) throws(PodcastError) -> [Episode] {
        var filter = PodcastLibrary.EpisodeFilter()
        filter.limit = limit
        switch scope {
        case .latest: filter.isUnplayedOnly = true
        case .queue: return Array(queue.prefix(limit))
        case .downloads: filter.isDownloadedOnly = true
        case .show(let id): filter.podcastID = id
        case .search(let text): return try library.search(text, limit: limit)
        }
        return try library.episodes(filter)
    }

    private static func show(_ podcast: Podcast) -> PodcastShow {
        PodcastShow(
            id: podcast.id,
            title: podcast.title,
            author: podcast.author,
            artwork: podcast.artworkURL,
            episodeCount: podcast.episodeCount,
            unplayedCount: podcast.unplayedCount,
            failure: podcast.failure?.message
        )
    }

    private static func download(_ download: EpisodeDownload?) -> PodcastEpisode.Download {
        switch download?.state {
        case nil: .none
        case .completed: .done
        case .failed: .failed(download?.failure?.message ?? "")
        default: .waiting
        }
    }
}
