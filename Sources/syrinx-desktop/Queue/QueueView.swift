import Foundation
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxStreaming

/// The list of the queue: of the rows that are seen it reads tags and covers, and a search hides rows.
@MainActor
final class QueueView {
    /// A list of widgets: more rows than these would take seconds to make.
    private static let maximumCount = 2000

    /// Takes a row out of the queue.
    var onRemove: (Int) -> Void = { _ in }
    /// Called with true when a drag of a row begins, and with false when it ends.
    var onDrag: (Bool) -> Void = { _ in }
    /// Goes to a row, as a click on it does: what is paused stays paused.
    var onPlay: (Int) -> Void = { _ in }
    /// The number of the window, which is part of the text of a dragged row.
    private let window: Int
    private let list: ListBox
    private let scroller: Widget
    private let scrolled: Widget
    private let summary: Widget
    private let placeholder: Widget
    private let searchBar: QueueSearchBar
    private var search = QueueSearch()
    private let tags = QueueTags()
    private var tracks: [Track] = []
    /// The files whose tags are read.
    private var files: [FilePath?] = []
    private var current: Int?
    private var content: [QueueRow] = []
    private var seen: [Int] = []
    private var isUpdating = false

    /// Shows an empty queue.
    /// - Parameters:
    ///   - widgets: The widgets of the window.
    ///   - window: Its number.
    init(_ widgets: Builder, window: Int) {
        self.window = window
        list = widgets.get("queueList", ListBox.self)
        scroller = widgets.get("queueScroller")
        scrolled = widgets.get("queueContent")
        summary = widgets.get("queueSummary")
        placeholder = widgets.get("queuePlaceholder")
        searchBar = QueueSearchBar(widgets)
        scroller.onVerticalChange { [weak self] in self?.updateSoon() }
        list.on("map") { [weak self] _ in self?.updateSoon() }
        tags.onRead = { [weak self] in self?.show($0) }
        searchBar.onQuery = { [weak self] in self?.find($0) }
        searchBar.onToggle = { [weak self] in if $0 { self?.openSearch() } else { self?.closeSearch() } }
        searchBar.onDown = { [weak self] in self?.focus(0) }
        searchBar.onReturn = { [weak self] in
            // Without words there is no search: Return would leave what plays.
            guard let self, let first = self.search.matches?.first, self.content.indices.contains(first) else { return }
            self.onPlay(first)
        }
    }

    /// The rows.
    var rows: [Widget] { content.map(\.row) }

    /// The pixels from one row that is shown to the next; 0 before the list is shown.
    var pitch: Double { pitch(ofHeight: neededHeight) }

    private func pitch(ofHeight height: Double) -> Double {
        let count = search.shownCount(of: content.count)
        return count == 0 ? 0 : height / Double(count)
    }

    private var neededHeight: Double { list.neededHeight(atWidth: scrolled.width) }

    /// Whether a search hides rows, so that places in the list are none in the queue.
    var isFiltered: Bool { search.isActive }

    /// Whether a row is the first below the entry of the search.
    func isFirstFound(_ row: Int) -> Bool { searchBar.isOpen && search.nearest(to: 0, count: content.count) == row }

    /// Returns the number of the row that is a widget.
    func index(of widget: Widget?) -> Int? {
        guard let widget else { return nil }
        return content.firstIndex { $0.row === widget }
    }

    /// Gives the focus to a row, or to the nearest one that is shown.
    func focus(_ row: Int) {
        if let row = search.nearest(to: row, count: content.count), content.indices.contains(row) {
            content[row].row.grabFocus()
        } else if searchBar.isOpen, !searchBar.hasFocus {
            searchBar.focus()
        }
    }

    /// Lists a queue.
    /// - Parameters:
    ///   - tracks: Its recordings.
    ///   - current: The number of the one that plays.
    func show(_ tracks: [Track], current: Int?) {
        let shown = Array(tracks.prefix(Self.maximumCount))
        if tracks != self.tracks {
            let isSameList = shown == Array(self.tracks.prefix(Self.maximumCount))
            self.tracks = tracks
            files = tracks.map(\.source.file)
            tags.read(tracks.map(\.source))
            if !isSameList { makeRows(shown) }
            showSummary()
        }
        guard current != self.current else { return }
        if let former = self.current, content.indices.contains(former) { content[former].show(isPlaying: false) }
        if let current, content.indices.contains(current) { content[current].show(isPlaying: true) }
        self.current = current
    }

    private func makeRows(_ shown: [Track]) {
        for row in content { list.remove(row.row) }
        content = shown.enumerated().map { makeRow($0.element, $0.offset) }
        if searchBar.isOpen { searchTexts() }
        for index in hiddenRows { content[index].isShown = false }
        for row in content { list.appendRow(row.row) }
        current = nil
        seen = []
        rowsChanged()
    }

    /// The tags that have been read of the queue's files.
    var knownTags: KnownTags { tags.known }

    /// Ends reading.
    func close() { tags.close() }

    private func makeRow(_ track: Track, _ index: Int) -> QueueRow {
        let row = QueueRow(text(of: track)) { [weak self] in
            // The button goes with its row: it must have answered before.
            repeatEvery(milliseconds: 0) {
                self?.onRemove(index)
                return false
            }
        }
        row.setDragged(DraggedRow(window: window, row: index).text) { [weak self] in self?.onDrag($0) }
        return row
    }

    private func text(of track: Track) -> QueueRowText {
        let host = track.source.isWeb ? track.url?.host : nil
        return QueueRowText(name: track.title, host: host, tags: tags.known.tags(of: track.source))
    }

    private func show(_ read: Set<FilePath>) {
        for index in content.indices {
            guard let file = files[index], read.contains(file) else { continue }
            fill(index)
            guard searchBar.isOpen, search.setText(searchedText(index), of: index) else { continue }
            content[index].isShown.toggle()
            updateSoon()
        }
        showSummary()
    }

    private func fill(_ index: Int) {
        content[index].show(text(of: tracks[index]), cover: files[index].flatMap { tags.cover(of: $0) })
    }

    private func showSummary() {
        let text =
            if let found = search.matches?.count {
                QueueRows.summary(found: found, of: content.count)
            } else {
                QueueRows.summary(tracks.lazy.map { [known = tags.known] in known.tags(of: $0.source).duration })
            }
        // Another text of the same letters would be a frame for nothing.
        guard text != summary.string("label") else { return }
        summary.set("label", .string(text))
        summary.isVisible = !text.isEmpty
    }

    /// Fills the rows that are seen, when the layout that is under way has been made.
    private func updateSoon() {
        guard !isUpdating else { return }
        isUpdating = true
        // Often enough for rows to be filled before they are seen, and seldom enough for frames in between.
        repeatEvery(milliseconds: 50) { [weak self] in
            self?.isUpdating = false
            self?.update()
            return false
        }
    }

    private func update() {
        // The list itself has no place until the layout if it was hidden.
        guard list.isMapped, let start = searchBar.bottom(in: scrolled) else { return }
        // The layout will scroll back to the end of a list that has become shorter.
        let needed = neededHeight
        let end = max(start + needed - scroller.height, 0)
        let places = QueueRows.visible(
            top: min(scroller.scrolledDistance, end) - start,
            height: scroller.height,
            pitch: pitch(ofHeight: needed),
            count: search.shownCount(of: content.count)
        )
        let rows = search.rows(at: places)
        guard rows != seen else { return }
        let kept = Set(rows)
        for index in seen where !kept.contains(index) && content.indices.contains(index) {
            content[index].setSeen(false)
        }
        seen = rows
        fillSeen()
    }

    private func fillSeen() {
        for index in seen {
            content[index].setSeen(true)
            content[index].isDraggable = !isFiltered
            fill(index)
        }
        tags.see(seen.compactMap { files[$0] }, side: QueueRow.coverSide * list.scaleFactor)
    }

    // MARK: The search

    /// Shows the entry of the search, with the focus.
    func openSearch() {
        if !searchBar.isOpen {
            searchBar.setOpen(true)
            searchTexts()
        }
        searchBar.focus()
    }

    /// Ends the search: all rows are shown.
    /// - Returns: Whether there was one.
    @discardableResult
    func closeSearch() -> Bool {
        guard searchBar.isOpen else { return false }
        // The row that the listener has chosen, else the one that plays.
        let row = content.firstIndex { $0.row.containsFocus } ?? (searchBar.hasFocus ? current ?? 0 : nil)
        searchBar.setOpen(false)
        search = QueueSearch()
        guard let row else { return true }
        if content.indices.contains(row) {
            let chosen = content[row]
            chosen.row.grabFocus()
            // Another queue may have taken its place by then.
            list.afterLayout { [weak self, weak chosen] in
                if let self, let chosen, self.content.contains(where: { $0 === chosen }) { self.scroll(to: chosen) }
            }
        } else {
            searchBar.focusButton()
        }
        return true
    }

    private func scroll(to row: QueueRow) {
        if let top = row.row.top(in: scrolled) { scroller.scroll(toTop: top, height: pitch) }
    }

    private func searchTexts() { search.setTexts(content.indices.map(searchedText)) }

    private func searchedText(_ index: Int) -> String {
        let track = tracks[index]
        return QueueSearch.text(
            of: text(of: track),
            tags: tags.known.tags(of: track.source),
            names: [track.title, track.source.shortName]
        )
    }

    private func find(_ query: String) {
        let former = search.matches
        search.find(query)
        guard search.matches != former else { return }
        let hidden = hiddenRows
        if content.indices.contains(where: { content[$0].isShown == hidden.contains($0) }) {
            // While it is shown, a list looks for the neighbours of each row that is hidden: of 2000 rows they are far.
            list.isVisible = false
            let order = QueueRows.hidingOrder(count: content.count)
            for index in order.reversed() where !hidden.contains(index) { content[index].isShown = true }
            for index in order where hidden.contains(index) { content[index].isShown = false }
            list.isVisible = true
        }
        rowsChanged()
        for index in seen { content[index].isDraggable = !isFiltered }
    }

    private var hiddenRows: Set<Int> {
        search.matches.map { Set(content.indices).subtracting($0) } ?? []
    }

    /// Fills the rows that are seen now, and once more after the layout.
    private func rowsChanged() {
        placeholder.set("label", .string(QueueRows.emptyText(isSearch: isFiltered)))
        // At once, since rows without content would be seen until the layout has been made.
        update()
        updateSoon()
        showSummary()
    }
}
