import SyrinxListening
import SyrinxTerminal

/// Draws a list.
extension ListPage {
    /// Draws the title and the rows.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - styles: The colors.
    ///   - isFollowing: Whether the selection may follow playback, because no input line is open.
    ///   - area: The area of the page.
    ///   - grid: The frame.
    /// - Returns: The area of the rows; `nil` if the list is empty.
    mutating func draw(
        _ view: PlayerView,
        _ styles: Styles,
        isFollowing: Bool,
        in area: CellArea,
        _ grid: inout CellGrid
    ) -> CellArea? {
        var area = area
        if area.rows >= 8 { _ = area.takeTop(1) }
        if area.rows >= 4 { drawTitle(view, styles, in: area.takeTop(1), &grid) }
        list.window.resize(count: list.window.count, height: area.rows)
        if isFollowing { follow(view) }
        guard list.window.count > 0 else {
            let text =
                list.filter.isEmpty ? emptyText(in: view) : "No entry contains “\(list.filter)”. Escape shows all."
            let place = area.inset(columns: 2)
            grid.draw(text, column: place.column, row: place.row, width: place.columns, style: styles.dim)
            return nil
        }
        let thumb = list.window.thumb(rows: area.rows)
        let isWide = area.columns >= 64
        let texts = list.window.visible.map { row(list.entry(at: $0), in: view, styles: styles, isWide: isWide) }
        let columns = RowColumns(
            texts.compactMap(\.self),
            greatest: Self.count(in: view),
            isNumbered: isWide && texts.first??.number != nil,
            columns: area.columns - 1
        )
        for (line, text) in texts.enumerated() {
            let row = CellArea(column: area.column, row: area.row + line, columns: area.columns - 1, rows: 1)
            let index = list.window.offset + line
            if let text {
                draw(text, columns, styles, in: row, &grid)
            } else {
                draw(list.entry(at: index), in: view, styles: styles, area: row, &grid)
            }
            guard index == list.window.selection else { continue }
            // The bar spans the row, except for the scroll bar.
            let bar = thumb == nil ? CellArea(column: row.column, row: row.row, columns: area.columns, rows: 1) : row
            grid.restyle(bar, styles.select)
        }
        if let thumb {
            for row in thumb { grid.put("▐", column: area.end - 1, row: area.row + row, style: styles.dim) }
        }
        return area
    }

    /// Draws the name of the list, its length and its filter.
    private func drawTitle(_ view: PlayerView, _ styles: Styles, in area: CellArea, _ grid: inout CellGrid) {
        let line = area.inset(columns: 2)
        var count = countText(in: view)
        if !list.filter.isEmpty { count = "\(list.window.count) of \(Self.count(in: view))  “\(list.filter)”" }
        if isReading(in: view) { count += "…" }
        let start = grid.draw(count, endingAt: line.end, row: line.row, width: line.columns / 2, style: styles.dim)
        let room = start - line.column - 2
        grid.draw(title(in: view), column: line.column, row: line.row, width: max(room, 0), style: styles.title)
    }

    private func draw(
        _ text: ListRow,
        _ columns: RowColumns,
        _ styles: Styles,
        in area: CellArea,
        _ grid: inout CellGrid
    ) {
        let row = area.row
        let signStyle = text.style == styles.text ? styles.accent : text.style
        grid.draw(text.sign, column: area.column + 1, row: row, width: 1, style: signStyle)
        if let number = text.number, columns.number > 0 {
            let end = area.column + 3 + columns.number
            grid.draw(String(number), endingAt: end, row: row, width: columns.number, style: styles.dim)
        }
        let column = area.column + columns.title
        let last = area.end - 1
        let isEndShown = !text.end.isEmpty && DisplayWidth.of(text.end) * 2 <= last - column
        var titleEnd = last
        if isEndShown {
            let start = grid.draw(text.end, endingAt: last, row: row, width: last - column, style: styles.dim)
            titleEnd = min(start - 2, columns.detail == nil ? last : area.column + columns.end)
        }
        if let place = columns.detail(of: text) {
            let start = area.column + place
            grid.draw(text.detail ?? "", column: start, row: row, width: max(titleEnd - start, 0), style: styles.dim)
            titleEnd = start - 2
        }
        grid.draw(text.title, column: column, row: row, width: max(titleEnd - column, 0), style: text.style)
    }
}

/// The texts of a list row.
struct ListRow {
    var sign: String
    var number: Int?
    var title: String
    /// The secondary text.
    var detail: String?
    /// The text at the end of the row.
    var end: String
    var style: Style
    /// Whether the secondary text is an error message, which is longer than in other rows.
    var isFailed = false

    /// Returns the width of a text in columns, limited to the maximum that is considered.
    static func width(_ text: String?) -> Int {
        DisplayWidth.of(PrintableText.line(String((text ?? "").prefix(CellGrid.maximumSide))))
    }
}

/// The column layout of a list, computed from the visible rows.
private struct RowColumns {
    /// The number of digits of the largest number.
    var number = 0
    /// The start columns of titles and secondary texts, relative to the row, and their ends.
    var title = 3
    var detail: Int?
    var end = 0

    /// Computes the layout of `rows` in a number of columns.
    ///
    /// A title is not truncated to make room for a secondary text that is shorter than its column.
    init(_ rows: [ListRow], greatest: Int, isNumbered: Bool, columns: Int) {
        if isNumbered {
            number = String(max(greatest, 1)).count
            title += number + 2
        }
        let last = columns - 1
        let ends = rows.map { ListRow.width($0.end) }.max() ?? 0
        end = max(ends == 0 ? last : last - ends - 2, title)
        guard columns >= 76, end - title >= 30, rows.contains(where: { $0.detail != nil }) else { return }
        let details = rows.map { $0.isFailed ? 0 : ListRow.width($0.detail) }.max() ?? 0
        let titles = rows.map { ListRow.width($0.title) }.max() ?? 0
        let detailWidth = min(details, max(room * 2 / 5, room - titles))
        detail = title + 2 + min(max(titles, room * 2 / 5), room - detailWidth)
    }

    /// The total width of a title and a secondary text.
    private var room: Int { end - title - 2 }

    /// Returns the start column of a row's secondary text, which a longer text may move left, up to the end of the
    /// title.
    func detail(of row: ListRow) -> Int? {
        guard let detail, let text = row.detail, !text.isEmpty else { return nil }
        let least = title + 2 + min(ListRow.width(row.title), room * 2 / 5)
        return min(detail, max(end - ListRow.width(text), least))
    }
}
