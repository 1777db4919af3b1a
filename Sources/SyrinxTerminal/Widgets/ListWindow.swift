/// The visible part of a list and its selected entry.
///
/// Every operation takes constant time.
package struct ListWindow: Equatable, Sendable {
    package private(set) var count = 0
    package private(set) var height = 0
    /// The index of the first visible entry.
    package private(set) var offset = 0
    /// The index of the selected entry; 0 in an empty list.
    package private(set) var selection = 0

    package init() {}

    /// The indices of the visible entries.
    package var visible: Range<Int> { offset..<min(count, offset + height) }

    /// Sets the length of the list; the selection is clamped to it.
    package mutating func resize(count: Int) { resize(count: count, height: height) }

    /// Sets the length of the list and the number of visible rows; the selection stays valid and visible.
    package mutating func resize(count: Int, height: Int) {
        self.count = max(count, 0)
        self.height = min(max(height, 0), CellGrid.maximumSide)
        select(selection)
    }

    /// Selects an entry, clamped to the list, and scrolls as little as necessary.
    package mutating func select(_ index: Int) {
        selection = max(min(index, count - 1), 0)
        // Don't leave empty rows at the end while entries are hidden above.
        offset = max(min(offset, count - height), 0)
        if selection < offset { offset = selection }
        if height > 0, selection - offset >= height { offset = selection - height + 1 }
    }

    /// Selects an entry, and centers it as far as the ends of the list allow.
    package mutating func center(_ index: Int) {
        offset = max(min(max(index, 0), count - 1) - height / 2, 0)
        select(index)
    }

    /// Moves the selection by a number of entries, which may be negative.
    package mutating func move(by entries: Int) {
        let (index, overflow) = selection.addingReportingOverflow(entries)
        select(overflow ? (entries < 0 ? 0 : count - 1) : index)
    }

    /// Returns the rows of a scroll bar's thumb; `nil` if all entries are visible.
    package func thumb(rows: Int) -> Range<Int>? {
        guard count > height, rows > 0, height > 0 else { return nil }
        // In floating point, because the product of counts and rows could overflow.
        let length = min(max(Int((Double(rows) * Double(height) / Double(count)).rounded()), 1), rows)
        let start = Double(rows - length) * Double(offset) / Double(count - height)
        let first = min(max(Int(start.rounded()), 0), rows - length)
        return first..<first + length
    }
}
