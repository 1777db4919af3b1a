/// A rectangle of cells.
package struct CellArea: Equatable, Sendable {
    package var column: Int
    package var row: Int
    /// The width and the height in cells, never negative.
    package private(set) var columns: Int
    package private(set) var rows: Int

    /// A rectangle; sides below 0 count as 0.
    package init(column: Int = 0, row: Int = 0, columns: Int, rows: Int) {
        self.column = column
        self.row = row
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
    }

    /// The column behind the last.
    package var end: Int { column + columns }
    /// The row below the last.
    package var bottom: Int { row + rows }
    package var isEmpty: Bool { columns == 0 || rows == 0 }

    package func contains(column: Int, row: Int) -> Bool {
        column >= self.column && column < end && row >= self.row && row < bottom
    }

    /// The rectangle without so many cells at each side.
    package func inset(columns across: Int, rows down: Int = 0) -> Self {
        Self(column: column + across, row: row + down, columns: columns - 2 * across, rows: rows - 2 * down)
    }

    /// Takes rows off the top, as many as there are at most.
    package mutating func takeTop(_ count: Int) -> Self {
        let taken = min(max(count, 0), rows)
        defer {
            row += taken
            rows -= taken
        }
        return Self(column: column, row: row, columns: columns, rows: taken)
    }

    /// Takes rows off the bottom, as many as there are at most.
    package mutating func takeBottom(_ count: Int) -> Self {
        let taken = min(max(count, 0), rows)
        rows -= taken
        return Self(column: column, row: row + rows, columns: columns, rows: taken)
    }

    /// Takes columns off the left, as many as there are at most.
    package mutating func takeLeft(_ count: Int) -> Self {
        let taken = min(max(count, 0), columns)
        defer {
            column += taken
            columns -= taken
        }
        return Self(column: column, row: row, columns: taken, rows: rows)
    }

    /// Takes columns off the right, as many as there are at most, and `gap` columns beside them.
    package mutating func takeRight(_ count: Int, gap: Int = 0) -> Self {
        let taken = min(max(count, 0), columns)
        columns -= taken
        let result = Self(column: column + columns, row: row, columns: taken, rows: rows)
        columns -= min(max(gap, 0), columns)
        return result
    }

    /// A rectangle of a size in the middle of this one, no larger than it.
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
