import Synchronization

/// The control side of a player's queue: an unbounded linked list that grows at one end and is freed at the other.
///
/// Call it from one control thread at a time. The render thread follows the links, and reports its position in
/// `PlayerKernel.consumedIndex`.
final class PlayerQueue: @unchecked Sendable {
    // Unchecked: requires the lock of the player node that owns it.

    /// The first link of the render thread, which has no sound, so that the list is never empty.
    let firstLink: UnsafeMutablePointer<ScheduledItem>
    private var tail: UnsafeMutablePointer<ScheduledItem>
    private var oldest: UnsafeMutablePointer<ScheduledItem>
    private var lastIndex = 0

    init() {
        firstLink = Self.link(
            ScheduledItem(index: 0, content: .nothing, start: .following, entry: .queued, loops: false, isLast: false)
        )
        tail = firstLink
        oldest = firstLink
    }

    deinit {
        var link: UnsafeMutablePointer<ScheduledItem>? = oldest
        while let item = link {
            link = ScheduledItem.pointer(item.pointee.next.load(ordering: .relaxed))
            item.deinitialize(count: 1)
            item.deallocate()
        }
    }

    private static func link(_ item: consuming ScheduledItem) -> UnsafeMutablePointer<ScheduledItem> {
        let link = UnsafeMutablePointer<ScheduledItem>.allocate(capacity: 1)
        link.initialize(to: item)
        return link
    }

    /// The index that the next item will have.
    var nextIndex: Int { lastIndex + 1 }

    /// Appends an item whose samples the caller keeps alive until the item is consumed.
    ///
    /// The result is valid until `reclaim(upTo:)` is called for a later item.
    func append(
        _ content: ItemContent,
        start: ItemStart,
        entry: ItemEntry,
        loops: Bool,
        isLast: Bool
    ) -> UnsafeMutablePointer<ScheduledItem> {
        lastIndex += 1
        let item = Self.link(
            ScheduledItem(
                index: lastIndex,
                content: content,
                start: start,
                entry: entry,
                loops: loops,
                isLast: isLast
            )
        )
        tail.pointee.next.store(UnsafeMutableRawPointer(item), ordering: .releasing)
        tail = item
        return item
    }

    /// Frees the links before index `consumed`, from which the render thread continues.
    func reclaim(upTo consumed: Int) {
        while oldest.pointee.index < consumed,
            let next = ScheduledItem.pointer(oldest.pointee.next.load(ordering: .relaxed))
        {
            oldest.deinitialize(count: 1)
            oldest.deallocate()
            oldest = next
        }
    }
}
