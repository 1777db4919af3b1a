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
}

extension PlayerScreen {
    mutating func point(
        _ action: MouseAction,
        column: Int,
        row: Int,
        _ modifiers: KeyModifiers,
        in view: PlayerView
    ) -> [PlayerAction] {
        if modal != nil { return pointInModal(action) }
        switch action {
        case .press(0): return click(column: column, row: row, in: view)
        case .press(1), .press(2): return []
        case .press: return []
        case .drag(0):
            if draggedTime != nil { draggedTime = time(at: column, in: view) }
            return []
        case .drag: return []
        case .release:
            guard let time = draggedTime else { return [] }
            draggedTime = nil
            return [.command(.seek(.to(time)))]
        case .wheelUp, .wheelDown:
            let steps = action == .wheelUp ? -1 : 1
            if let list = places.list, list.area.contains(column: column, row: row) {
                lists[list.id].window.move(by: steps * 3)
                if list.id == .transcript { followsTranscript = false }
                return []
            }
            if places.seekBar?.contains(column: column, row: row) == true {
                return [.command(.seek(.by(Double(-steps) * 5)))]
            }
            return [.command(.volume(.by(Double(-steps) * 0.02)))]
        case .wheelLeft: return [.command(.seek(.by(-10)))]
        case .wheelRight: return [.command(.seek(.by(10)))]
        }
    }

    private mutating func click(column: Int, row: Int, in view: PlayerView) -> [PlayerAction] {
        if places.seekBar?.contains(column: column, row: row) == true {
            draggedTime = time(at: column, in: view)
            return []
        }
        if let tab = places.tabs.first(where: { $0.area.contains(column: column, row: row) }) {
            open(tab.page, in: view)
            return []
        }
        if places.state?.contains(column: column, row: row) == true { return [.command(.toggle)] }
        guard let list = places.list, list.area.contains(column: column, row: row) else { return [] }
        let index = lists[list.id].window.offset + row - list.area.row
        guard index < lists[list.id].window.count else { return [] }
        if index == lists[list.id].window.selection { return carryOut(.face(.activate), in: view) }
        lists[list.id].window.select(index)
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

    /// Returns the time at a column of the seek bar, in seconds; `nil` if it is unknown.
    private func time(at column: Int, in view: PlayerView) -> Double? {
        guard let area = places.seekBar, let duration = view.state.duration, duration.isFinite, duration > 0 else {
            return nil
        }
        return SeekBar.fraction(column: column - area.column, columns: area.columns) * duration
    }
}
