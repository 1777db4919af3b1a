/// The rows of a list that have to be made anew when it changes: those between what stays at its start and at its end.
public struct ListChange: Sendable, Equatable {
    /// The places of the entries that go, in the list of before.
    public let removed: Range<Int>
    /// The places of the entries that come, in the new list.
    public let inserted: Range<Int>

    /// Compares two lists, in linear time.
    /// - Parameters:
    ///   - former: The list of before.
    ///   - new: The new list.
    public init<Entry: Equatable>(from former: [Entry], to new: [Entry]) {
        let shorter = min(former.count, new.count)
        let start = (0..<shorter).first { former[$0] != new[$0] } ?? shorter
        let rest = shorter - start
        let end = (0..<rest).first { former[former.count - 1 - $0] != new[new.count - 1 - $0] } ?? rest
        (removed, inserted) = (start..<former.count - end, start..<new.count - end)
    }
}
