extension PodcastsState {
    /// The contents of the podcasts page.
    public enum Page: Sendable, Equatable {
        /// The library is being read.
        case loading
        /// The library cannot be read.
        case failed(PageTexts)
        /// There are no subscriptions.
        case empty(PageTexts)
        /// The lists of podcasts and episodes.
        case lists
    }

    /// The contents of the episode list.
    public enum Content: Sendable, Equatable {
        /// The list is being read.
        case loading
        /// The list is empty.
        case empty(PageTexts)
        /// The episodes.
        case episodes
    }

    /// The contents of the page.
    public var page: Page {
        switch library {
        case .opening: return .loading
        case .failed(let failure):
            let detail = PodcastText.failure(failure, "It could not be read")
            return .failed(PageTexts(title: "No Library", detail: detail, button: "Try Again"))
        case .ready:
            if !shows.isEmpty { return .lists }
            if let address = subscribing.first {
                return .empty(PageTexts(title: "Subscribing", detail: address, button: nil))
            }
            let detail = "Subscribe by the address of a feed, or import a list of subscriptions."
            return .empty(PageTexts(title: "No Podcasts", detail: detail, button: "Add Podcast…"))
        }
    }

    /// The contents of the episode list.
    public var content: Content {
        guard isListed else { return .loading }
        guard episodes.isEmpty else { return .episodes }
        switch scope {
        case .latest:
            return .empty(PageTexts(title: "All Heard", detail: "New episodes appear here.", button: "Refresh"))
        case .queue:
            let detail = "Add an episode by its menu, and it plays after the one before."
            return .empty(PageTexts(title: "Nothing Up Next", detail: detail, button: nil))
        case .downloads:
            let detail = "Downloaded episodes play without a network."
            return .empty(PageTexts(title: "No Downloads", detail: detail, button: nil))
        case .show(let id):
            if let failure = shows.first(where: { $0.id == id })?.failure {
                return .empty(PageTexts(title: "Could Not Be Refreshed", detail: failure, button: "Refresh"))
            }
            return .empty(PageTexts(title: "No Episodes", detail: "The feed has no episode yet.", button: "Refresh"))
        case .search(let text):
            return .empty(PageTexts(title: "Nothing Found", detail: "No episode has “\(text)”.", button: nil))
        }
    }

    /// The podcast whose episodes are listed; `nil` for other lists.
    public var show: PodcastShow? {
        guard case .show(let id) = scope else { return nil }
        return shows.first { $0.id == id }
    }

    /// The title of the list.
    public var title: String {
        switch scope {
        case .latest: "New Episodes"
        case .queue: "Up Next"
        case .downloads: "Downloads"
        case .show: show?.title ?? ""
        case .search: "Search"
        }
    }

    /// A message about the feeds that are being refreshed; `nil` if there are none.
    public var progressText: String? {
        if let address = subscribing.first { return "Subscribing to \(address)" }
        return refreshProgress.map { "Refreshing \(min($0.done + 1, $0.total)) of \($0.total)" }
    }

    /// The fraction of refreshed feeds, 0…1; `nil` if no feed is being refreshed.
    public var progressShare: Double? {
        guard subscribing.isEmpty, let progress = refreshProgress, progress.total > 0 else { return nil }
        return Double(progress.done) / Double(progress.total)
    }
}
