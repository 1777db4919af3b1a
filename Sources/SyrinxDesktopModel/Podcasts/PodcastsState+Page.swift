import SyrinxListening

extension PodcastsState {
    /// The contents of the podcasts page.
    package enum Page: Sendable, Equatable {
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
    package enum Content: Sendable, Equatable {
        /// The list is being read.
        case loading
        /// The list is empty.
        case empty(PageTexts)
        /// The episodes.
        case episodes
    }

    /// The contents of the page.
    package var page: Page {
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
    package var content: Content {
        guard isListed else { return .loading }
        guard episodes.isEmpty else { return .episodes }
        let failure = show?.failure
        return .empty(scope.emptyTexts(arrangement, failure: failure))
    }

    /// The podcast whose episodes are listed; `nil` for other lists.
    package var show: PodcastShow? {
        guard case .show(let id) = scope else { return nil }
        return shows.first { $0.id == id }
    }

    /// The title of the list.
    package var title: String { scope.title(arrangement, of: show) }

    /// The text below the title: the differences from the usual list; empty if there are none.
    package var subtitle: String { arrangement.map(scope.subtitle) ?? "" }

    /// A message about the feeds that are being refreshed; `nil` if there are none.
    package var progressText: String? {
        if let address = subscribing.first { return "Subscribing to \(address)" }
        return refreshProgress.map { "Refreshing \(min($0.done + 1, $0.total)) of \($0.total)" }
    }

    /// The fraction of refreshed feeds, 0…1; `nil` if no feed is being refreshed.
    package var progressShare: Double? {
        guard subscribing.isEmpty, let progress = refreshProgress, progress.total > 0 else { return nil }
        return Double(progress.done) / Double(progress.total)
    }
}
