import SyrinxListening

/// The texts of a list of episodes.
extension PodcastsState.Scope {
    /// Returns the texts of a list that has no episodes.
    /// - Parameters:
    ///   - arrangement: The choice of the episodes, if the list has one.
    ///   - failure: The error message of the podcast's last refresh, if it failed.
    func emptyTexts(_ arrangement: EpisodeArrangement?, failure: String?) -> PageTexts {
        if let filter = arrangement?.filter, filter != .all, self != .latest || filter != .new {
            let detail = "Choose All in the menu Filter and Order to see the others."
            return PageTexts(title: "No \(filter.title) Episodes", detail: detail, button: nil)
        }
        switch self {
        case .latest:
            return PageTexts(title: "All Heard", detail: "New episodes appear here.", button: "Refresh")
        case .queue:
            let detail = "Add an episode by its menu, and it plays after the one before."
            return PageTexts(title: "Nothing Up Next", detail: detail, button: nil)
        case .downloads:
            let detail = "Downloaded episodes play without a network."
            return PageTexts(title: "No Downloads", detail: detail, button: nil)
        case .show:
            if let failure { return PageTexts(title: "Could Not Be Refreshed", detail: failure, button: "Refresh") }
            return PageTexts(title: "No Episodes", detail: "The feed has no episode yet.", button: "Refresh")
        case .search(let text):
            return PageTexts(title: "Nothing Found", detail: "No episode has “\(text)”.", button: nil)
        }
    }

    /// Returns the title of the list.
    /// - Parameters:
    ///   - arrangement: The choice of the episodes, if the list has one.
    ///   - show: The podcast of the list, if it has one.
    func title(_ arrangement: EpisodeArrangement?, of show: PodcastShow?) -> String {
        switch self {
        case .latest: "\(arrangement?.filter.title ?? "New") Episodes"
        case .queue: "Up Next"
        case .downloads: "Downloads"
        case .show: show?.title ?? ""
        case .search: "Search"
        }
    }

    /// Returns the differences of an arrangement from the usual one; empty if there are none.
    func subtitle(_ arrangement: EpisodeArrangement) -> String {
        let filter = self == .latest || arrangement.filter == .all ? nil : arrangement.filter.title
        return [filter, arrangement.isOldestFirst ? arrangement.orderTitle : nil].compactMap(\.self)
            .joined(separator: ", ")
    }
}
