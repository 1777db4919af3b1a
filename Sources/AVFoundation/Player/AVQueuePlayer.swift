public import SyrinxDevice

/// Plays a queue of items one after the other, without gaps.
///
/// The player opens and decodes the next item before the current one ends. A failed item is skipped; if it is the last
/// one, it stays the current item, with its error. After all items, `currentItem` is `nil`.
///
/// ```swift
/// let files = ["intro.m4a", "episode.m4a"].map { URL(fileURLWithPath: $0) }
/// let player = AVQueuePlayer(items: files.map { AVPlayerItem(url: $0) })
/// player.play()
/// player.insert(AVPlayerItem(url: url), after: player.currentItem)
/// player.advanceToNextItem()
/// ```
open class AVQueuePlayer: AVPlayer, @unchecked Sendable {
    // Unchecked: no mutable state of its own; see AVPlayer.

    /// Creates a player without items, on the default output device.
    public convenience init() { self.init(items: []) }

    /// Creates a player for a queue of items; playback starts with `play()`.
    /// - Parameter items: The items, in order; items of other players are left out.
    public convenience init(items: [AVPlayerItem]) {
        self.init(items: items, device: nil)
    }

    /// Creates a player for a queue of items, on a specific output device.
    /// - Parameters:
    ///   - items: The items, in order; items of other players are left out.
    ///   - device: The output device; `nil` is the default output device.
    public init(items: [AVPlayerItem], device: (any OutputDevice)?) {
        super.init(device: device, actionAtItemEnd: .advance)
        core.replaceItems { list in
            for item in items where mayTake(item) && !list.contains(where: { $0 === item }) { list.append(item) }
        }
    }

    /// Returns the remaining items, the current one first.
    open func items() -> [AVPlayerItem] { core.state.items }

    /// Returns whether an item can be inserted: it belongs to no player, and `afterItem` is in the queue.
    /// - Parameters:
    ///   - item: The item.
    ///   - afterItem: The item before the new one; `nil` is the last item of the queue.
    open func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool {
        let items = items()
        return item.player == nil && (afterItem.map { after in items.contains { $0 === after } } ?? true)
    }

    /// Inserts an item; has no effect if `canInsert(_:after:)` is false.
    /// - Parameters:
    ///   - item: The item.
    ///   - afterItem: The item before the new one; `nil` is the last item of the queue.
    open func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
        core.replaceItems { list in
            guard canInsert(item, after: afterItem) else { return }
            let index = afterItem.flatMap { after in list.firstIndex { $0 === after } } ?? list.count - 1
            list.insert(item, at: index + 1)
        }
    }

    /// Removes an item; if it is the current one, the next item plays.
    /// - Parameter item: The item. An item that is not in the queue has no effect.
    open func remove(_ item: AVPlayerItem) { core.replaceItems { list in list.removeAll { $0 === item } } }

    /// Removes all items and stops playback.
    open func removeAllItems() { core.replaceItems { $0 = [] } }

    /// Skips to the next item.
    open func advanceToNextItem() { core.replaceItems { if !$0.isEmpty { $0.removeFirst() } } }
}
