package import SyrinxPodcastLibrary

/// The episodes of a list that a face shows, and their order.
package struct EpisodeArrangement: Hashable, Sendable {
    /// A choice of episodes.
    package enum Filter: String, CaseIterable, Sendable {
        case all
        /// Unplayed episodes, also those that have been started.
        case new
        /// Episodes that have been started and not finished.
        case started
        case downloaded

        /// The name in a menu.
        package var title: String {
            switch self {
            case .all: "All"
            case .new: "New"
            case .started: "Started"
            case .downloaded: "Downloaded"
            }
        }

        /// The next choice, which follows the last one with the first.
        package var next: Filter {
            let all = Self.allCases
            let index = all.firstIndex(of: self).map { ($0 + 1) % all.count } ?? 0
            return all[index]
        }
    }

    /// The arrangement of the inbox, the list of all podcasts, until the listener changes it: new episodes, newest first.
    package static let inbox = EpisodeArrangement(filter: .new)

    package var filter: Filter
    package var isOldestFirst: Bool

    /// Creates an arrangement; by default all episodes, newest first.
    package init(filter: Filter = .all, isOldestFirst: Bool = false) {
        (self.filter, self.isOldestFirst) = (filter, isOldestFirst)
    }

    /// The name of the order in a menu.
    package var orderTitle: String { isOldestFirst ? "Oldest First" : "Newest First" }

    /// Returns the filter of the library for a list.
    ///
    /// - Parameter podcast: The podcast whose episodes are listed; `nil` for all podcasts.
    package func libraryFilter(podcast: Podcast.ID?) -> PodcastLibrary.EpisodeFilter {
        var result = PodcastLibrary.EpisodeFilter()
        result.podcastID = podcast
        result.isUnplayedOnly = filter == .new
        result.isInProgressOnly = filter == .started
        result.isDownloadedOnly = filter == .downloaded
        result.isOldestFirst = isOldestFirst
        return result
    }
}

/// The messages about marks of episodes, in all faces.
package enum EpisodeMarkText {
    /// Returns the message about marked episodes.
    package static func marked(_ count: Int, isPlayed: Bool) -> String {
        guard count > 0 else { return "No episode was left to mark." }
        return "\(episodes(count)) marked as \(isPlayed ? "played" : "unplayed")."
    }

    /// Returns the message about an undone mark.
    ///
    /// - Parameter count: The number of episodes that have their former marks again.
    package static func undone(_ count: Int) -> String {
        guard count > 0 else { return "The episodes have changed since, so their marks stay as they are." }
        return "\(episodes(count)) marked as before."
    }

    private static func episodes(_ count: Int) -> String { count == 1 ? "1 episode" : "\(count) episodes" }
}
