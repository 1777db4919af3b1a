import SyrinxListening
import SyrinxTerminal

/// The areas of a frame that react to the mouse.
struct Places: Equatable, Sendable {
    var seekBar: CellArea?
    /// The width of the seek bar, even if it does not react to the mouse.
    var barColumns = 0
    var list: (id: ListID, area: CellArea)?
    var tabs: [(page: PlayerPage, area: CellArea)] = []
    var state: CellArea?
    /// The area of the level meters, which change with every frame; `nil` if there are none.
    var meters: CellArea?

    static func == (left: Self, right: Self) -> Bool {
        left.seekBar == right.seekBar && left.list?.id == right.list?.id && left.list?.area == right.list?.area
            && left.tabs.elementsEqual(right.tabs) { $0 == $1 } && left.state == right.state
            && left.meters == right.meters && left.barColumns == right.barColumns
    }

    /// The part of the screen at a cell.
    enum Target {
        case seekBar
        case tab(PlayerPage)
        case state
        /// A row of a list, from the top.
        case list(ListID, row: Int)
    }

    /// Returns the part of the screen at a cell; `nil` if the mouse does nothing there.
    func target(column: Int, row: Int) -> Target? {
        func isHit(_ area: CellArea?) -> Bool { area?.contains(column: column, row: row) == true }
        if isHit(seekBar) { return .seekBar }
        if let tab = tabs.first(where: { isHit($0.area) }) { return .tab(tab.page) }
        if isHit(state) { return .state }
        return list.flatMap { isHit($0.area) ? .list($0.id, row: row - $0.area.row) : nil }
    }

    /// Returns the time at a column of the seek bar, in seconds; `nil` if it is unknown.
    func time(at column: Int, duration: Double?) -> Double? {
        guard let area = seekBar, let duration, duration.isFinite, duration > 0 else { return nil }
        return SeekBar.fraction(column: column - area.column, columns: area.columns) * duration
    }
}

/// Processes the mouse.
extension PlayerScreen {
    mutating func point(_ action: MouseAction, column: Int, row: Int, in view: PlayerView) -> [PlayerAction] {
        let duration = view.state.duration
        if modal != nil { return pointInModal(action) }
        switch action {
        case .press(0): return click(column: column, row: row, in: view)
        case .drag(0):
            if draggedTime != nil { draggedTime = places.time(at: column, duration: duration) }
            return []
        case .press, .drag: return []
        case .release:
            guard let time = draggedTime else { return [] }
            draggedTime = nil
            return [.command(.seek(.to(time)))]
        case .wheelUp, .wheelDown:
            let steps = action == .wheelUp ? -1 : 1
            switch places.target(column: column, row: row) {
            case .list(let id, _): pages[id].move(by: steps * 3)
            case .seekBar: return [.command(.seek(.by(Double(-steps) * 5)))]
            default: return [.command(.volume(.by(Double(-steps) * 0.02)))]
            }
            return []
        case .wheelLeft: return [.command(.seek(.by(-10)))]
        case .wheelRight: return [.command(.seek(.by(10)))]
        }
    }

    private mutating func click(column: Int, row: Int, in view: PlayerView) -> [PlayerAction] {
        switch places.target(column: column, row: row) {
        case .seekBar: draggedTime = places.time(at: column, duration: view.state.duration)
        case .tab(let page): open(page, in: view)
        case .state: return [.command(.toggle)]
        case .list(let id, let row):
            let window = pages[id].list.window
            let index = window.offset + row
            guard index < window.count else { return [] }
            if index == window.selection { return carryOut(.face(.activate), in: view) }
            pages[id].list.window.select(index)
        case nil: break
        }
        return []
    }

    private mutating func pointInModal(_ action: MouseAction) -> [PlayerAction] {
        switch action {
        case .wheelUp: pressInModal(KeyPress(.up), in: PlayerView())
        case .wheelDown: pressInModal(KeyPress(.down), in: PlayerView())
        case .press: pressInModal(KeyPress(.escape), in: PlayerView())
        default: []
        }
    }
}
