public import SyrinxDevice

/// Plays items one after the other.
///
/// The next item is opened and decoded before the current one ends, and follows on the very next sample. An item that fails is
/// passed over; if it is the last it stays the current one, with its error. When all have been played `currentItem` is `nil`.
open class AVQueuePlayer: AVPlayer, @unchecked Sendable {
    // Unchecked: nothing here changes; see AVPlayer.

    /// A player without items, on the system's own output.
    public convenience init() { self.init(items: []) }

    /// A player of items; nothing is heard before `play()`.
    /// - Parameter items: The items, in order; those that belong to another player are left out.
    public convenience init(items: [AVPlayerItem]) {
        self.init(items: items, device: nil)
    }

    /// A player of items on a device of the program's choice.
    /// - Parameters:
    ///   - items: The items, in order; those that belong to another player are left out.
    ///   - device: The device; `nil` is the system's own output.
    public init(items: [AVPlayerItem], device: (any OutputDevice)?) {
        super.init(device: device, actionAtItemEnd: .advance)
        core.replaceItems { list in
            for item in items where mayTake(item) && !list.contains(where: { $0 === item }) { list.append(item) }
        }
    }

    /// The items that have not been played, the current one first.
    open func items() -> [AVPlayerItem] { core.state.items }

    /// Returns whether an item may be inserted: it belongs to no player, and `afterItem` is in the queue.
    /// - Parameters:
    ///   - item: The item.
    ///   - afterItem: The item to insert it behind; `nil` is the last one.
    open func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool {
        let items = items()
        return item.player == nil && (afterItem.map { after in items.contains { $0 === after } } ?? true)
    }

    /// Inserts an item; without effect where `canInsert` is false.
    /// - Parameters:
    ///   - item: The item.
    ///   - afterItem: The item to insert it behind; `nil` is the last one.
    open func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
        core.replaceItems { list in
            guard canInsert(item, after: afterItem) else { return }
            let index = afterItem.flatMap { after in list.firstIndex { $0 === after } } ?? list.count - 1
            list.insert(item, at: index + 1)
        }
    }

    /// Removes an item; if it is the current one, the next is played.
    /// - Parameter item: The item; without effect if it is not in the queue.
    open func remove(_ item: AVPlayerItem) { core.replaceItems { list in list.removeAll { $0 === item } } }

    /// Removes all items, and stops.
    open func removeAllItems() { core.replaceItems { $0 = [] } }

    /// Plays the next item from now on.
    open func advanceToNextItem() { core.replaceItems { if !$0.isEmpty { $0.removeFirst() } } }
}
