import Foundation
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxStreaming

extension PlayerWindow {
    func toggleQueue() {
        let flap = widgets.flap
        flap.set("reveal-flap", .bool(!flap.bool("reveal-flap")))
    }

    /// Shows the queue with the entry of its search.
    func searchQueue() {
        widgets.flap.set("reveal-flap", .bool(true))
        queueView.openSearch()
    }

    private func queueHidden() {
        queueView.closeSearch()
        // Else keys would go to a row that is not seen.
        if widgets.queue.pane.containsFocus { widgets.queueButton.grabFocus() }
    }

    /// Carries out the command of a key on the focused row.
    /// - Returns: Whether it is a command of rows.
    func carryOut(_ command: FaceCommand, on row: Int) -> Bool {
        switch command {
        case .remove: removeRow(row)
        case .moveUp: apply(QueueMove([row], down: false, count: player.session.queue.count), to: row)
        case .moveDown: apply(QueueMove([row], down: true, count: player.session.queue.count), to: row)
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
        let queue = player.session.queue
        guard let row = queueView.menuIndex, row != queue.index, !queue.isEmpty else { return }
        carryOut(.move(from: row, to: row < queue.index ? queue.index : queue.index + 1))
    }

    /// Shows the file of the row whose menu was opened, in the program for files.
    func showChosenFile() {
        guard let row = queueView.menuIndex, row < player.session.queue.count,
            let file = player.session.queue.input(at: row).file?.absolute
        else { return }
        app.application.showFile(file.url.absoluteString, folder: file.folder.url.absoluteString, window)
    }

    /// Shows the queue, at the recording that plays.
    func showPlayingRow() {
        widgets.flap.set("reveal-flap", .bool(true))
        queueView.focusPlaying()
    }

    private func apply(_ move: QueueMove, to row: Int) {
        // A place among the rows that a search shows is none in the queue.
        guard !queueView.isFiltered, !move.isIdentity, queueView.rows.indices.contains(row) else {
            return
        }
        carryOut(.move(from: row, to: move.moved.lowerBound))
        queueView.focus(move.moved.lowerBound)
    }

    /// Goes to a row, as a click on it does: a paused player stays paused.
    func go(to row: Int) {
        let isPaused = page.page == .player(.paused)
        carryOut(.goTo(row))
        // It waits for the recording to be open.
        if isPaused { carryOut(.pause) }
    }

    /// Takes a row out of the queue; the recording that plays is followed by the next.
    func removeRow(_ row: Int) {
        guard queueView.rows.indices.contains(row) else { return }
        let queue = player.session.queue
        let name = queue.tags(at: row).title ?? queue.input(at: row).title ?? queue.input(at: row).shortName
        carryOut(queue.count == 1 ? .stop : .remove(row))
        perform(page.handle(.undoable("Taken out: \(name)")))
        queueView.focus(row)
    }

    // MARK: Drops

    func connectDrops() {
        queueView.onRemove = { [weak self] in self?.removeRow($0) }
        queueView.onPlay = { [weak self] in self?.go(to: $0) }
        widgets.flap.observe("notify::reveal-flap") { [weak self] in
            if !$0.bool("reveal-flap") { self?.queueHidden() }
        }
        queueView.onDrag = { [weak self] in self?.drops.isRowDragged = $0 }
        let pane = widgets.queue.pane
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
        y - (widgets.queue.list.top(in: widgets.queue.pane) ?? 0)
    }

    /// Something that may be dropped is over the window, over the queue at a height, or has left it.
    private enum DropHover {
        case window(Bool)
        case queue(Double?)
    }

    /// Shows where a drop goes: into the queue, or in place of it.
    private func hoverDrop(_ hover: DropHover) {
        switch hover {
        case .window(let isOver): drops.isOver = isOver
        case .queue(let y):
            drops.isOverQueue = y != nil
            widgets.queue.pane.setClass("drop-queue", y != nil && player.session.queue.isEmpty)
            showGap(atY: y.map(listPlace))
        }
        let isShown = drops.isOver && !drops.isOverQueue && !app.all.contains(where: \.drops.isRowDragged)
        widgets.dropPage.isVisible = isShown
    }

    private func gap(atY y: Double) -> Int {
        y.isFinite
            ? QueueMove.gap(atY: y, rowHeight: queueView.pitch, count: player.session.queue.count)
            : player.session.queue.count
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
            self.apply(QueueMove([row], to: gap, count: self.player.session.queue.count), to: row)
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
}
