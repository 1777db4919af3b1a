/// An item of the queue.
package struct QueueEntry: Equatable, Sendable {
    package var title: String
    /// The artist, the podcast or the folder.
    package var detail: String?
    /// In seconds, if it is known.
    package var duration: Double?
    /// The sentence about why it cannot be played, if it failed.
    package var failure: String?
    /// Further texts that a filter looks through, such as the name of the file.
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

/// A chapter of the item that plays.
package struct ChapterEntry: Equatable, Sendable {
    package var title: String?
    /// In seconds.
    package var start: Double

    package init(title: String?, start: Double) {
        self.title = title
        self.start = start
    }
}

/// A bookmark.
package struct BookmarkEntry: Equatable, Sendable {
    /// A number that stays with the bookmark.
    package var id: Int64
    package var title: String
    /// The item, if bookmarks of several are listed.
    package var item: String?
    /// In seconds.
    package var time: Double

    package init(id: Int64, title: String, item: String? = nil, time: Double) {
        self.id = id
        self.title = title
        self.item = item
        self.time = time
    }
}

/// A folder as the file browser lists it.
package struct FolderView: Equatable, Sendable {
    /// A file or a folder in it.
    package struct Entry: Equatable, Sendable {
        package var name: String
        package var isFolder: Bool
        /// The size, the duration or the like, for people.
        package var detail: String?

        package init(name: String, isFolder: Bool, detail: String? = nil) {
            self.name = name
            self.isFolder = isFolder
            self.detail = detail
        }
    }

    package var path: String
    /// In the order in which they are shown.
    package var entries: [Entry]
    /// The sentence about why it cannot be read, if so.
    package var failure: String?
    /// Whether it is still being read.
    package var isReading: Bool
    /// The place of the folder that was left for this one.
    package var origin: Int?

    package init(path: String = "", entries: [Entry] = [], failure: String? = nil, isReading: Bool = false) {
        self.path = path
        self.entries = entries
        self.failure = failure
        self.isReading = isReading
    }
}

/// The podcasts of the library, and the episodes of one of them or of a search.
package struct PodcastsView: Equatable, Sendable {
    /// A podcast.
    package struct Show: Equatable, Sendable {
        package var id: Int64
        package var title: String
        package var author: String?
        package var episodeCount: Int
        package var unplayedCount: Int
        package var isRefreshing: Bool
        /// The sentence about the last refresh, if it failed.
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

    /// The file of an episode on this machine.
    package enum Download: Equatable, Sendable {
        case none, waiting, done, failed
        /// The fraction that has arrived, 0…1; `nil` if the size is not known.
        case running(Double?)
    }

    /// An episode.
    package struct Episode: Equatable, Sendable {
        package var id: Int64
        package var title: String
        /// The podcast, where episodes of several are listed.
        package var show: String?
        /// The day of its publication for people, such as `2026-11-25`.
        package var published: String?
        /// In seconds.
        package var duration: Double?
        /// The position that was reached, in seconds.
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
    /// The podcast whose episodes are listed; `nil` if they are those that a search found.
    package var openShow: Int64?
    package var episodes: [Episode]
    /// Whether the library is there; without it the page says so.
    package var isAvailable: Bool

    package init(shows: [Show] = [], openShow: Int64? = nil, episodes: [Episode] = [], isAvailable: Bool = true) {
        self.shows = shows
        self.openShow = openShow
        self.episodes = episodes
        self.isAvailable = isAvailable
    }
}
