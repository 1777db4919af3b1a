import Foundation
import SyrinxPlayerUI
import SyrinxPodcastLibrary

extension PodcastsView.Show {
    /// Creates the row of a podcast.
    init(_ podcast: Podcast, isRefreshing: Bool) {
        self.init(
            id: podcast.id,
            title: podcast.title,
            author: podcast.author,
            episodeCount: podcast.episodeCount,
            unplayedCount: podcast.unplayedCount,
            isRefreshing: isRefreshing,
            failure: podcast.failure?.message
        )
    }
}

extension PodcastsView.Episode {
    /// Creates the row of an episode.
    /// - Parameters:
    ///   - show: The title of its podcast; `nil` if the list has one podcast.
    ///   - download: The state of its download.
    init(_ episode: Episode, show: String?, download: PodcastsView.Download) {
        self.init(
            id: episode.id,
            title: episode.title,
            show: show,
            published: episode.published.map { String($0.formatted(.iso8601).prefix(10)) },
            duration: episode.duration,
            position: episode.position,
            isPlayed: episode.isPlayed,
            download: download
        )
    }
}

extension PodcastsView.Download {
    /// Creates the state of a download of the library, which this process does not carry out.
    init(_ download: EpisodeDownload?) {
        self =
            switch download?.state {
            case nil: .none
            case .completed: .done
            case .failed: .failed
            default: .waiting
            }
    }
}
