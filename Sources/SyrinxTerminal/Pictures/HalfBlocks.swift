/// A picture made of half-block characters, with two pixels per cell.
package struct HalfBlockPicture: Equatable, Sendable {
    /// The size in cells.
    package let columns: Int
    package let rows: Int
    private let cells: [(upper: Color, lower: Color)]

    /// Scales a picture to a size in cells.
    package init(_ picture: Picture, columns: Int, rows: Int) {
        self.columns = min(max(columns, 1), CellGrid.maximumSide)
        self.rows = min(max(rows, 1), CellGrid.maximumSide)
        let small = picture.scaled(width: self.columns, height: self.rows * 2)
        let (width, height) = (self.columns, self.rows)
        func color(_ column: Int, _ row: Int) -> Color {
            let index = (row * width + column) * 4
            // Transparent pixels show the terminal's background.
            guard small.pixels[index + 3] >= 128 else { return .standard }
            return .rgb(small.pixels[index], small.pixels[index + 1], small.pixels[index + 2])
        }
        cells = (0..<width * height).map { place in
            let (row, column) = (place / width, place % width)
            return (color(column, row * 2), color(column, row * 2 + 1))
        }
    }

    /// Draws the picture with its upper left corner in a cell.
    package func draw(into grid: inout CellGrid, column: Int, row: Int) {
        for line in 0..<rows {
            for place in 0..<columns {
                let (upper, lower) = cells[line * columns + place]
                let glyph: Unicode.Scalar = upper.isStandard ? (lower.isStandard ? " " : "▄") : "▀"
                let style =
                    upper.isStandard
                    ? Style(foreground: lower) : Style(foreground: upper, background: lower)
                grid.put(glyph, column: column + place, row: row + line, style: style)
            }
        }
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.columns == right.columns && left.rows == right.rows && left.cells.elementsEqual(right.cells) { $0 == $1 }
    }
}
