public import CoreMedia
public import Foundation
internal import Synchronization

/// Repeats an item, or a part of it, without a gap.
///
/// The looper inserts copies of the item into a queue player, and adds another copy each time one has been played.
///
/// ```swift
/// let player = AVQueuePlayer()
/// let looper = AVPlayerLooper(player: player, templateItem: AVPlayerItem(url: url))
/// player.play()
/// ```
open class AVPlayerLooper: NSObject, @unchecked Sendable {
    // Unchecked: a lock guards the mutable state.

    /// The status of a looper.
    public enum Status: Int, Sendable {
        /// No copy has been opened yet.
        case unknown = 0
        /// A copy has been opened.
        case ready = 1
        /// The item cannot be played: see `error`.
        case failed = 2
        /// The looper was disabled.
        case cancelled = 3
    }

    /// The position of the copies of the template item: before or after the items already in the queue.
    public enum ItemOrdering: Int, Sendable {
        /// The copies precede the existing items, which are played after `disableLooping()`.
        case loopingItemsPrecedeExistingItems = 0
        /// The copies follow the existing items.
        case loopingItemsFollowExistingItems = 1
    }

    private struct State {
        var items: [AVPlayerItem] = []
        var loopCount = 0
        var isDisabled = false
    }

    /// More copies than a streamer decodes ahead, however short they are.
    private static let copies = 12

    private let template: AVPlayerItem
    private weak let player: AVQueuePlayer?
    private let state = Mutex(State())

    /// Creates a looper, which inserts its copies at once.
    /// - Parameters:
    ///   - player: The player that receives the copies; its existing items stay in the queue.
    ///   - itemToLoop: The template item, whose settings are copied; the template itself is not played.
    ///   - loopRange: The time range to repeat; `invalid`, the default, is the whole item.
    ///   - itemOrdering: The position of the copies; by default before the existing items.
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

    /// The status of the looper.
    open var status: Status {
        let (items, isDisabled) = state.withLock { ($0.items, $0.isDisabled) }
        if isDisabled { return .cancelled }
        if items.contains(where: { $0.status == .failed }) { return .failed }
        return loopCount > 0 || items.contains { $0.status == .readyToPlay } ? .ready : .unknown
    }

    /// The error of an item that cannot be played.
    open var error: (any Error)? { state.withLock { $0.items }.lazy.compactMap(\.error).first }

    /// The number of times that the item was played to its end.
    open var loopCount: Int { state.withLock { $0.loopCount } }

    /// The copies that are in the queue now.
    open var loopingPlayerItems: [AVPlayerItem] { state.withLock { $0.items } }

    /// Ends looping: the current copy plays to its end, and the others are removed.
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
            // After the last copy, because other items may follow.
            let last = list.lastIndex { item in loopingPlayerItems.contains { $0 === item } }
            list.insert(next, at: last.map { $0 + 1 } ?? list.count)
        }
    }
}
