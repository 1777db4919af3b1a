import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening

/// The rows of the list of episodes.
@MainActor
final class EpisodeListView {
    private let widgets: EpisodesWidgets
    private let onWish: @MainActor (EpisodeWish, Int64) -> Void
    private var rows: [EpisodeRow] = []
    private var shown: (scope: PodcastsState.Scope, arrangement: EpisodeArrangement?)?
    private var shownDay: Date?

    /// Creates the list from its widgets.
    /// - Parameter onWish: Receives the actions on episodes.
    init(_ widgets: EpisodesWidgets, onWish: @escaping @MainActor (EpisodeWish, Int64) -> Void) {
        (self.widgets, self.onWish) = (widgets, onWish)
    }

    /// Shows the episodes of a list.
    /// - Parameter playing: The episode that the window has open; `nil` for none.
    func show(_ state: PodcastsState, playing: Int64?) {
        if shown.map({ $0 != (state.scope, state.arrangement) }) ?? true {
            widgets.scroller.scrollToStart()
            shown = (state.scope, state.arrangement)
        }
        let ids = state.episodes.map(\.id)
        // Rows that stay are kept: the focus and the place of the list stay with them.
        let common = zip(rows, ids).prefix { $0.episode.id == $1 }.count
        for row in rows[common...] { widgets.list.remove(row.row) }
        rows.removeSubrange(common...)
        for episode in state.episodes[common...] {
            let row = EpisodeRow(episode, onWish: onWish)
            widgets.list.appendRow(row.row)
            rows.append(row)
        }
        // "Today" becomes "Yesterday" in all rows.
        let today = Calendar.current.startOfDay(for: Date())
        let isForced = today != shownDay
        shownDay = today
        for (row, episode) in zip(rows, state.episodes) {
            let canMarkOlder = state.arrangement != nil && episode.published != nil
            row.show(episode, isPlaying: episode.id == playing, canMarkOlder: canMarkOlder, isForced: isForced)
        }
        widgets.more.isVisible = state.hasMore && state.episodes.count < PodcastsState.maximumCount
    }

    /// Moves the focus to the row of an episode.
    func focus(_ id: Int64) { rows.first { $0.episode.id == id }?.row.grabFocus() }
}
