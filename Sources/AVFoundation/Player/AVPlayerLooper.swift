public import CoreMedia
public import Foundation
internal import Synchronization

/// Plays an item, or a part of it, again and again, without a gap.
///
/// It puts copies of the item into a queue player, and adds another each time that one has been heard.
open class AVPlayerLooper: NSObject, @unchecked Sendable {
    // Unchecked: what changes is behind a lock.

    /// Whether a looper can be used.
    public enum Status: Int, Sendable {
        /// Nothing has been opened.
        case unknown = 0
        /// An item has been opened.
        case ready = 1
        /// The item cannot be played: see `error`.
        case failed = 2
        /// It has been disabled.
        case cancelled = 3
    }

    /// The place of the copies in the queue.
    public enum ItemOrdering: Int, Sendable {
        /// Before the items that are there: those are played when the looping is disabled.
        case loopingItemsPrecedeExistingItems = 0
        /// Behind the items that are there.
        case loopingItemsFollowExistingItems = 1
    }

    private struct State {
        var items: [AVPlayerItem] = []
        var loopCount = 0
        var isDisabled = false
    }

    /// More than a streamer decodes before they are heard, however short they are.
    private static let copies = 12

    private let template: AVPlayerItem
    private weak let player: AVQueuePlayer?
    private let state = Mutex(State())

    /// A looper that begins at once.
    /// - Parameters:
    ///   - player: The player; it is given copies of the item, and keeps the items that it has.
    ///   - itemToLoop: The item, whose settings the copies have; it is not played itself.
    ///   - loopRange: The part to play; `invalid` is all.
    ///   - itemOrdering: The place of the copies; default before the items that are there.
    public init(
        player: AVQueuePlayer,
        templateItem itemToLoop: AVPlayerItem,
        timeRange loopRange: CMTimeRange = .invalid,
        existingItemsOrdering itemOrdering: ItemOrdering = .loopingItemsPrecedeExistingItems
    ) {
        self.player = player
        template = itemToLoop.makeCopy()
        super.init()
        if loopRange.isValid, loopRange.start.isNumeric {
            template.start(at: loopRange.start.seconds)
            if loopRange.end.isNumeric { template.forwardPlaybackEndTime = loopRange.end }
        }
        let copies = (0..<Self.copies).map { _ in template.makeCopy() }
        state.withLock { $0.items = copies }
        player.core.setItemEnded { [weak self] in self?.ended($0) }
        player.core.replaceItems { list in
            list.insert(contentsOf: copies, at: itemOrdering == .loopingItemsPrecedeExistingItems ? 0 : list.count)
        }
    }

    deinit { player?.core.setItemEnded(nil) }

    /// Whether the looper can be used.
    open var status: Status {
        let (items, isDisabled) = state.withLock { ($0.items, $0.isDisabled) }
        if isDisabled { return .cancelled }
        if items.contains(where: { $0.status == .failed }) { return .failed }
        return loopCount > 0 || items.contains { $0.status == .readyToPlay } ? .ready : .unknown
    }

    /// The reason why the item cannot be played.
    open var error: (any Error)? { state.withLock { $0.items }.lazy.compactMap(\.error).first }

    /// The number of times that the item has been heard to its end.
    open var loopCount: Int { state.withLock { $0.loopCount } }

    /// The copies that are in the queue.
    open var loopingPlayerItems: [AVPlayerItem] { state.withLock { $0.items } }

    /// Ends the looping: the copy that is heard is played to its end, and the others are removed.
    open func disableLooping() {
        let items = state.withLock { state in
            state.isDisabled = true
            return state.items
        }
        player?.core.replaceItems { list in
            let current = list.first
            list.removeAll { item in item !== current && items.contains { $0 === item } }
        }
    }

    private func ended(_ item: AVPlayerItem) {
        let next: AVPlayerItem? = state.withLock { state in
            guard let index = state.items.firstIndex(where: { $0 === item }) else { return nil }
            state.loopCount += 1
            guard !state.isDisabled else { return nil }
            state.items.remove(at: index)
            let copy = template.makeCopy()
            state.items.append(copy)
            return copy
        }
        guard let next else { return }
        player?.core.replaceItems { list in
            // Behind the last of the copies: other items may follow.
            let last = list.lastIndex { item in loopingPlayerItems.contains { $0 === item } }
            list.insert(next, at: last.map { $0 + 1 } ?? list.count)
        }
    }
}
