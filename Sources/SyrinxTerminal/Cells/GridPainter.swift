/// Generates the escape sequences that change one screen into the next, redrawing as few cells as possible.
package struct GridPainter: Sendable {
    /// The number of colors to use.
    package let depth: ColorDepth
    private let pictureProtocol: PictureProtocol
    /// The size of a cell in pixels, needed for Sixel.
    private let cellSize: (width: Int, height: Int)
    private var shown: CellGrid?
    /// The identifiers of pictures that were sent with Kitty's protocol.
    private var transmitted: [UInt32] = []

    /// Creates a painter for a blank or unknown screen.
    ///
    /// - Parameters:
    ///   - cellSize: The size of a cell in pixels, as reported by the terminal.
    package init(
        depth: ColorDepth,
        pictures: PictureProtocol = .none,
        cellSize: (width: Int, height: Int) = (10, 20)
    ) {
        self.depth = depth
        pictureProtocol = pictures
        self.cellSize = (min(max(cellSize.width, 1), 512), min(max(cellSize.height, 1), 512))
    }

    /// Sets up the terminal: alternate screen, hidden cursor, mouse (1002, 1006), bracketed paste (2004), and focus
    /// (1004).
    package static let start = bytes(
        "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[?1004h\u{1B}[?7l"
    )
    /// Restores the terminal.
    package static let end = bytes(
        "\u{1B}[0m\u{1B}[?7h\u{1B}[?1004l\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?25h\u{1B}[?1049l"
    )
    /// Queries picture support: Kitty's protocol, the size of a cell, and the device attributes, which all terminals
    /// report.
    package static let questions = bytes("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[16t\u{1B}[c")

    /// Queries the background color.
    package static let backgroundQuestion = bytes("\u{1B}]11;?\u{1B}\\")

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Makes the next frame redraw the whole screen, for example after a suspension or a change of size.
    package mutating func invalidate() {
        shown = nil
        transmitted = []
    }

    /// Returns the bytes that make the terminal display `grid`; empty if it already does.
    ///
    /// The frame is a synchronized update (mode 2026), which other terminals ignore.
    /// - Parameters:
    ///   - grid: The new screen.
    ///   - rows: The rows that may differ from the last frame; `nil` for all.
    package mutating func frame(_ grid: CellGrid, rows: Range<Int>? = nil) -> [UInt8] {
        guard var old = shown, old.columns == grid.columns, old.rows == grid.rows else {
            let bytes = wholeFrame(grid)
            shown = grid
            return bytes
        }
        // Give up the reference to the last grid, so that neither grid is copied when the other changes.
        shown = nil
        defer { shown = old }
        var bytes: [UInt8] = []
        if pictureProtocol == .kitty, old.placedPicture != nil, old.placedPicture != grid.placedPicture {
            KittyGraphics.appendRemoval(to: &bytes)
        }
        var pen = Pen(depth: depth, style: nil)
        let hasSameClusters = grid.clusters == old.clusters
        let rows = hasSameClusters ? rows?.clamped(to: 0..<grid.rows) : nil
        for row in rows ?? 0..<grid.rows where !hasSameClusters || !grid.isSame(row: row, in: old) {
            draw(row, of: grid, over: old, with: &pen, into: &bytes)
            if hasSameClusters { old.copy(row: row, of: grid) }
        }
        drawPicture(grid, over: old, &bytes)
        if pen.style != nil, pen.style != Style() { bytes.append(sequence: "\u{1B}[0m") }
        drawCursor(grid, old, hasDrawn: !bytes.isEmpty, &bytes)
        if hasSameClusters { old.copyOverlays(of: grid) } else { old = grid }
        return bytes.isEmpty ? [] : Self.synchronized(bytes)
    }

    /// Returns the bytes for a terminal with unknown contents.
    private mutating func wholeFrame(_ grid: CellGrid) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(sequence: "\u{1B}[0m\u{1B}[2J")
        if pictureProtocol == .kitty { KittyGraphics.appendDeletion(to: &bytes) }
        transmitted = []
        let blank = CellGrid(columns: grid.columns, rows: grid.rows)
        var pen = Pen(depth: depth, style: Style())
        for row in 0..<grid.rows { draw(row, of: grid, over: blank, with: &pen, into: &bytes) }
        drawPicture(grid, over: nil, &bytes)
        if pen.style != nil, pen.style != Style() { bytes.append(sequence: "\u{1B}[0m") }
        drawCursor(grid, blank, hasDrawn: true, &bytes)
        return Self.synchronized(bytes)
    }

    private static func synchronized(_ frame: [UInt8]) -> [UInt8] {
        bytes("\u{1B}[?2026h") + frame + bytes("\u{1B}[?2026l")
    }

    /// The state of the terminal while a frame is generated.
    private struct Pen {
        let depth: ColorDepth
        /// The current style; `nil` if it is unknown.
        var style: Style?
        /// The cursor position; `nil` if it is unknown.
        var column: Int?
        var row = 0

        init(depth: ColorDepth, style: Style?) {
            self.depth = depth
            self.style = style
        }

        mutating func set(_ new: Style, _ bytes: inout [UInt8]) {
            guard new != style else { return }
            new.appendSequence(to: &bytes, after: style, depth: depth)
            style = new
        }

        mutating func move(column: Int, row: Int, _ bytes: inout [UInt8]) {
            if self.row == row, let present = self.column {
                if present == column { return }
                if present < column {
                    bytes.append(sequence: "\u{1B}[")
                    if column - present > 1 { bytes.append(decimal: column - present) }
                    bytes.append(UInt8(ascii: "C"))
                    self.column = column
                    return
                }
            }
            bytes.append(sequence: "\u{1B}[")
            bytes.append(decimal: row + 1)
            bytes.append(0x3B)
            bytes.append(decimal: column + 1)
            bytes.append(UInt8(ascii: "H"))
            (self.column, self.row) = (column, row)
        }
    }

    private func draw(
        _ row: Int,
        of grid: CellGrid,
        over old: CellGrid,
        with pen: inout Pen,
        into bytes: inout [UInt8]
    ) {
        let start = row * grid.columns
        for column in 0..<grid.columns {
            let index = start + column
            let cell = grid.cells[index]
            guard cell.glyph != Cell.continuation, cell.glyph != Cell.covered else { continue }
            let isWide = column + 1 < grid.columns && grid.cells[index + 1].glyph == Cell.continuation
            if grid.isSame(at: index, in: old), !isWide || grid.isSame(at: index + 1, in: old) { continue }
            pen.move(column: column, row: row, &bytes)
            pen.set(cell.style, &bytes)
            if cell.glyph < 0x80 {
                bytes.append(UInt8(cell.glyph))
            } else if let scalar = Unicode.Scalar(cell.glyph), cell.glyph & Cell.clusterBit == 0 {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            } else {
                bytes.append(contentsOf: grid.string(of: cell).utf8)
            }
            // The cursor position is known only after narrow characters, because terminals disagree about the width of
            // others. It is also unknown after the last column.
            pen.column = !isWide && Self.isReliable(cell.glyph) && column + 1 < grid.columns ? column + 1 : nil
        }
    }

    /// Whether all terminals display the character in one column: Latin text, punctuation, frames, blocks, Braille.
    private static func isReliable(_ glyph: UInt32) -> Bool {
        glyph < 0x300 || (0x2010...0x2027).contains(glyph) || (0x2500...0x259F).contains(glyph)
            || (0x2800...0x28FF).contains(glyph)
    }

    private mutating func drawPicture(_ grid: CellGrid, over last: CellGrid?, _ bytes: inout [UInt8]) {
        guard let placed = grid.placedPicture, placed != last?.placedPicture else { return }
        var pen = Pen(depth: depth, style: nil)
        pen.move(column: placed.area.column, row: placed.area.row, &bytes)
        switch pictureProtocol {
        case .none, .halfBlocks: break
        case .kitty:
            if !transmitted.contains(placed.picture.id) {
                KittyGraphics.appendTransmission(of: placed.picture, to: &bytes)
                transmitted.append(placed.picture.id)
            }
            KittyGraphics.appendPlacement(of: placed, to: &bytes)
        case .sixel:
            let small = placed.picture.scaled(
                width: min(placed.area.columns * cellSize.width, SixelEncoder.maximumSide),
                height: min(placed.area.rows * cellSize.height, SixelEncoder.maximumSide)
            )
            bytes.append(contentsOf: SixelEncoder.encode(small))
        }
    }

    private func drawCursor(_ grid: CellGrid, _ old: CellGrid, hasDrawn: Bool, _ bytes: inout [UInt8]) {
        if let cursor = grid.cursor {
            guard hasDrawn || old.cursor.map({ $0 == cursor }) != true else { return }
            var pen = Pen(depth: depth, style: nil)
            pen.move(column: cursor.column, row: cursor.row, &bytes)
            bytes.append(sequence: "\u{1B}[?25h")
        } else if old.cursor != nil {
            bytes.append(sequence: "\u{1B}[?25l")
        }
    }
}
