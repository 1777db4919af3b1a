/// A move of entries within a list, by drag and drop or by keys.
public struct QueueMove: Sendable, Equatable {
    /// The previous index of each entry, in the new order.
    public let order: [Int]
    /// The new indices of the moved entries.
    public let moved: Range<Int>

    /// Creates a move of entries to a gap of a list.
    /// - Parameters:
    ///   - entries: The indices of the entries, whose relative order is kept; invalid indices are ignored.
    ///   - gap: The target, clamped to 0 (before the first entry) … `count` (after the last).
    ///   - count: The number of entries of the list.
    public init(_ entries: Set<Int>, to gap: Int, count: Int) {
        let count = max(count, 0)
        let gap = gap.clamped(to: 0...count)
        let kept = (0..<count).filter { !entries.contains($0) }
        let taken = (0..<count).filter { entries.contains($0) }
        let before = kept.prefix { $0 < gap }.count
        order = Array(kept[..<before]) + taken + Array(kept[before...])
        moved = before..<before + taken.count
    }

    /// Creates a move of entries by one position, for keyboard use; entries at the end of the list stay.
    /// - Parameters:
    ///   - entries: The indices of the entries.
    ///   - down: Whether they move toward the end.
    ///   - count: The number of entries of the list.
    public init(_ entries: Set<Int>, down: Bool, count: Int) {
        let inside = entries.filter { $0 >= 0 && $0 < count }
        guard let first = inside.min(), let last = inside.max() else {
            self.init([], to: 0, count: count)
            return
        }
        self.init(inside, to: down ? min(last, count - 2) + 2 : max(first, 1) - 1, count: count)
    }

    /// Whether the move changes nothing.
    public var isIdentity: Bool { order.indices.allSatisfy { order[$0] == $0 } }

    /// Returns the gap for a drop at a vertical position.
    /// - Parameters:
    ///   - y: The distance from the top of the first row, in pixels.
    ///   - rowHeight: The height of a row, in pixels.
    ///   - count: The number of rows.
    /// - Returns: A gap, 0…`count`.
    public static func gap(atY y: Double, rowHeight: Double, count: Int) -> Int {
        guard y.isFinite, rowHeight.isFinite, rowHeight > 0, count > 0 else { return 0 }
        return Int(nearest: y / rowHeight).clamped(to: 0...count)
    }
}
