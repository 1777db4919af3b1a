import Foundation
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxStreaming

extension PlayerWindow {
    /// The entries of the menu of recent recordings.
    static let recentCount = 8

    func toggleQueue() {
        let flap = widgets.get("flap")
        flap.set("reveal-flap", .bool(!flap.bool("reveal-flap")))
    }

    /// Shows the queue with the entry of its search.
    func searchQueue() {
        widgets.get("flap").set("reveal-flap", .bool(true))
        queueView.openSearch()
    }

    private func queueHidden() {
        queueView.closeSearch()
        // Else keys would go to a row that is not seen.
        if widgets.get("queuePane").containsFocus { widgets.get("queueButton").grabFocus() }
    }

    /// Carries out the command of a key on the focused row.
    /// - Returns: Whether it is a command of rows.
    func carryOut(_ command: FaceCommand, on row: Int) -> Bool {
        switch command {
        case .remove: removeRow(row)
        case .moveUp: apply(QueueMove([row], down: false, count: queue.count), to: row)
        case .moveDown: apply(QueueMove([row], down: true, count: queue.count), to: row)
        case .itemMenu: return queueView.openMenu(of: window.focused)
        default: return false
        }
        return true
    }

    /// Takes the row out whose menu was opened.
    func removeChosen() {
        if let row = queueView.menuIndex { removeRow(row) }
    }

    /// Moves the row whose menu was opened behind what plays.
    func playChosenNext() {
        guard let row = queueView.menuIndex, row != queue.currentIndex, queue.current != nil else { return }
        queue.move(from: row, to: row < queue.currentIndex ? queue.currentIndex : queue.currentIndex + 1)
        queueChanged()
    }

    /// Shows the file of the row whose menu was opened, in the program for files.
    func showChosenFile() {
        guard let row = queueView.menuIndex, queue.entries.indices.contains(row),
            let file = queue[row].source.file?.absolute
        else { return }
        app.application.showFile(file.url.absoluteString, folder: file.folder.url.absoluteString, window)
    }

    /// Shows the queue, at the recording that plays.
    func showPlayingRow() {
        widgets.get("flap").set("reveal-flap", .bool(true))
        queueView.focusPlaying()
    }

    private func apply(_ move: QueueMove, to row: Int) {
        // A place among the rows that a search shows is none in the queue.
        guard !queueView.isFiltered, !move.isIdentity, queueView.rows.indices.contains(row) else {
            return
        }
        queue.move(from: row, to: move.moved.lowerBound)
        queueChanged()
        queueView.focus(move.moved.lowerBound)
    }

    /// Takes a row out of the queue; the recording that plays is followed by the next.
    func removeRow(_ row: Int) {
        guard queueView.rows.indices.contains(row) else { return }
        if row == queue.currentIndex {
            guard queue.count > 1 else { return perform(page.handle(.closedItem)) }
            queue.remove(at: row)
            if queue.current == nil { queue.move(to: queue.count - 1) }
            guard let track = queue.current?.element else { return }
            perform(page.handle(.opened(name: track.title, plays: page.wantsPlayback)))
        } else {
            queue.remove(at: row)
            queueChanged()
        }
        queueView.focus(row)
    }

    /// Announces what follows now, and lists the queue.
    func queueChanged() {
        keepQueue()
        player.streamer.upcoming = followers()
        showQueue()
        report()
    }

    /// Takes a failure: of a recording that the queue passes over it is a message, else it is the page.
    func fail(_ error: SyrinxError, _ item: Int) {
        let name = FilePath(location: error.name)?.displayName ?? URL(fileURLWithPath: error.name).lastPathComponent
        let message = "\(name) is passed over. \(error.message)"
        // The player goes on by itself.
        if isNextAnnounced { return perform(page.handle(.warning(message))) }
        let failure = PageState.Failure(code: error.code.rawValue, message: error.message)
        let next = order.following(queue.currentIndex, count: queue.count)
        guard page.passesOver(failure, wasOpened: info != nil, hasNext: next != nil), let next else {
            perform(page.handle(.failed(failure, item: item)))
            if error.code == .httpStatus(401), let track = queue.current?.element, track.source.isWeb,
                track.episode == nil
            {
                askForLogin(of: track.source)
            }
            return
        }
        go(to: next)
        perform(page.handle(.warning(message)))
    }

    // MARK: Drops

    func connectDrops() {
        queueView.onRemove = { [weak self] in self?.removeRow($0) }
        queueView.onPlay = { [weak self] in self?.go(to: $0) }
        widgets.get("flap").observe("notify::reveal-flap") { [weak self] in
            if !$0.bool("reveal-flap") { self?.queueHidden() }
        }
        queueView.onDrag = { [weak self] in self?.isRowDragged = $0 }
        let pane = widgets.get("queuePane")
        window.onDrop(hover: { [weak self] in self?.hoverDrop(.window($0)) }) { [weak self] texts, _ in
            self?.take(texts, on: .player)
        }
        pane.onDrop { [weak self] texts, y in
            guard let self else { return }
            let y = self.listPlace(y)
            // The list is made anew beneath the pointer, which is then not seen to leave.
            self.hoverDrop(.queue(nil))
            self.hoverDrop(.window(false))
            if !self.moveRow(texts, toY: y) {
                self.take(texts, on: .queue, at: self.queueView.isFiltered ? nil : self.gap(atY: y))
            }
        }
        pane.onDropMotion { [weak self] in self?.hoverDrop(.queue($0)) }
    }

    /// Returns the logical pixels from the upper edge of the queue's list, of those from that of its pane.
    private func listPlace(_ y: Double) -> Double {
        y - (widgets.get("queueList").top(in: widgets.get("queuePane")) ?? 0)
    }

    /// Something that may be dropped is over the window, over the queue at a height, or has left it.
    private enum DropHover {
        case window(Bool)
        case queue(Double?)
    }

    /// Shows where a drop goes: into the queue, or in place of it.
    private func hoverDrop(_ hover: DropHover) {
        switch hover {
        case .window(let isOver): isDropOver = isOver
        case .queue(let y):
            isDropOverQueue = y != nil
            widgets.get("queuePane").setClass("drop-queue", y != nil && queue.count == 0)
            showGap(atY: y.map(listPlace))
        }
        let isShown = isDropOver && !isDropOverQueue && !app.all.contains(where: \.isRowDragged)
        widgets.get("dropPage").isVisible = isShown
    }

    private func gap(atY y: Double) -> Int {
        y.isFinite ? QueueMove.gap(atY: y, rowHeight: queueView.pitch, count: queue.count) : queue.count
    }

    private func moveRow(_ texts: [String], toY y: Double) -> Bool {
        guard let text = texts.first, DraggedRow.isRow(text) else { return false }
        // A row of another window's queue has no place in this one.
        guard let dragged = DraggedRow(text), dragged.window == number, let row = queueView.index(ofRow: dragged.row)
        else { return true }
        let gap = gap(atY: y)
        // The row goes when the list is made anew, and must have ended its drag before.
        repeatEvery(milliseconds: 0) { [weak self] in
            guard let self else { return false }
            self.apply(QueueMove([row], to: gap, count: self.queue.count), to: row)
            return false
        }
        return true
    }

    private func showGap(atY y: Double?) {
        let gap = queueView.isFiltered ? nil : y.map { self.gap(atY: $0) }
        let rows = queueView.rows
        for (index, row) in rows.enumerated() {
            row.setClass("drop-above", gap == index)
            row.setClass("drop-below", gap == rows.count && index == rows.count - 1)
        }
    }

    private func take(_ texts: [String], on target: DropList.Target, at place: Int? = nil) {
        guard !texts.contains(where: DraggedRow.isRow) else { return }
        var list = DropList()
        for text in texts {
            list.add(text, isFolder: FilePath(location: text)?.isFolder ?? false)
        }
        take(list, on: target, at: place)
    }

    /// Opens what was dropped or pasted, and says what cannot be opened.
    /// - Parameters:
    ///   - list: What was dropped.
    ///   - target: Where it was dropped.
    ///   - place: The place in the queue; its end if there is none.
    func take(_ list: DropList, on target: DropList.Target, at place: Int? = nil) {
        if let message = list.message { perform(page.handle(.warning(message))) }
        func inputs(_ entries: [DropList.Entry]) -> [ListeningInput] {
            entries.compactMap { ListeningInput(location: $0.location) }
        }
        switch list.effect(on: target) {
        case .none: break
        case .play(let entry): open(inputs([entry]))
        case .replaceQueue(let entries): open(inputs(entries))
        case .enqueue(let entries): open(inputs(entries), adds: true, at: place)
        case .subscribe(let address): podcasts.askForFeed(window, address)
        }
    }

    // MARK: Memory

    /// Keeps the visible part of the waveform, and the recording as the one used last.
    func rememberPlace() {
        guard let url = opened?.url else { return }
        let viewport = waveform.interaction.viewport
        saved.memory.keep(
            WindowMemory.Place(
                input: url.absoluteString,
                visible: viewport.isWhole || viewport.start >= viewport.end
                    ? nil : viewport.start...viewport.end,
                // The length of a recording may not be known yet, but it can be sought in.
                station: info.flatMap {
                    $0.duration == nil && !$0.isSeekable ? $0.tags["station"] ?? opened?.title : nil
                }
            )
        )
        saved.save()
        for window in app.all { window.showRecent() }
    }

    /// Shows the part of the waveform that was visible when the recording was left.
    func restoreView() {
        guard let url = queue.current?.element.url,
            let visible = saved.memory.place(of: url.absoluteString)?.visible
        else { return }
        waveform.show(visible)
    }

    private var recent: [ListeningInput] {
        saved.memory.places.prefix(Self.recentCount).compactMap { ListeningInput(location: $0.input) }
    }

    /// Lists the recordings that were used last.
    func showRecent() {
        let items = recent.enumerated().map { ($0.element.shortName, "win.recent-\($0.offset)") }
        widgets.get("recentMenu", Menu.self).setItems(items.map { (label: $0.0, action: $0.1) })
    }

    func openRecent(_ index: Int) {
        if recent.indices.contains(index) { open([recent[index]]) }
    }
}
