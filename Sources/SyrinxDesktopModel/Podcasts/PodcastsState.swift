/// The page of podcasts: what is listed, what runs, and what a wish leads to.
///
/// Events come in, wishes for the library and the window go out. Answers about a list that is no longer shown change nothing.
/// Changes that other windows have asked for are shown, without a message.
public struct PodcastsState: Sendable, Equatable {
    /// A list of episodes.
    public enum Scope: Sendable, Hashable {
        /// The newest that have not been listened to, of all podcasts.
        case latest
        /// The queue.
        case queue
        /// Those on the disk.
        case downloads
        /// Those of a podcast.
        case show(Int64)
        /// Those that match a text.
        case search(String)
    }

    /// The library.
    public enum Library: Sendable, Equatable {
        /// It has not been read.
        case opening
        /// It has been read.
        case ready
        /// It cannot be read.
        case failed(PageState.Failure)
    }

    /// The lists that were read.
    public struct Lists: Sendable, Equatable {
        /// All podcasts.
        public var shows: [PodcastShow]
        /// The episodes of the list.
        public var episodes: [PodcastEpisode]
        /// Whether there are more episodes than were asked for.
        public var hasMore: Bool

        /// Creates lists.
        /// - Parameters:
        ///   - shows: All podcasts.
        ///   - episodes: The episodes of the list.
        ///   - hasMore: Whether there are more episodes than were asked for.
        public init(shows: [PodcastShow] = [], episodes: [PodcastEpisode] = [], hasMore: Bool = false) {
            (self.shows, self.episodes, self.hasMore) = (shows, episodes, hasMore)
        }
    }

    /// An input of a person or of the library.
    public enum Event: Sendable, Equatable {
        /// The page appears, or the library may have changed.
        case shown
        /// The lists were read.
        case read(Lists, scope: Scope)
        /// The library cannot be read.
        case unreadable(PageState.Failure)
        /// A list is chosen.
        case chosen(Scope)
        /// A text is searched; an empty one returns to the list before.
        case searched(String)
        /// More episodes of the list are wanted.
        case more
        /// Somebody subscribes to an address.
        case subscribe(String)
        /// Subscribing has ended.
        case subscribed(address: String, show: Int64)
        /// Subscribing has failed.
        case notSubscribed(address: String, PageState.Failure)
        /// Feeds are to be fetched: one, or all.
        case refresh(Int64?)
        /// A feed was fetched.
        case refreshed(Int64, added: Int, PageState.Failure?)
        /// A download is to begin, or to go on.
        case download(Int64)
        /// More of a download is there; the share, where it is known.
        case downloaded(Int64, share: Double?)
        /// A download has ended.
        case downloadEnded(Int64, PageState.Failure?)
        /// A download is to be given up, or removed from the disk.
        case removeDownload(Int64)
        /// A download has been given up, or removed from the disk.
        case downloadRemoved(Int64)
        /// Subscriptions were added from a file.
        case imported(Int)
        /// Something else failed.
        case failed(String, PageState.Failure)
        /// The window closes.
        case closed
    }

    /// An effect on the library or the window.
    public enum Action: Sendable, Equatable {
        /// Reads the lists, with so many episodes at most.
        case read(Scope, limit: Int)
        /// Fetches a new feed.
        case subscribe(String)
        /// Fetches feeds.
        case refresh([Int64])
        /// Fetches a recording.
        case download(Int64)
        /// Ends the fetching of a recording, and removes what is there.
        case removeDownload(Int64)
        /// Shows a message.
        case toast(String)
        /// Tells the desktop that an episode of this title is on the disk.
        case announceDownload(String)
        /// Shows the state.
        case update
        /// Ends what runs for this page alone.
        case cancelAll
    }

    /// The number of episodes that are added to a list at a time.
    public static let pageSize = 60
    /// The greatest number of episodes of a list.
    public static let maximumCount = 1_200

    /// The library.
    public private(set) var library = Library.opening
    /// The podcasts.
    public private(set) var shows: [PodcastShow] = []
    /// The episodes of the list, with the progress of their downloads.
    public private(set) var episodes: [PodcastEpisode] = []
    /// Whether there are more episodes than are listed.
    public private(set) var hasMore = false
    /// The list that is shown.
    public private(set) var scope = Scope.latest
    /// Whether the list that is shown has been read.
    public private(set) var isListed = false
    /// The podcasts whose feeds are being fetched.
    public private(set) var refreshing: Set<Int64> = []
    /// The addresses that are being subscribed to.
    public private(set) var subscribing: [String] = []
    private var downloads: [Int64: Double?] = [:]
    /// The titles of downloads that this window has asked for.
    private var downloadTitles: [Int64: String] = [:]
    /// Downloads that are being removed, of which events that are still on their way do not count.
    private var removing: Set<Int64> = []
    /// Downloads that were asked for again before their removal was done.
    private var renewed: Set<Int64> = []
    private var refreshCount = 0
    private var addedCount = 0
    private var failedCount = 0
    private var limit = pageSize
    private var formerScope = Scope.latest
    private var isClosed = false

    /// Creates the state of a page that has not been shown.
    public init() {}

    /// Takes an event.
    /// - Parameter event: The input.
    /// - Returns: The effects, in order.
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
            // Another program has ended the subscription.
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

    /// The feeds that are done and all that were asked for; `nil` while nothing is fetched.
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
            // One that was asked for again meanwhile begins now.
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
