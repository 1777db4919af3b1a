package import SyrinxListening

/// An item of the queue.
package struct QueueEntry: Equatable, Sendable {
    package var title: String
    /// The artist, the podcast or the folder.
    package var detail: String?
    /// The duration in seconds; `nil` if it is unknown.
    package var duration: Double?
    /// The error message if the item failed to play.
    package var failure: String?
    /// Further text that the filter searches, such as the file name.
    package var searched: String?

    package init(
        title: String,
        detail: String? = nil,
        duration: Double? = nil,
        failure: String? = nil,
        searched: String? = nil
    ) {
        self.title = title
        self.searched = searched
        self.detail = detail
        self.duration = duration
        self.failure = failure
    }
}

/// A chapter of the current item.
package struct ChapterEntry: Equatable, Sendable {
    package var title: String?
    /// The start, in seconds.
    package var start: Double

    package init(title: String?, start: Double) {
        self.title = title
        self.start = start
    }
}

/// A bookmark.
package struct BookmarkEntry: Equatable, Sendable {
    /// The persistent identifier of the bookmark.
    package var id: Int64
    package var title: String
    /// The title of the item, if bookmarks of several items are listed.
    package var item: String?
    /// The position, in seconds.
    package var time: Double

    package init(id: Int64, title: String, item: String? = nil, time: Double) {
        self.id = id
        self.title = title
        self.item = item
        self.time = time
    }
}

/// The outputs of the system.
package struct OutputsView: Equatable, Sendable {
    /// The outputs, in display order.
    package var entries: [OutputEntry]
    /// The name of the output that plays.
    package var current: String?
    /// Whether the outputs are still being read.
    package var isReading: Bool

    package init(entries: [OutputEntry] = [], current: String? = nil, isReading: Bool = false) {
        (self.entries, self.current, self.isReading) = (entries, current, isReading)
    }
}

/// The contents of a folder in the file browser.
package struct FolderView: Equatable, Sendable {
    /// A file or subfolder.
    package struct Entry: Equatable, Sendable {
        package var name: String
        package var isFolder: Bool
        /// Details for display, such as the size or the duration.
        package var detail: String?

        package init(name: String, isFolder: Bool, detail: String? = nil) {
            self.name = name
            self.isFolder = isFolder
            self.detail = detail
        }
    }

    package var path: String
    /// The entries, in display order.
    package var entries: [Entry]
    /// The error message if the folder cannot be read.
    package var failure: String?
    /// Whether the folder is still being read.
    package var isReading: Bool
    /// The index of the subfolder from which the user has come.
    package var origin: Int?

    package init(path: String = "", entries: [Entry] = [], failure: String? = nil, isReading: Bool = false) {
        self.path = path
        self.entries = entries
        self.failure = failure
        self.isReading = isReading
    }
}

/// The subscribed podcasts, and the episodes of one of them or of a search.
package struct PodcastsView: Equatable, Sendable {
    /// A podcast.
    package struct Show: Equatable, Sendable {
        package var id: Int64
        package var title: String
        package var author: String?
        package var episodeCount: Int
        package var unplayedCount: Int
        package var isRefreshing: Bool
        /// The error message of the last refresh, if it failed.
        package var failure: String?

        package init(
            id: Int64,
            title: String,
            author: String? = nil,
            episodeCount: Int = 0,
            unplayedCount: Int = 0,
            isRefreshing: Bool = false,
            failure: String? = nil
        ) {
            self.id = id
            self.title = title
            self.author = author
            self.episodeCount = episodeCount
            self.unplayedCount = unplayedCount
            self.isRefreshing = isRefreshing
            self.failure = failure
        }
    }

    /// The state of an episode's download.
    package enum Download: Equatable, Sendable {
        case none, waiting, done, failed
        /// The fraction that has been downloaded, 0…1; `nil` if the size is unknown.
        case running(Double?)
    }

    /// An episode.
    package struct Episode: Equatable, Sendable {
        package var id: Int64
        package var title: String
        /// The title of the podcast, if episodes of several podcasts are listed.
        package var show: String?
        /// The publication date for display, such as `2026-11-25`.
        package var published: String?
        /// The duration, in seconds.
        package var duration: Double?
        /// The playback position, in seconds.
        package var position: Double
        package var isPlayed: Bool
        package var download: Download

        package init(
            id: Int64,
            title: String,
            show: String? = nil,
            published: String? = nil,
            duration: Double? = nil,
            position: Double = 0,
            isPlayed: Bool = false,
            download: Download = .none
        ) {
            self.id = id
            self.title = title
            self.show = show
            self.published = published
            self.duration = duration
            self.position = position
            self.isPlayed = isPlayed
            self.download = download
        }
    }

    package var shows: [Show]
    /// The podcast whose episodes are listed; `nil` for the inbox and for search results.
    package var openShow: Int64?
    /// The choice and the order of the listed episodes; `nil` for search results.
    package var arrangement: EpisodeArrangement?
    package var episodes: [Episode]
    /// Whether the library is available; otherwise the page displays a message.
    package var isAvailable: Bool

    package init(
        shows: [Show] = [],
        openShow: Int64? = nil,
        arrangement: EpisodeArrangement? = nil,
        episodes: [Episode] = [],
        isAvailable: Bool = true
    ) {
        self.shows = shows
        self.openShow = openShow
        self.arrangement = arrangement
        self.episodes = episodes
        self.isAvailable = isAvailable
    }
}
