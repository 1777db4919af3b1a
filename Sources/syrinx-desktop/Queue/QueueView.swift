import Foundation
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening

/// The list of the queue: of the rows that are seen it reads tags and covers, and a search hides rows.
@MainActor
final class QueueView {
    /// A list of widgets: more rows than these would take seconds to make.
    private static let maximumCount = 2000

    /// Receives the tags of files that have been read, which the player's queue has too.
    var onTags: ([FilePath: ListeningTags]) -> Void = { _ in }
    /// Removes a row from the queue.
    var onRemove: (Int) -> Void = { _ in }
    /// Called with true when a drag of a row begins, and with false when it ends.
    var onDrag: (Bool) -> Void = { _ in }
    /// Goes to a row, as a click on it does: a paused player stays paused.
    var onPlay: (Int) -> Void = { _ in }
    /// The number of the window, which is part of the text of a dragged row.
    private let window: Int
    private let widgets: QueueWidgets
    private let searchBar: QueueSearchBar
    private var search = QueueSearch()
    private let tags = QueueTags()
    private var inputs: [ListeningInput] = []
    /// The files whose tags are read.
    private var files: [FilePath?] = []
    private var playing: QueueRow?
    private var content: [QueueRow] = []
    /// The number of the row that was made last.
    private var lastRow = 0
    private let menu: ContextMenu
    /// The row whose menu is open, or was open last.
    private weak var menuRow: QueueRow?
    private var seen: [Int] = []
    /// The text below the heading.
    private var summary = ""
    private var isUpdating = false

    /// Shows an empty queue.
    /// - Parameters:
    ///   - widgets: The widgets of the pane.
    ///   - window: The number of the window.
    init(_ widgets: QueueWidgets, window: Int) {
        (self.window, self.widgets) = (window, widgets)
        searchBar = QueueSearchBar(widgets.search)
        menu = ContextMenu(in: widgets.pane)
        scroller.onVerticalChange { [weak self] in self?.updateSoon() }
        list.on("map") { [weak self] _ in
            self?.updateSoon()
            self?.list.afterLayout { self?.showPlaying() }
        }
        list.onMenuPress { [weak self] x, y in
            guard let self, let index = self.list.index(atY: y), self.content.indices.contains(index) else { return }
            self.openMenu(of: self.content[index], at: self.list, (x, y))
        }
        tags.onRead = { [weak self] found in
            self?.show(found)
            self?.onTags(found)
        }
        searchBar.onQuery = { [weak self] in self?.find($0) }
        searchBar.onToggle = { [weak self] in if $0 { self?.openSearch() } else { self?.closeSearch() } }
        searchBar.onDown = { [weak self] in self?.focus(0) }
        searchBar.onReturn = { [weak self] in
            // Without words there is no search: Return would leave what plays.
            guard let self, let first = self.search.matches?.first, self.content.indices.contains(first) else { return }
            self.onPlay(first)
        }
    }

    private var list: ListBox { widgets.list }
    private var scroller: Widget { widgets.scroller }
    /// The box that is scrolled.
    private var scrolled: Widget { widgets.content }

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

    /// Focuses a row, or the nearest visible one.
    func focus(_ row: Int) {
        if let row = search.nearest(to: row, count: content.count), content.indices.contains(row) {
            content[row].row.grabFocus()
        } else if searchBar.isOpen, !searchBar.hasFocus {
            searchBar.focus()
        }
    }

    /// Lists a queue.
    /// - Parameters:
    ///   - inputs: Its recordings.
    ///   - current: The number of the one that plays.
    func show(_ inputs: [ListeningInput], current: Int?) {
        let shown = Array(inputs.prefix(Self.maximumCount))
        if inputs != self.inputs {
            let former = Array(self.inputs.prefix(Self.maximumCount))
            let isSameList = shown == former
            self.inputs = inputs
            files = inputs.map(\.file)
            tags.read(inputs)
            if !isSameList { changeRows(ListChange(from: former, to: shown), of: shown) }
            showSummary()
        }
        let row = current.flatMap { content.indices.contains($0) ? content[$0] : nil }
        guard row !== playing else { return }
        let former = playing
        playing = row
        former?.show(isPlaying: false)
        row?.show(isPlaying: true)
        // A listener who has scrolled elsewhere stays there.
        if former.map(isInView) ?? true { list.afterLayout { [weak self] in self?.showPlaying() } }
    }

    /// Creates the rows that come, and takes out those that go.
    private func changeRows(_ change: ListChange, of shown: [ListeningInput]) {
        for index in seen { content[index].setSeen(false) }
        seen = []
        for row in content[change.removed] { list.remove(row.row) }
        let new = shown[change.inserted].map(makeRow)
        content.replaceSubrange(change.removed, with: new)
        if searchBar.isOpen { searchTexts() }
        let hidden = hiddenRows
        for (index, row) in content.enumerated() { row.isShown = !hidden.contains(index) }
        for (place, row) in zip(change.inserted, new) { list.insertRow(row.row, at: place) }
        rowsChanged()
    }

    // MARK: What plays

    /// Scrolls to the recording that plays.
    func showPlaying() {
        guard let playing, !isFiltered else { return }
        scroll(to: playing)
    }

    /// Focuses the current row and scrolls to it.
    func focusPlaying() {
        closeSearch()
        guard let playing else { return }
        playing.row.grabFocus()
        list.afterLayout { [weak self] in self?.showPlaying() }
    }

    private func isInView(_ row: QueueRow) -> Bool {
        guard let top = row.row.top(in: scrolled) else { return true }
        return top + pitch > scroller.scrolledDistance && top < scroller.scrolledDistance + scroller.height
    }

    // MARK: The menu of a row

    /// Opens the menu of the row that has the focus, or on which it is.
    /// - Returns: Whether there is one.
    func openMenu(of focused: Widget?) -> Bool {
        guard let row = content.first(where: { $0.row === focused || $0.row.containsFocus }) else { return false }
        openMenu(of: row, at: row.row)
        return true
    }

    private func openMenu(of row: QueueRow, at widget: Widget, _ place: (x: Double, y: Double)? = nil) {
        guard let index = content.firstIndex(where: { $0 === row }) else { return }
        menuRow = row
        var items = row === playing ? [] : [(label: "Play Next", action: "win.queue-play-next")]
        items.append((label: "Take Out", action: "win.remove-item"))
        if files[index] != nil { items.append((label: "Show File", action: "win.queue-show-file")) }
        menu.open(items, at: widget, place)
    }

    /// The place of the row whose menu was opened.
    var menuIndex: Int? { content.firstIndex { $0 === menuRow } }

    /// Ends reading.
    func close() { tags.close() }

    private func makeRow(_ input: ListeningInput) -> QueueRow {
        lastRow += 1
        let number = lastRow
        let row = QueueRow(text(of: input), number: number) { [weak self] in
            // The button goes with its row: it must have answered before.
            repeatEvery(milliseconds: 0) {
                if let index = self?.index(ofRow: number) { self?.onRemove(index) }
                return false
            }
        }
        row.setDragged(DraggedRow(window: window, row: number).text) { [weak self] in self?.onDrag($0) }
        return row
    }

    /// Returns the place of a row.
    func index(ofRow number: Int) -> Int? { content.firstIndex { $0.number == number } }

    private func text(of input: ListeningInput) -> QueueRowText {
        let host = input.isWeb ? input.url.host() : nil
        return QueueRowText(name: input.title ?? input.shortName, host: host, tags: tags.known.tags(of: input))
    }

    private func show(_ read: [FilePath: ListeningTags]) {
        for index in content.indices {
            guard let file = files[index], read[file] != nil else { continue }
            fill(index)
            guard searchBar.isOpen, search.setText(searchedText(index), of: index) else { continue }
            content[index].isShown.toggle()
            updateSoon()
        }
        showSummary()
    }

    private func fill(_ index: Int) {
        content[index].show(text(of: inputs[index]), cover: files[index].flatMap { tags.cover(of: $0) })
    }

    private func showSummary() {
        let text =
            if let found = search.matches?.count {
                QueueRows.summary(found: found, of: content.count)
            } else {
                QueueRows.summary(inputs.lazy.map { [known = tags.known] in known.tags(of: $0).duration })
            }
        // Another text of the same letters would be a frame for nothing.
        guard text != summary else { return }
        summary = text
        widgets.summary.set("label", .string(text))
        widgets.summary.isVisible = !text.isEmpty
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
        let current = content.firstIndex { $0 === playing } ?? 0
        let row = content.firstIndex { $0.row.containsFocus } ?? (searchBar.hasFocus ? current : nil)
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
        // With the rows beside it, if there is room.
        let margin = min(pitch, max(scroller.height - pitch, 0) / 2)
        if let top = row.row.top(in: scrolled) { scroller.scroll(toTop: top - margin, height: pitch + 2 * margin) }
    }

    private func searchTexts() { search.setTexts(content.indices.map(searchedText)) }

    private func searchedText(_ index: Int) -> String {
        let input = inputs[index]
        return QueueSearch.text(
            of: text(of: input),
            tags: tags.known.tags(of: input),
            names: [input.title, input.shortName].compactMap(\.self)
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
        widgets.placeholder.set("label", .string(QueueRows.emptyText(isSearch: isFiltered)))
        // Immediately, because otherwise empty rows would be visible until the next layout.
        update()
        updateSoon()
        showSummary()
    }
}
