/// The items after all open inputs.
struct ItemQueue {
    private(set) var items: [StreamingItem] = []
    /// The next item, as it was reported last.
    private var reported: Next?

    /// The next item.
    struct Next: Equatable {
        /// The next item; `nil` if there is none.
        var item: StreamingItem?
        /// Whether the item may be opened, as opposed to exceeding the limit.
        var mayOpen: Bool

        static func == (a: Next, b: Next) -> Bool {
            a.item?.id == b.item?.id && (a.mayOpen == b.mayOpen || a.item == nil)
        }
    }

    /// The next item.
    var first: StreamingItem? { items.first }

    /// Replaces the items, and passes over those up to the last that is open already.
    mutating func replace(with new: [StreamingItem], after open: [StreamingItem.ID] = []) {
        let passed = new.lastIndex { open.contains($0.id) }.map { $0 + 1 } ?? 0
        items = Array(new[passed...])
    }

    /// Sets the track preference of the items for which `isMeant` is true.
    mutating func setPreference(_ preference: SoundPreference, where isMeant: (StreamingItem) -> Bool) {
        for index in items.indices where isMeant(items[index]) { items[index].preference = preference }
    }

    /// Removes and returns the next item.
    mutating func takeFirst() -> StreamingItem? { items.isEmpty ? nil : items.removeFirst() }

    /// Puts items back that were taken, because they are opened again later.
    mutating func putBack(_ taken: [StreamingItem]) {
        items.insert(contentsOf: taken, at: 0)
        reported = nil
    }

    /// Makes `nextChange(mayOpen:)` report the next item again.
    mutating func forgetReport() { reported = nil }

    /// Returns the next item if it has changed since the last call.
    /// - Parameter mayOpen: Whether another input may be opened.
    mutating func nextChange(mayOpen: Bool) -> Next? {
        let next = Next(item: items.first, mayOpen: mayOpen)
        guard next != reported ?? Next(item: nil, mayOpen: true) else { return nil }
        reported = next
        return next
    }
}
