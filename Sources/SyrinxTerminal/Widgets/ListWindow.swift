/// The part of a list that a screen shows, and the entry that is selected.
///
/// Every operation takes the same time, whatever the list's length.
package struct ListWindow: Equatable, Sendable {
    package private(set) var count = 0
    package private(set) var height = 0
    /// The first entry shown.
    package private(set) var offset = 0
    /// The entry selected; 0 in an empty list.
    package private(set) var selection = 0

    package init() {}

    /// The entries to draw.
    package var visible: Range<Int> { offset..<min(count, offset + height) }

    /// Sets the list's length; the selection stays in it.
    package mutating func resize(count: Int) { resize(count: count, height: height) }

    /// Sets the list's length and the rows that there are for it; the selection stays in both.
    package mutating func resize(count: Int, height: Int) {
        self.count = max(count, 0)
        self.height = min(max(height, 0), CellGrid.maximumSide)
        select(selection)
    }

    /// Selects an entry, the nearest that there is, and scrolls as little as shows it.
    package mutating func select(_ index: Int) {
        selection = max(min(index, count - 1), 0)
        // No row stays empty at the end while entries are hidden above.
        offset = max(min(offset, count - height), 0)
        if selection < offset { offset = selection }
        if height > 0, selection - offset >= height { offset = selection - height + 1 }
    }

    /// Selects an entry and puts it in the middle, as far as the ends of the list allow.
    package mutating func center(_ index: Int) {
        offset = max(min(max(index, 0), count - 1) - height / 2, 0)
        select(index)
    }

    /// Selects the entry that many further on, or back.
    package mutating func move(by entries: Int) {
        let (index, overflow) = selection.addingReportingOverflow(entries)
        select(overflow ? (entries < 0 ? 0 : count - 1) : index)
    }

    /// The cells of a scroll bar of that many rows that stand for the visible part; `nil` if all is visible.
    package func thumb(rows: Int) -> Range<Int>? {
        guard count > height, rows > 0, height > 0 else { return nil }
        // In floating point: counts times rows might not fit.
        let length = min(max(Int((Double(rows) * Double(height) / Double(count)).rounded()), 1), rows)
        let start = Double(rows - length) * Double(offset) / Double(count - height)
        let first = min(max(Int(start.rounded()), 0), rows - length)
        return first..<first + length
    }
}
