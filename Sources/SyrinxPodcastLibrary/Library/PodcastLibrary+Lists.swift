import Foundation
import GRDB

/// A list of episodes.
public enum EpisodeList: Hashable, Sendable {
    /// The newest unplayed episodes of all podcasts.
    case latest
    /// The queue, in order.
    case queue
    /// The downloaded episodes, newest first.
    case downloads
    /// The episodes of a podcast, newest first.
    case podcast(Podcast.ID)
    /// The results of a search, best matches first.
    case search(String)
    /// The episodes that a filter selects, in its order; the limit of the filter is ignored.
    case filtered(PodcastLibrary.EpisodeFilter)
    /// No episodes: for a list of podcasts alone.
    case none
}

/// A snapshot of the podcasts of a library and one list of episodes.
public struct LibraryLists: Hashable, Sendable {
    /// All podcasts, sorted by title.
    public let podcasts: [Podcast]
    /// The episodes of the list, without their notes.
    public let episodes: [Episode]
    /// Whether the list has more episodes than the limit.
    public let hasMore: Bool
    /// The identifiers of the queued episodes.
    public let queue: Set<Episode.ID>
    /// The downloads, by episode.
    public let downloads: [Episode.ID: EpisodeDownload]

    /// The titles of the podcasts by identifier.
    public var titles: [Podcast.ID: String] {
        Dictionary(podcasts.map { ($0.id, $0.title) }) { first, _ in first }
    }
}

extension PodcastLibrary {
    /// Returns the podcasts and one list of episodes.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - limit: The maximum number of episodes (default: 500).
    public func lists(_ list: EpisodeList, limit: Int = 500) throws(PodcastError) -> LibraryLists {
        try database.read { try Self.lists(list, limit: limit, $0) }
    }

    /// Returns the podcasts and one list of episodes now, and again after each change by this process.
    ///
    /// Changes in quick succession are combined. Changes by other processes are included with the next change by this
    /// process. The stream ends with the first error, a `PodcastError`.
    ///
    /// ```swift
    /// for try await lists in library.changes(of: .latest) {
    ///     for episode in lists.episodes { print(episode.title) }
    /// }
    /// ```
    /// - Parameters:
    ///   - list: The list.
    ///   - limit: The maximum number of episodes (default: 500).
    public func changes(of list: EpisodeList, limit: Int = 500) -> AsyncThrowingStream<LibraryLists, any Error> {
        // Naming the tables lets GRDB read the lists concurrently, outside of the writers' transactions.
        let tables = ["podcast", "episode", "queue", "download"].map { Table($0) }
        let observation = ValueObservation.tracking(regions: tables) { try Self.lists(list, limit: limit, $0) }
            .removeDuplicates()
        return database.values(of: observation)
    }

    private static func lists(_ list: EpisodeList, limit: Int, _ database: Database) throws -> LibraryLists {
        let limit = min(max(0, limit), Int.max - 1)
        let queue = try queue(database)
        var filter = EpisodeFilter()
        // One more than the limit shows whether there are more.
        filter.limit = limit + 1
        let found: [Episode]
        switch list {
        case .none: found = []
        case .queue: found = queue
        case .search(let text): found = try search(text, limit: filter.limit, database)
        case .latest:
            filter.isUnplayedOnly = true
            found = try episodes(filter, database)
        case .downloads:
            filter.isDownloadedOnly = true
            found = try episodes(filter, database)
        case .podcast(let id):
            filter.podcastID = id
            found = try episodes(filter, database)
        case .filtered(var filter):
            filter.limit = limit + 1
            found = try episodes(filter, database)
        }
        return LibraryLists(
            podcasts: try podcasts(database),
            episodes: Array(found.prefix(limit)),
            hasMore: found.count > limit,
            queue: Set(queue.map(\.id)),
            downloads: Dictionary(try downloads(database).map { ($0.id, $0) }) { first, _ in first }
        )
    }
}
