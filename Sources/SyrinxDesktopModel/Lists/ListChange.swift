/// The difference between two lists, excluding their common start and end.
public struct ListChange: Sendable, Equatable {
    /// The indices of the removed entries in the previous list.
    public let removed: Range<Int>
    /// The indices of the inserted entries in the new list.
    public let inserted: Range<Int>

    /// Compares two lists.
    /// - Parameters:
    ///   - former: The previous list.
    ///   - new: The new list.
    /// - Complexity: O(*n*) in the length of the lists.
    public init<Entry: Equatable>(from former: [Entry], to new: [Entry]) {
        let shorter = min(former.count, new.count)
        let start = (0..<shorter).first { former[$0] != new[$0] } ?? shorter
        let rest = shorter - start
        let end = (0..<rest).first { former[former.count - 1 - $0] != new[new.count - 1 - $0] } ?? rest
        (removed, inserted) = (start..<former.count - end, start..<new.count - end)
    }
}
