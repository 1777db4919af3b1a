import SyrinxListening
import SyrinxTerminal

/// The tabs of the pages.
struct TabBar {
    /// The page that is open.
    let page: PlayerPage
    let styles: Styles

    /// The tab styles, widest first.
    private enum TabStyle: CaseIterable {
        case full, tight, numbers

        /// The number of columns between number and name, and between two tabs.
        var gaps: (name: Int, tab: Int) {
            switch self {
            case .full: (1, 3)
            case .tight: (0, 1)
            case .numbers: (1, 2)
            }
        }
    }

    private func width(of style: TabStyle) -> Int {
        let names = PlayerPage.allCases.map { style != .numbers || $0 == page ? style.gaps.name + $0.title.count : 0 }
        return names.reduce(0) { $0 + 1 + $1 } + style.gaps.tab * (names.count - 1)
    }

    /// Draws the tabs in the widest style that fits, and returns the column after them.
    func draw(in area: CellArea, _ grid: inout CellGrid, _ places: inout Places) -> Int {
        let style = TabStyle.allCases.first { width(of: $0) <= area.columns } ?? .numbers
        var column = area.column
        for tab in PlayerPage.allCases {
            let isOpen = tab == page
            let start = column
            let look = isOpen ? styles.openTab : styles.dim
            // Without a space before the name, the number is distinguished by its color.
            let number = style == .tight && !isOpen ? styles.accent : look
            column = grid.draw("\(tab.rawValue + 1)", column: column, row: area.row, style: number)
            if isOpen || style != .numbers {
                let text = String(repeating: " ", count: style.gaps.name) + tab.title
                column = grid.draw(text, column: column, row: area.row, style: look)
            }
            places.tabs.append((tab, CellArea(column: start, row: area.row, columns: column - start, rows: 1)))
            column += style.gaps.tab
        }
        return column
    }
}
