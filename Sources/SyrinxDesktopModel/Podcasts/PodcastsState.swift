/// The state of the podcasts page: its lists, running operations, and the effects of user actions.
///
/// It processes events and returns actions for the library and the window. Results for a list that is no longer
/// displayed are ignored. Changes by other windows are displayed without a message.
public struct PodcastsState: Sendable, Equatable {
    /// A list of episodes.
    public enum Scope: Sendable, Hashable {
        /// The newest unplayed episodes of all podcasts.
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
    public enum Library: Sendable, Equatable {
        /// The library has not been read.
        case opening
        /// The library has been read.
        case ready
        /// The library cannot be read.
        case failed(PageState.Failure)
    }

    /// The lists read from the library.
    public struct Lists: Sendable, Equatable {
        /// All podcasts.
        public var shows: [PodcastShow]
        /// The episodes of the list.
        public var episodes: [PodcastEpisode]
        /// Whether there are more episodes than requested.
        public var hasMore: Bool

        /// Creates lists from their entries.
        public init(shows: [PodcastShow] = [], episodes: [PodcastEpisode] = [], hasMore: Bool = false) {
            (self.shows, self.episodes, self.hasMore) = (shows, episodes, hasMore)
        }
    }

    /// An event from the user or the library.
    public enum Event: Sendable, Equatable {
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
        /// The user wants to see more episodes of the list.
        case more
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
    public enum Action: Sendable, Equatable {
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
        /// Display a message.
        case toast(String)
        /// Notify the user that an episode was downloaded.
        case announceDownload(String)
        /// Update the page.
        case update
        /// Cancel the operations that only this page needs.
        case cancelAll
    }

    /// The number of episodes by which a list grows.
    public static let pageSize = 60
    /// The maximum number of episodes in a list.
    public static let maximumCount = 1_200

    /// The state of the library.
    public private(set) var library = Library.opening
    /// The podcasts.
    public private(set) var shows: [PodcastShow] = []
    /// The episodes of the list, with the progress of their downloads.
    public private(set) var episodes: [PodcastEpisode] = []
    /// Whether the list has more episodes.
    public private(set) var hasMore = false
    /// The displayed list.
    public private(set) var scope = Scope.latest
    /// Whether the displayed list has been read.
    public private(set) var isListed = false
    /// The podcasts that are being refreshed.
    public private(set) var refreshing: Set<Int64> = []
    /// The URLs that are being subscribed to.
    public private(set) var subscribing: [String] = []
    private var downloads: [Int64: Double?] = [:]
    /// The titles of downloads that were started in this window.
    private var downloadTitles: [Int64: String] = [:]
    /// The downloads that are being removed, whose pending events are ignored.
    private var removing: Set<Int64> = []
    /// The downloads that were restarted before their removal was complete.
    private var renewed: Set<Int64> = []
    private var refreshCount = 0
    private var addedCount = 0
    private var failedCount = 0
    private var limit = pageSize
    private var formerScope = Scope.latest
    private var isClosed = false

    /// Creates the state of a page that has not been displayed.
    public init() {}

    /// Processes an event.
    /// - Parameter event: The event.
    /// - Returns: The actions, in order.
    public mutating func handle(_ event: Event) -> [Action] {
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
        case .subscribe, .subscribed, .notSubscribed: return handleSubscription(event)
        case .refresh(let id): return refresh(id)
        case .refreshed(let id, let added, let failure): return refreshed(id, added, failure)
        case .download, .downloaded, .downloadEnded, .removeDownload, .downloadRemoved: return handleDownload(event)
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
        guard scope == self.scope else { return [.update] }
        (episodes, hasMore, isListed) = (lists.episodes, lists.hasMore, true)
        for index in episodes.indices {
            if let share = downloads[episodes[index].id] { episodes[index].download = .running(share) }
        }
        return [.update]
    }

    private mutating func choose(_ scope: Scope) -> [Action] {
        if scope != self.scope {
            if case .search = scope {} else { formerScope = scope }
            (self.scope, episodes, hasMore, isListed) = (scope, [], false, false)
            limit = Self.pageSize
        }
        return [.read(scope, limit: limit), .update]
    }

    private mutating func search(_ text: String) -> [Action] {
        guard text.contains(where: { $0.isLetter || $0.isNumber }) else {
            if case .search = scope { return choose(formerScope) }
            return []
        }
        return choose(.search(text))
    }

    // MARK: Subscriptions

    private mutating func handleSubscription(_ event: Event) -> [Action] {
        switch event {
        case .subscribe(let text):
            let address = text.filter { !$0.isWhitespace }
            guard !address.isEmpty, !subscribing.contains(address) else { return [] }
            subscribing.append(address)
            return [.subscribe(address), .update]
        case .subscribed(let address, let show):
            guard subscribing.contains(address) else { return [.read(scope, limit: limit)] }
            subscribing.removeAll { $0 == address }
            return choose(.show(show))
        case .notSubscribed(let address, let failure):
            guard subscribing.contains(address) else { return [] }
            subscribing.removeAll { $0 == address }
            return [.toast(PodcastText.failure(failure, "The podcast could not be added")), .update]
        default: return []
        }
    }

    private mutating func refresh(_ id: Int64?) -> [Action] {
        let wanted = (id.map { [$0] } ?? shows.map(\.id)).filter { !refreshing.contains($0) }
        guard !wanted.isEmpty else { return [] }
        if refreshing.isEmpty { (refreshCount, addedCount, failedCount) = (0, 0, 0) }
        refreshCount += wanted.count
        refreshing.formUnion(wanted)
        return [.refresh(wanted), .update]
    }

    private mutating func refreshed(_ id: Int64, _ added: Int, _ failure: PageState.Failure?) -> [Action] {
        guard refreshing.remove(id) != nil else { return added > 0 ? [.read(scope, limit: limit)] : [] }
        addedCount += max(added, 0)
        if failure != nil { failedCount += 1 }
        guard refreshing.isEmpty else { return [.update] }
        return [.toast(refreshSummary(failure)), .read(scope, limit: limit), .update]
    }

    private func refreshSummary(_ failure: PageState.Failure?) -> String {
        if let failure, refreshCount == 1 { return PodcastText.failure(failure, "The podcast could not be refreshed") }
        let news = addedCount == 0 ? "No new episodes." : "\(PodcastText.count(addedCount, "new episode"))."
        return failedCount == 0 ? news : "\(news) \(PodcastText.count(failedCount, "podcast")) could not be refreshed."
    }

    /// The number of refreshed feeds, and of all requested ones; `nil` if no feed is being refreshed.
    public var refreshProgress: (done: Int, total: Int)? {
        refreshing.isEmpty ? nil : (refreshCount - refreshing.count, refreshCount)
    }

    // MARK: Downloads

    private mutating func handleDownload(_ event: Event) -> [Action] {
        switch event {
        case .download(let id):
            guard downloads[id] == nil else { return [] }
            if removing.remove(id) != nil { renewed.insert(id) }
            downloads[id] = .some(nil)
            downloadTitles[id] = episodes.first { $0.id == id }?.title ?? ""
            setDownload(.running(nil), of: id)
            return [.download(id), .update]
        case .downloaded(let id, let share):
            guard !removing.contains(id) else { return [] }
            let share = share.flatMap { $0.isFinite ? $0.clamped(to: 0...1) : nil }
            downloads[id] = .some(share)
            setDownload(.running(share), of: id)
            return [.update]
        case .downloadEnded(let id, let failure):
            guard !removing.contains(id) else { return [] }
            downloads[id] = nil
            setDownload(failure.map { .failed($0.message) } ?? .done, of: id)
            guard let title = downloadTitles.removeValue(forKey: id) else {
                return [.update, .read(scope, limit: limit)]
            }
            let toast = failure.map { PodcastText.failure($0, "The episode could not be downloaded") }
            return [toast.map { .toast($0) } ?? .announceDownload(title)] + [.update, .read(scope, limit: limit)]
        case .removeDownload(let id):
            (downloads[id], downloadTitles[id]) = (nil, nil)
            removing.insert(id)
            renewed.remove(id)
            setDownload(.none, of: id)
            return [.removeDownload(id), .update]
        case .downloadRemoved(let id):
            // A download that was restarted meanwhile starts now.
            if renewed.remove(id) == nil { (downloads[id], downloadTitles[id]) = (nil, nil) }
            removing.remove(id)
            return [.read(scope, limit: limit)]
        default: return []
        }
    }

    private mutating func setDownload(_ download: PodcastEpisode.Download, of id: Int64) {
        guard let index = episodes.firstIndex(where: { $0.id == id }) else { return }
        episodes[index].download = download
    }
}
