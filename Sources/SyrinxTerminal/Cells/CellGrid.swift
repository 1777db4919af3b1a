#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A cell of a terminal screen.
package struct Cell: Equatable, Sendable {
    /// A Unicode scalar, an index in the grid's table of clusters with `clusterBit`, or a special value.
    var glyph: UInt32
    /// The colors and attributes.
    package internal(set) var style: Style

    /// Marks the second column of a wide character.
    static let continuation: UInt32 = 0
    /// Marks a cell below a picture that the terminal draws.
    static let covered: UInt32 = 0x4000_0000
    /// The bit that marks an index in the table of clusters.
    static let clusterBit: UInt32 = 0x8000_0000

    static let blank = Self(glyph: 0x20, style: Style())
}

/// The characters of a screen and their styles.
///
/// A wide character occupies two cells. Drawing over one of them clears the other, so that half characters never
/// remain. Text is filtered by `PrintableText` when it is drawn.
package struct CellGrid: Sendable {
    /// The maximum width and height in cells; the rest of a larger terminal is not used.
    package static let maximumSide = 1_000

    /// A picture that the terminal draws over cells.
    package struct PlacedPicture: Equatable, Sendable {
        package var picture: Picture
        package var area: CellArea
    }

    package let columns: Int
    package let rows: Int
    private(set) var cells: [Cell]
    /// The characters that consist of several scalars.
    private(set) var clusters: [String] = []
    /// The picture that the terminal draws with a graphics protocol; `nil` if there is none.
    package private(set) var placedPicture: PlacedPicture?
    /// The position of the visible cursor in a text field; `nil` hides it.
    package var cursor: (column: Int, row: Int)?

    /// Creates a blank grid; sizes are clamped to 0…`maximumSide`.
    package init(columns: Int, rows: Int, style: Style = Style()) {
        self.columns = min(max(columns, 0), Self.maximumSide)
        self.rows = min(max(rows, 0), Self.maximumSide)
        cells = Array(repeating: Cell(glyph: 0x20, style: style), count: self.columns * self.rows)
    }

    /// The area of the whole grid.
    package var area: CellArea { CellArea(columns: columns, rows: rows) }

    /// Returns the character in a cell.
    ///
    /// The string is empty for the second column of a wide character and below a picture; `nil` outside of the grid.
    package func character(column: Int, row: Int) -> String? {
        guard area.contains(column: column, row: row) else { return nil }
        return string(of: cells[row * columns + column])
    }

    /// Returns the style of a cell; `nil` outside of the grid.
    package func style(column: Int, row: Int) -> Style? {
        area.contains(column: column, row: row) ? cells[row * columns + column].style : nil
    }

    func string(of cell: Cell) -> String {
        if cell.glyph & Cell.clusterBit != 0 { return clusters[Int(cell.glyph & ~Cell.clusterBit)] }
        guard cell.glyph != Cell.continuation, cell.glyph != Cell.covered else { return "" }
        return Unicode.Scalar(cell.glyph).map { String($0) } ?? " "
    }

    /// Whether a cell equals that of another grid of the same size.
    func isSame(at index: Int, in other: CellGrid) -> Bool {
        let cell = cells[index]
        let old = other.cells[index]
        guard (cell.glyph | old.glyph) & Cell.clusterBit != 0 else { return cell == old }
        return cell.style == old.style && string(of: cell) == other.string(of: old)
    }

    /// Whether a row equals that of another grid with the same size and table of clusters.
    func isSame(row: Int, in other: CellGrid) -> Bool {
        cells.withUnsafeBytes { own in
            other.cells.withUnsafeBytes { others in
                guard let own = own.baseAddress, let others = others.baseAddress else { return true }
                let size = columns * MemoryLayout<Cell>.stride
                return memcmp(own + row * size, others + row * size, size) == 0
            }
        }
    }

    /// Copies a row of another grid with the same size and table of clusters.
    mutating func copy(row: Int, of other: CellGrid) {
        let range = row * columns..<(row + 1) * columns
        cells.withUnsafeMutableBufferPointer { own in
            other.cells.withUnsafeBufferPointer { others in
                _ = own[range].update(fromContentsOf: others[range])
            }
        }
    }

    /// Copies the picture and the cursor of another grid.
    mutating func copyOverlays(of other: CellGrid) {
        placedPicture = other.placedPicture
        cursor = other.cursor
    }

    /// The screen as text, with a line per row and without trailing blanks.
    package var text: String {
        (0..<rows).map { row in
            var line = ""
            for cell in cells[row * columns..<(row + 1) * columns] {
                line += cell.glyph == Cell.covered ? "▒" : string(of: cell)
            }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}

// MARK: - Drawing

extension CellGrid {
    /// Draws text at a cell, truncated to `width` columns or the end of the row.
    ///
    /// - Parameters:
    ///   - text: The text, which is filtered; line breaks become spaces.
    ///   - width: The maximum number of columns, by default the rest of the row. Text that does not fit ends with `…`.
    /// - Returns: The column after the text.
    @discardableResult
    package mutating func draw(
        _ text: String,
        column: Int,
        row: Int,
        width: Int? = nil,
        style: Style = Style()
    ) -> Int {
        guard row >= 0, row < rows, column >= 0, column < columns else { return column }
        let end = column + min(max(width ?? columns, 0), columns - column)
        if let end = drawASCII(text, from: column, to: end, row: row, style: style) { return end }
        var position = column
        // The end column of the last characters after which an ellipsis fits.
        var lastBeforeEllipsis = column
        for character in text {
            let glyph: UInt32
            let span: Int
            if let ascii = character.asciiValue {
                glyph = ascii >= 0x20 && ascii < 0x7F ? UInt32(ascii) : 0x20
                span = 1
            } else if let drawn = printable(character) {
                (glyph, span) = drawn
            } else {
                continue
            }
            guard position + span <= end else {
                clear(from: lastBeforeEllipsis, to: position, row: row, style: style)
                guard lastBeforeEllipsis < end else { return position }
                put(0x2026, span: 1, column: lastBeforeEllipsis, row: row, style: style)
                return lastBeforeEllipsis + 1
            }
            put(glyph, span: span, column: position, row: row, style: style)
            position += span
            if position <= end - 1 { lastBeforeEllipsis = position }
        }
        return position
    }

    /// Draws text that is printable ASCII, which is faster; returns `nil` for other text.
    private mutating func drawASCII(_ text: String, from column: Int, to end: Int, row: Int, style: Style) -> Int? {
        let isDrawn = text.utf8.withContiguousStorageIfAvailable { bytes -> Bool in
            guard bytes.allSatisfy({ 0x20..<0x7F ~= $0 }) else { return false }
            let fits = bytes.count <= end - column
            let count = fits ? bytes.count : max(end - column - 1, 0)
            for index in 0..<count {
                put(UInt32(bytes[index]), span: 1, column: column + index, row: row, style: style)
            }
            if !fits, column < end { put(0x2026, span: 1, column: column + count, row: row, style: style) }
            return true
        }
        return isDrawn == true ? min(column + text.utf8.count, end) : nil
    }

    /// Draws text that ends before a column, truncated if necessary.
    ///
    /// - Returns: The first column of the text.
    @discardableResult
    package mutating func draw(
        _ text: String,
        endingAt end: Int,
        row: Int,
        width: Int,
        style: Style = Style()
    ) -> Int {
        let used = min(DisplayWidth.of(PrintableText.line(text)), max(width, 0))
        draw(text, column: max(end - used, 0), row: row, width: used, style: style)
        return end - used
    }

    /// Draws a narrow character of the user interface, such as a part of a frame.
    package mutating func put(_ scalar: Unicode.Scalar, column: Int, row: Int, style: Style) {
        guard row >= 0, row < rows, column >= 0, column < columns else { return }
        put(scalar.value, span: 1, column: column, row: row, style: style)
    }

    /// Fills the part of a rectangle inside the grid with blanks.
    package mutating func fill(_ area: CellArea, style: Style) {
        let across = (area.column..<max(area.end, area.column)).clamped(to: 0..<columns)
        for row in (area.row..<max(area.bottom, area.row)).clamped(to: 0..<rows) {
            clear(from: across.lowerBound, to: across.upperBound, row: row, style: style)
        }
        if let placed = placedPicture, area.overlaps(placed.area) { placedPicture = nil }
    }

    /// Changes the styles of an area, for example to highlight a selected row.
    package mutating func restyle(_ area: CellArea, _ change: (inout Style) -> Void) {
        let across = (area.column..<max(area.end, area.column)).clamped(to: 0..<columns)
        for row in (area.row..<max(area.bottom, area.row)).clamped(to: 0..<rows) {
            for column in across { change(&cells[row * columns + column].style) }
        }
    }

    /// Reserves a rectangle for a picture that the terminal draws.
    package mutating func place(_ picture: Picture, in area: CellArea) {
        guard !area.isEmpty, area.column >= 0, area.row >= 0, area.end <= columns, area.bottom <= rows else { return }
        for row in area.row..<area.bottom {
            clear(from: area.column, to: area.end, row: row, style: Style())
            for column in area.column..<area.end { cells[row * columns + column].glyph = Cell.covered }
        }
        placedPicture = PlacedPicture(picture: picture, area: area)
    }

    private mutating func clear(from start: Int, to end: Int, row: Int, style: Style) {
        for column in start..<max(start, end) { put(0x20, span: 1, column: column, row: row, style: style) }
    }

    private mutating func put(_ glyph: UInt32, span: Int, column: Int, row: Int, style: Style) {
        let index = row * columns + column
        // Clear the other half of a wide character.
        if cells[index].glyph == Cell.continuation, column > 0 { cells[index - 1].glyph = 0x20 }
        let last = index + span - 1
        if column + span < columns, cells[last + 1].glyph == Cell.continuation { cells[last + 1].glyph = 0x20 }
        cells[index] = Cell(glyph: glyph, style: style)
        if span == 2 { cells[last] = Cell(glyph: Cell.continuation, style: style) }
    }

    /// Returns the printable part of a character and its width in columns; `nil` if there is none.
    ///
    /// Joined characters that are wider than two columns are truncated, because terminals disagree about their width.
    private mutating func printable(_ character: Character) -> (glyph: UInt32, span: Int)? {
        var kept = String.UnicodeScalarView()
        var width = 0
        for scalar in character.unicodeScalars {
            guard let drawn = PrintableText.printable(scalar) else { continue }
            let next = width + DisplayWidth.of(drawn, after: width)
            // Limit the number of combining marks per cell.
            guard next <= 2, kept.count < 16 else { break }
            kept.append(drawn)
            width = next
        }
        while let last = kept.last, last.value == 0x200D { kept.removeLast() }
        guard width > 0, let first = kept.first else { return nil }
        if kept.count == 1 { return (first.value, width) }
        clusters.append(String(kept))
        return (Cell.clusterBit | UInt32(clusters.count - 1), width)
    }
}

extension CellArea {
    func overlaps(_ other: CellArea) -> Bool {
        column < other.end && other.column < end && row < other.bottom && other.row < bottom
    }
}
