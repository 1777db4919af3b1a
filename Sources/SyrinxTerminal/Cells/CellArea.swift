/// A rectangle of cells.
package struct CellArea: Equatable, Sendable {
    package var column: Int
    package var row: Int
    /// The width and the height in cells, never negative.
    package private(set) var columns: Int
    package private(set) var rows: Int

    /// Creates a rectangle; negative sizes count as 0.
    package init(column: Int = 0, row: Int = 0, columns: Int, rows: Int) {
        self.column = column
        self.row = row
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
    }

    /// The column after the last one.
    package var end: Int { column + columns }
    /// The row after the last one.
    package var bottom: Int { row + rows }
    package var isEmpty: Bool { columns == 0 || rows == 0 }

    package func contains(column: Int, row: Int) -> Bool {
        column >= self.column && column < end && row >= self.row && row < bottom
    }

    /// Returns the rectangle without `across` columns at the left and right, and `down` rows at the top and bottom.
    package func inset(columns across: Int, rows down: Int = 0) -> Self {
        Self(column: column + across, row: row + down, columns: columns - 2 * across, rows: rows - 2 * down)
    }

    /// Removes up to `count` rows from the top, and returns them.
    package mutating func takeTop(_ count: Int) -> Self {
        let taken = min(max(count, 0), rows)
        defer {
            row += taken
            rows -= taken
        }
        return Self(column: column, row: row, columns: columns, rows: taken)
    }

    /// Removes up to `count` rows from the bottom, and returns them.
    package mutating func takeBottom(_ count: Int) -> Self {
        let taken = min(max(count, 0), rows)
        rows -= taken
        return Self(column: column, row: row + rows, columns: columns, rows: taken)
    }

    /// Removes up to `count` columns from the left, and returns them.
    package mutating func takeLeft(_ count: Int) -> Self {
        let taken = min(max(count, 0), columns)
        defer {
            column += taken
            columns -= taken
        }
        return Self(column: column, row: row, columns: taken, rows: rows)
    }

    /// Removes up to `count` columns from the right, and returns them; `gap` columns beside them are removed too.
    package mutating func takeRight(_ count: Int, gap: Int = 0) -> Self {
        let taken = min(max(count, 0), columns)
        columns -= taken
        let result = Self(column: column + columns, row: row, columns: taken, rows: rows)
        columns -= min(max(gap, 0), columns)
        return result
    }

    /// Returns a centered rectangle of a size, limited to this one.
    package func centered(columns width: Int, rows height: Int) -> Self {
        let width = min(width, columns)
        let height = min(height, rows)
        return Self(
            column: column + (columns - width) / 2,
            row: row + (rows - height) / 2,
            columns: width,
            rows: height
        )
    }
}
