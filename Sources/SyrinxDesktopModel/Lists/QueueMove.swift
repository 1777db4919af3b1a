/// A move of entries within a list, by drag and drop or by keys.
public struct QueueMove: Sendable, Equatable {
    /// The entries of the list before the move in their order after it.
    public let order: [Int]
    /// The places of the moved entries after the move.
    public let moved: Range<Int>

    /// Creates the move of entries to a gap of a list.
    /// - Parameters:
    ///   - entries: The places of the entries, which keep their order among each other; others than those of the list are left out.
    ///   - gap: The gap to drop them in: 0 before the first entry, `count` behind the last; others count as the nearer end.
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

    /// Creates the move of entries by one place, for keys; at an end they stay.
    /// - Parameters:
    ///   - entries: The places of the entries.
    ///   - down: Whether they move towards the end.
    ///   - count: The number of entries of the list.
    public init(_ entries: Set<Int>, down: Bool, count: Int) {
        let inside = entries.filter { $0 >= 0 && $0 < count }
        guard let first = inside.min(), let last = inside.max() else {
            self.init([], to: 0, count: count)
            return
        }
        self.init(inside, to: down ? min(last, count - 2) + 2 : max(first, 1) - 1, count: count)
    }

    /// Whether nothing changes.
    public var isIdentity: Bool { order.indices.allSatisfy { order[$0] == $0 } }

    /// Returns the gap at which a drop lands.
    /// - Parameters:
    ///   - y: Pixels from the upper edge of the first row.
    ///   - rowHeight: The height of a row.
    ///   - count: The number of rows.
    /// - Returns: 0 … `count`.
    public static func gap(atY y: Double, rowHeight: Double, count: Int) -> Int {
        guard y.isFinite, rowHeight.isFinite, rowHeight > 0, count > 0 else { return 0 }
        return Int(nearest: y / rowHeight).clamped(to: 0...count)
    }
}
