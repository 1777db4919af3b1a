import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening

/// The pane of the queue: shows the queue and its order, and changes them as the listener asks.
@MainActor
final class QueuePane {
    let view: QueueView
    private let widgets: WindowWidgets
    private let control: PlayerControl
    private var queue: QueueWidgets { widgets.queue }

    /// Connects the pane of a window.
    /// - Parameters:
    ///   - widgets: The widgets of the window.
    ///   - control: The control of the player.
    ///   - window: The number of the window.
    init(_ widgets: WindowWidgets, _ control: PlayerControl, window: Int) {
        (self.widgets, self.control) = (widgets, control)
        view = QueueView(widgets.queue, window: window)
        // Unlike `toggled`, only the listener causes it.
        queue.shuffle.on("clicked") { [weak control] _ in control?.carryOut(.shuffle) }
        queue.repetition.on("clicked") { [weak control] _ in control?.carryOut(.loop) }
        queue.list.onActivate { [weak self] in self?.go(to: $0) }
        view.onTags = { [weak control] found in control?.act { $0.handle(.tags(found)) } }
        view.onRemove = { [weak self] in self?.remove($0) }
        view.onPlay = { [weak self] in self?.go(to: $0) }
        widgets.flap.observe("notify::reveal-flap") { [weak self] in
            if !$0.bool("reveal-flap") { self?.hidden() }
        }
    }

    /// Whether the pane is shown.
    var isShown: Bool {
        get { widgets.flap.bool("reveal-flap") }
        set { widgets.flap.set("reveal-flap", .bool(newValue)) }
    }

    private func hidden() {
        view.closeSearch()
        // Else keys would go to a row that is not seen.
        if queue.pane.containsFocus { widgets.header.queueButton.grabFocus() }
    }

    /// Shows the pane with the entry of its search.
    func search() {
        isShown = true
        view.openSearch()
    }

    /// Shows the pane, at the recording that plays.
    func showPlaying() {
        isShown = true
        view.focusPlaying()
    }

    // MARK: Showing

    /// Lists the queue, with the recording that plays marked.
    func show() {
        let queue = control.session.queue
        view.show(queue.inputs, current: queue.isEmpty ? nil : queue.index)
        let transport = widgets.player.transport
        for button in [transport.previous, transport.next] { button.isVisible = queue.count > 1 }
        let hasNext = queue.index(after: queue.index, wraps: control.session.settings.loop == .all) != nil
        transport.next.isSensitive = hasNext
        widgets.error.next.isVisible = hasNext
    }

    /// Shows shuffling and repetition.
    func showOrder() {
        let loop = control.session.settings.loop
        queue.shuffle.set("active", .bool(control.session.queue.isShuffled))
        queue.repetition.set("active", .bool(loop != .none))
        queue.repetition.set("icon-name", .string(loop.icon))
        queue.repetition.tooltip = "\(loop.label) (Shift+L)"
        queue.repetition.setAccessibleLabel(loop.label)
    }

    // MARK: Changing

    /// Performs the command of a key on the focused row.
    /// - Parameter focused: The widget that has the focus.
    /// - Returns: Whether it is a command of rows.
    func carryOut(_ command: FaceCommand, on row: Int, _ focused: Widget?) -> Bool {
        let count = control.session.queue.count
        switch command {
        case .remove: remove(row)
        case .moveUp: apply(QueueMove([row], down: false, count: count), to: row)
        case .moveDown: apply(QueueMove([row], down: true, count: count), to: row)
        case .itemMenu: return view.openMenu(of: focused)
        default: return false
        }
        return true
    }

    /// Moves a row, unless a search shows others than the queue has.
    func apply(_ move: QueueMove, to row: Int) {
        // A place among the rows that a search shows is none in the queue.
        guard !view.isFiltered, !move.isIdentity, view.rows.indices.contains(row) else { return }
        control.carryOut(.move(from: row, to: move.moved.lowerBound))
        view.focus(move.moved.lowerBound)
    }

    /// Goes to a row, as a click on it does: a paused player stays paused.
    private func go(to row: Int) {
        let isPaused = control.page.page == .player(.paused)
        control.carryOut(.goTo(row))
        // It waits for the recording to be open.
        if isPaused { control.carryOut(.pause) }
    }

    /// Removes a row from the queue; after the current one the next recording plays.
    private func remove(_ row: Int) {
        guard view.rows.indices.contains(row) else { return }
        let queue = control.session.queue
        let name = queue.tags(at: row).title ?? queue.input(at: row).title ?? queue.input(at: row).shortName
        control.carryOut(queue.count == 1 ? .stop : .remove(row))
        control.tell(.undoable("Taken out: \(name)"))
        view.focus(row)
    }

    /// Removes all inputs except the current one from the queue; the user can undo this.
    func clear() {
        let count = control.session.queue.count
        control.carryOut(.clear)
        if control.session.queue.count < count { control.tell(.undoable("The queue was cleared.")) }
    }

    // MARK: The menu of a row

    /// Removes the row whose menu is open.
    func removeChosen() {
        if let row = view.menuIndex { remove(row) }
    }

    /// Moves the row whose menu was opened behind what plays.
    func playChosenNext() {
        let queue = control.session.queue
        guard let row = view.menuIndex, row != queue.index, !queue.isEmpty else { return }
        control.carryOut(.move(from: row, to: row < queue.index ? queue.index : queue.index + 1))
    }

    /// The file of the row whose menu was opened; `nil` if it has none.
    var chosenFile: FilePath? {
        guard let row = view.menuIndex, row < control.session.queue.count else { return nil }
        return control.session.queue.input(at: row).file?.absolute
    }
}
