/// The entries of a list that the user has marked.
///
/// A value without side effects.
struct EntryMarks: Equatable, Sendable {
    private(set) var entries: Set<Int> = []
    private var last: Int?

    /// Returns the marked entries below a count, in the order of the list.
    func sorted(below count: Int) -> [Int] { entries.filter { $0 < count }.sorted() }

    /// Marks an entry, or removes its mark.
    /// - Parameters:
    ///   - isRange: Whether all entries from the one that was marked last are marked.
    ///   - shown: The entries that the filter shows, in order.
    mutating func toggle(_ entry: Int, isRange: Bool, among shown: [Int]) {
        defer { last = entry }
        if isRange, let last, let from = shown.firstIndex(of: last), let to = shown.firstIndex(of: entry) {
            entries.formUnion(shown[min(from, to)...max(from, to)])
        } else if entries.remove(entry) == nil {
            entries.insert(entry)
        }
    }
}
