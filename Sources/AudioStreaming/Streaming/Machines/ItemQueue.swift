/// The items that come after all inputs that are open.
struct ItemQueue {
    private(set) var items: [StreamingItem] = []
    /// The item that was reported as the next one.
    private var reportedID: StreamingItem.ID?

    /// The item that comes next.
    var first: StreamingItem? { items.first }

    /// Replaces the items, and passes over those up to the last that is open already.
    mutating func replace(with new: [StreamingItem], after open: [StreamingItem.ID] = []) {
        let passed = new.lastIndex { open.contains($0.id) }.map { $0 + 1 } ?? 0
        items = Array(new[passed...])
    }

    /// Removes and returns the next item.
    mutating func takeFirst() -> StreamingItem? { items.isEmpty ? nil : items.removeFirst() }

    /// Puts items back that were taken, because they are opened again later.
    mutating func putBack(_ taken: [StreamingItem]) {
        items.insert(contentsOf: taken, at: 0)
        reportedID = nil
    }

    /// Has the next item count as news again.
    mutating func forgetReport() { reportedID = nil }

    /// Returns the next item if it is another than was returned last.
    /// - Parameter mayOpen: Whether another input may be opened; if not, there is no next item.
    /// - Returns: The item, which may be none; `nil` if nothing has changed.
    mutating func nextChange(mayOpen: Bool) -> StreamingItem?? {
        let next = mayOpen ? items.first : nil
        guard next?.id != reportedID else { return nil }
        reportedID = next?.id
        return .some(next)
    }
}
