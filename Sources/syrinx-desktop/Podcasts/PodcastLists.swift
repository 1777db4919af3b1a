import Foundation
import SyrinxDesktopModel
import SyrinxListening
import SyrinxPodcastLibrary

/// The lists of the page.
extension PodcastsState.Lists {
    /// Shows lists from the library.
    /// - Parameters:
    ///   - lists: The lists.
    ///   - isOfOneShow: Whether all episodes are of one podcast, whose title is not repeated.
    init(_ lists: LibraryLists, isOfOneShow: Bool) {
        let titles = isOfOneShow ? [:] : lists.titles
        self.init(
            shows: lists.podcasts.map(Self.show),
            episodes: lists.episodes.map { episode in
                PodcastEpisode(
                    id: episode.id,
                    show: episode.podcastID,
                    title: episode.title,
                    showTitle: titles[episode.podcastID],
                    published: episode.published,
                    duration: episode.duration,
                    position: episode.position,
                    isPlayed: episode.isPlayed,
                    hasRecording: episode.mediaURL != nil,
                    isQueued: lists.queue.contains(episode.id),
                    download: Self.download(lists.downloads[episode.id])
                )
            },
            hasMore: lists.hasMore
        )
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

extension EpisodeList {
    /// The list of a page.
    init(_ scope: PodcastsState.Scope, _ arrangement: EpisodeArrangement?) {
        let arrangement = arrangement ?? EpisodeArrangement()
        switch scope {
        case .latest: self = .filtered(arrangement.libraryFilter(podcast: nil))
        case .queue: self = .queue
        case .downloads: self = .downloads
        case .show(let id): self = .filtered(arrangement.libraryFilter(podcast: id))
        case .search(let text): self = .search(text)
        }
    }
}
