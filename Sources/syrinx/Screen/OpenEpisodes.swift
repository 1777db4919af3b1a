import Foundation
import SyrinxListening
import SyrinxPodcastLibrary

/// The list of episodes that is open on the page of podcasts, and the arrangements that the listener chose.
struct OpenEpisodes {
    /// A list of episodes.
    enum List: Hashable {
        /// No list: the page shows the podcasts.
        case none
        /// The episodes of all podcasts.
        case inbox
        case show(Podcast.ID)
        case search(String)
    }

    var list = List.none
    /// The arrangements that differ from the usual ones: one for each podcast at most.
    private var arrangements: [List: EpisodeArrangement] = [:]

    /// The filter and the order of the episodes; `nil` for search results, and if no list is open.
    var arrangement: EpisodeArrangement? { usual.map { arrangements[list] ?? $0 } }

    private var usual: EpisodeArrangement? {
        switch list {
        case .none, .search: nil
        case .inbox: .inbox
        case .show: EpisodeArrangement()
        }
    }

    /// The podcast whose episodes are listed; `nil` for other lists.
    var show: Podcast.ID? { if case .show(let id) = list { id } else { nil } }

    /// Changes the arrangement of the open list, if it has one.
    mutating func arrange(_ arrangement: EpisodeArrangement) {
        guard let usual else { return }
        arrangements[list] = arrangement == usual ? nil : arrangement
    }

    /// The list that the library reads.
    var episodes: EpisodeList {
        if case .search(let text) = list { return .search(text) }
        return filter.map { .filtered($0) } ?? .none
    }

    /// Returns the listed episodes for a mark, also those beyond the end of the list; `nil` if it has no arrangement.
    ///
    /// - Parameter date: The date before which they were published; `nil` for all.
    func selection(before date: Date? = nil) -> EpisodeSelection? {
        filter.map { .filtered($0, before: date) }
    }

    private var filter: PodcastLibrary.EpisodeFilter? { arrangement?.libraryFilter(podcast: show) }
}
