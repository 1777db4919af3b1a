package import SyrinxListening

/// The state of the podcasts page: its lists, running operations, and the effects of user actions.
///
/// It processes events and returns actions for the library and the window. Results for a list that is no longer
/// displayed are ignored. Changes by other windows are displayed without a message.
package struct PodcastsState: Sendable, Equatable {
    /// A list of episodes.
    package enum Scope: Sendable, Hashable {
        /// The inbox: the episodes of all podcasts, by default the unplayed ones, newest first.
        case latest
        /// The queue.
        case queue
        /// The downloaded episodes.
        case downloads
        /// The episodes of a podcast.
        case show(Int64)
        /// The results of a search.
        case search(String)
    }

    /// The state of the library.
    package enum Library: Sendable, Equatable {
        /// The library has not been read.
        case opening
        /// The library has been read.
        case ready
        /// The library cannot be read.
        case failed(PageState.Failure)
    }

    /// The lists read from the library.
    package struct Lists: Sendable, Equatable {
        /// All podcasts.
        package var shows: [PodcastShow]
        /// The episodes of the list.
        package var episodes: [PodcastEpisode]
        /// Whether there are more episodes than requested.
        package var hasMore: Bool
        /// The arrangement in which the episodes were read; `nil` for any.
        package var arrangement: EpisodeArrangement?

        /// Creates lists from their entries.
        package init(
            shows: [PodcastShow] = [],
            episodes: [PodcastEpisode] = [],
            hasMore: Bool = false,
            arrangement: EpisodeArrangement? = nil
        ) {
            (self.shows, self.episodes, self.hasMore, self.arrangement) = (shows, episodes, hasMore, arrangement)
        }
    }

    /// An event from the user or the library.
    package enum Event: Sendable, Equatable {
        /// The page was displayed, or the library may have changed.
        case shown
        /// Lists were read.
        case read(Lists, scope: Scope)
        /// The library cannot be read.
        case unreadable(PageState.Failure)
        /// The user selected a list.
        case chosen(Scope)
        /// The user searched for a text; an empty text returns to the previous list.
        case searched(String)
        /// The user changed which episodes of the list are displayed, or their order.
        case arranged(EpisodeArrangement)
        /// The user wants to see more episodes of the list.
        case more
        /// The user marks an episode as played or unplayed.
        case mark(Int64, isPlayed: Bool)
        /// The user marks all episodes of the list as played, as its arrangement selects them.
        case markAll
        /// The user marks the episodes of the list as played that were published before one.
        case markOlder(Int64)
        /// Several episodes were marked; the value is their number.
        case marked(Int, isPlayed: Bool)
        /// The user undoes the last change of marks.
        case undoMark
        /// The last change of marks was undone for a number of episodes; `nil` without a change to undo.
        case unmarked(Int?)
        /// The user subscribes to a URL.
        case subscribe(String)
        /// A subscription was added.
        case subscribed(address: String, show: Int64)
        /// A subscription could not be added.
        case notSubscribed(address: String, PageState.Failure)
        /// The user refreshes one feed, or all.
        case refresh(Int64?)
        /// A feed was refreshed, successfully or not.
        case refreshed(Int64, added: Int, PageState.Failure?)
        /// The user starts or resumes a download.
        case download(Int64)
        /// A download has progressed; the value is the fraction 0…1, if it is known.
        case downloaded(Int64, share: Double?)
        /// A download has ended, successfully or not.
        case downloadEnded(Int64, PageState.Failure?)
        /// The user cancels or removes a download.
        case removeDownload(Int64)
        /// A download was cancelled or removed.
        case downloadRemoved(Int64)
        /// Subscriptions were imported from a file; the value is their number.
        case imported(Int)
        /// Another operation failed.
        case failed(String, PageState.Failure)
        /// The window closes.
        case closed
    }

    /// An action for the library or the window.
    package enum Action: Sendable, Equatable {
        /// Read the lists, with a maximum number of episodes.
        case read(Scope, limit: Int)
        /// Add a subscription.
        case subscribe(String)
        /// Refresh feeds.
        case refresh([Int64])
        /// Start a download.
        case download(Int64)
        /// Cancel a download and remove its file.
        case removeDownload(Int64)
        /// Mark episodes.
        case mark(EpisodeMarking, isPlayed: Bool)
        /// Take back the last change of marks.
        case undoMark
        /// Display a message.
        case toast(String)
        /// Display a message that offers to take back the last change of marks.
        case undoableToast(String)
        /// Notify the user that an episode was downloaded.
        case announceDownload(String)
        /// Update the page.
        case update
        /// Cancel the operations that only this page needs.
        case cancelAll
    }

    /// The number of episodes by which a list grows.
    package static let pageSize = 60
    /// The maximum number of episodes in a list.
    package static let maximumCount = 1_200

    /// The state of the library.
    package private(set) var library = Library.opening
    /// The podcasts.
    package private(set) var shows: [PodcastShow] = []
    /// The episodes of the list, with the progress of their downloads.
    package private(set) var episodes: [PodcastEpisode] = []
    /// Whether the list has more episodes.
    package private(set) var hasMore = false
    /// The displayed list.
    package private(set) var scope = Scope.latest
    /// Whether the displayed list has been read.
    package private(set) var isListed = false
    /// The arrangements that differ from the usual ones: one for each podcast, and one for the inbox.
    var arrangements: [Scope: EpisodeArrangement] = [:]
    private var refreshes = FeedRefreshes()
    private var subscriptions = PodcastSubscriptions()
    private var downloads = EpisodeDownloads()
    private var limit = pageSize
    private var formerScope = Scope.latest
    private var isClosed = false

    /// Creates the state of a page that has not been displayed.
    package init() {}

    /// Processes an event.
    /// - Parameter event: The event.
    /// - Returns: The actions, in order.
    package mutating func handle(_ event: Event) -> [Action] {
        guard !isClosed else { return [] }
        switch event {
        case .shown: return [.read(scope, limit: limit)]
        case .read(let lists, let scope): return take(lists, scope)
        case .unreadable(let failure):
            library = .failed(failure)
            return [.update]
        case .chosen(let scope): return choose(scope)
        case .searched(let text): return search(text)
        case .more:
            guard hasMore, limit < Self.maximumCount else { return [] }
            limit += Self.pageSize
            return [.read(scope, limit: limit)]
        case .arranged(let arrangement): return arrange(arrangement)
        case .mark, .markAll, .markOlder, .marked, .undoMark, .unmarked: return EpisodeMarking.actions(event, in: self)
        case .subscribe(let text): return subscriptions.start(text)
        case .subscribed(let address, let show):
            return subscriptions.finish(address) ? choose(.show(show)) : [.read(scope, limit: limit)]
        case .notSubscribed(let address, let failure): return subscriptions.fail(address, failure)
        case .refresh(let id): return refresh(id)
        case .refreshed(let id, let added, let failure): return refreshed(id, added, failure)
        case .download, .downloaded, .downloadEnded, .removeDownload, .downloadRemoved:
            return downloads.handle(event, &episodes, reading: .read(scope, limit: limit))
        case .imported(let count):
            let text =
                count == 0
                ? "All of these podcasts are there already." : "\(PodcastText.count(count, "podcast")) added."
            return [.toast(text), .read(scope, limit: limit)]
        case .failed(let action, let failure):
            return [.toast(PodcastText.failure(failure, action)), .read(scope, limit: limit)]
        case .closed:
            isClosed = true
            return [.cancelAll]
        }
    }

    // MARK: Lists

    private mutating func take(_ lists: Lists, _ scope: Scope) -> [Action] {
        library = .ready
        shows = lists.shows
        if case .show(let id) = self.scope, !shows.contains(where: { $0.id == id }) {
            // Another process has removed the subscription.
            return [.update] + choose(.latest)
        }
        let isCurrent = lists.arrangement == nil || lists.arrangement == arrangement
        guard scope == self.scope, isCurrent else { return [.update] }
        (episodes, hasMore, isListed) = (lists.episodes, lists.hasMore, true)
        downloads.show(in: &episodes)
        return [.update]
    }

    private mutating func choose(_ scope: Scope) -> [Action] {
        guard scope != self.scope else { return [.read(scope, limit: limit), .update] }
        if case .search = scope {} else { formerScope = scope }
        self.scope = scope
        return restart()
    }

    /// Empties the list, and reads it from its start.
    mutating func restart() -> [Action] {
        (episodes, hasMore, isListed, limit) = ([], false, false, Self.pageSize)
        return [.read(scope, limit: limit), .update]
    }

    private mutating func search(_ text: String) -> [Action] {
        guard text.contains(where: { $0.isLetter || $0.isNumber }) else {
            if case .search = scope { return choose(formerScope) }
            return []
        }
        return choose(.search(text))
    }

    // MARK: Feeds

    private mutating func refresh(_ id: Int64?) -> [Action] {
        let wanted = refreshes.start(id.map { [$0] } ?? shows.map(\.id))
        return wanted.isEmpty ? [] : [.refresh(wanted), .update]
    }

    private mutating func refreshed(_ id: Int64, _ added: Int, _ failure: PageState.Failure?) -> [Action] {
        guard refreshes.finish(id, added: added, isFailed: failure != nil) else {
            return added > 0 ? [.read(scope, limit: limit)] : []
        }
        guard refreshes.running.isEmpty else { return [.update] }
        return [.toast(refreshes.summary(failure)), .read(scope, limit: limit), .update]
    }

    /// The URLs that are being subscribed to.
    package var subscribing: [String] { subscriptions.running }

    /// The podcasts that are being refreshed.
    package var refreshing: Set<Int64> { refreshes.running }

    /// The number of refreshed feeds, and of all requested ones; `nil` if no feed is being refreshed.
    package var refreshProgress: (done: Int, total: Int)? { refreshes.progress }
}
