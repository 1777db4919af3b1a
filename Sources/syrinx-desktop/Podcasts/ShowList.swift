import SyrinxDesktopModel
import SyrinxGTK

/// The list at the side: the lists of all podcasts, and the podcasts.
@MainActor
final class ShowList {
    private let list: ListBox
    private let artwork: ArtworkStore
    private let fixedRows: [(row: ShowRow, title: String, scope: PodcastsState.Scope)]
    private var showRows: [(row: ShowRow, show: PodcastShow, isRefreshing: Bool)] = []

    /// Fills the list.
    /// - Parameters:
    ///   - list: The list.
    ///   - artwork: The pictures of podcasts.
    ///   - onChoose: Receives the list that the listener has chosen.
    init(
        _ list: ListBox,
        _ artwork: ArtworkStore,
        onChoose: @escaping @MainActor (PodcastsState.Scope) -> Void
    ) {
        (self.list, self.artwork) = (list, artwork)
        fixedRows = [
            (ShowRow(icon: "starred-symbolic"), "New Episodes", .latest),
            (ShowRow(icon: "view-list-symbolic"), "Up Next", .queue),
            (ShowRow(icon: "folder-download-symbolic"), "Downloads", .downloads),
        ]
        for (row, title, _) in fixedRows {
            row.show(title)
            list.appendRow(row.row)
        }
        list.onActivate { [weak self] index in
            guard let self, self.scopes.indices.contains(index) else { return }
            onChoose(self.scopes[index])
        }
    }

    private var scopes: [PodcastsState.Scope] { fixedRows.map(\.scope) + showRows.map { .show($0.show.id) } }

    /// Shows the podcasts.
    func show(_ state: PodcastsState) {
        if showRows.map(\.show.id) != state.shows.map(\.id) {
            for (row, _, _) in showRows { list.remove(row.row) }
            showRows = state.shows.map { show in
                let row = ShowRow(icon: nil)
                artwork.load(show) { row.show($0) }
                return (row, PodcastShow(id: show.id, title: ""), false)
            }
            for (row, _, _) in showRows { list.appendRow(row.row) }
        }
        for (index, show) in state.shows.enumerated() {
            let isRefreshing = state.refreshing.contains(show.id)
            guard showRows[index].show != show || showRows[index].isRefreshing != isRefreshing else { continue }
            (showRows[index].show, showRows[index].isRefreshing) = (show, isRefreshing)
            let detail = PodcastText.detail(show, isRefreshing: isRefreshing)
            showRows[index].row.show(show.title, detail: detail, count: show.unplayedCount)
            artwork.load(show) { [row = showRows[index].row] in row.show($0) }
        }
    }

    /// Selects the row of a list; `nil` selects none.
    func select(_ scope: PodcastsState.Scope?) {
        let rows = fixedRows.map(\.row.row) + showRows.map(\.row.row)
        list.select(scope.flatMap { scopes.firstIndex(of: $0) }.map { rows[$0] })
    }
}
