import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening

/// The drops on a window: files and addresses, on its pages or into its queue, and rows of its queue.
@MainActor
final class QueueDrops {
    /// Something that may be dropped is over the window, over the queue at a height, or has left it.
    private enum Hover {
        case window(Bool)
        case queue(Double?)
    }

    /// Receives the dropped items, and the index in the queue.
    var onDrop: (DropList, DropList.Target, Int?) -> Void = { _, _, _ in }
    /// Whether a row of the window's own queue is dragged.
    private(set) var isRowDragged = false
    private unowned let app: DesktopApp
    private let number: Int
    private let widgets: WindowWidgets
    private let control: PlayerControl
    private let queue: QueuePane
    /// Whether something that may be dropped is over the window, or over its queue.
    private var isOver = false
    private var isOverQueue = false

    /// Enables drops of files and addresses on a window.
    /// - Parameter number: The number of the window in the program.
    init(
        _ app: DesktopApp,
        _ window: Window,
        number: Int,
        _ widgets: WindowWidgets,
        _ control: PlayerControl,
        _ queue: QueuePane
    ) {
        (self.app, self.number, self.widgets) = (app, number, widgets)
        (self.control, self.queue) = (control, queue)
        queue.view.onDrag = { [weak self] in self?.isRowDragged = $0 }
        let pane = widgets.queue.pane
        window.onDrop(hover: { [weak self] in self?.hover(.window($0)) }) { [weak self] texts, _ in
            self?.take(texts, on: .player)
        }
        pane.onDrop { [weak self] texts, y in
            guard let self else { return }
            let y = self.listPlace(y)
            // The list is made anew beneath the pointer, which is then not seen to leave.
            self.hover(.queue(nil))
            self.hover(.window(false))
            if !self.moveRow(texts, toY: y) {
                self.take(texts, on: .queue, at: self.queue.view.isFiltered ? nil : self.gap(atY: y))
            }
        }
        pane.onDropMotion { [weak self] in self?.hover(.queue($0)) }
    }

    /// Returns the logical pixels from the upper edge of the queue's list, of those from that of its pane.
    private func listPlace(_ y: Double) -> Double { y - (widgets.queue.list.top(in: widgets.queue.pane) ?? 0) }

    /// Shows the effect of a drop: adding to the queue, or replacing it.
    private func hover(_ hover: Hover) {
        switch hover {
        case .window(let isOver): self.isOver = isOver
        case .queue(let y):
            isOverQueue = y != nil
            widgets.queue.pane.setClass("drop-queue", y != nil && control.session.queue.isEmpty)
            showGap(atY: y.map(listPlace))
        }
        widgets.dropPage.isVisible = isOver && !isOverQueue && !app.isRowDragged
    }

    private func gap(atY y: Double) -> Int {
        let count = control.session.queue.count
        return y.isFinite ? QueueMove.gap(atY: y, rowHeight: queue.view.pitch, count: count) : count
    }

    private func moveRow(_ texts: [String], toY y: Double) -> Bool {
        guard let text = texts.first, DraggedRow.isRow(text) else { return false }
        // A row of another window's queue has no place in this one.
        guard let dragged = DraggedRow(text), dragged.window == number, let row = queue.view.index(ofRow: dragged.row)
        else { return true }
        let gap = gap(atY: y)
        // The row goes when the list is made anew, and must have ended its drag before.
        repeatEvery(milliseconds: 0) { [weak self] in
            guard let self else { return false }
            self.queue.apply(QueueMove([row], to: gap, count: self.control.session.queue.count), to: row)
            return false
        }
        return true
    }

    private func showGap(atY y: Double?) {
        let gap = queue.view.isFiltered ? nil : y.map { self.gap(atY: $0) }
        let rows = queue.view.rows
        for (index, row) in rows.enumerated() {
            row.setClass("drop-above", gap == index)
            row.setClass("drop-below", gap == rows.count && index == rows.count - 1)
        }
    }

    private func take(_ texts: [String], on target: DropList.Target, at place: Int? = nil) {
        guard !texts.contains(where: DraggedRow.isRow) else { return }
        var list = DropList()
        for text in texts { list.add(text, isFolder: FilePath(location: text)?.isFolder ?? false) }
        onDrop(list, target, place)
    }
}
