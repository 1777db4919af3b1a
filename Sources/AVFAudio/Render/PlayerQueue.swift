import Synchronization

/// One piece of sound on its way to a player: a link of the queue between the control threads and the render thread.
struct ScheduledItem: ~Copyable {
    let next = Atomic<UnsafeMutableRawPointer?>(nil)
    /// Counts up from 1 over the life of the player.
    let index: Int
    /// Kept alive by the control side until `PlayerKernel.consumedIndex` has reached `index`.
    let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    let channelCount: Int
    let frameCount: Int
    let loops: Bool
    let isLast: Bool
    /// Where on the player's own time it begins; negative where it simply follows.
    let startTime: Int64
}

/// The control side of a player's queue: an unbounded linked list that grows at one end and is freed at the other.
///
/// One control thread at a time. The render thread walks the links, and says in `PlayerKernel.consumedIndex` how far it is.
final class PlayerQueue: @unchecked Sendable {
    // Unchecked: touched only under the lock of the player node that owns it.

    /// Where the render thread begins: a link of no sound, so that the list is never empty.
    let firstLink: UnsafeMutablePointer<ScheduledItem>
    private var tail: UnsafeMutablePointer<ScheduledItem>
    private var oldest: UnsafeMutablePointer<ScheduledItem>
    private var lastIndex = 0
    private let noChannels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 1)

    init() {
        firstLink = UnsafeMutablePointer<ScheduledItem>.allocate(capacity: 1)
        firstLink.initialize(
            to: ScheduledItem(
                index: 0,
                channels: UnsafePointer(noChannels),
                channelCount: 0,
                frameCount: 0,
                loops: false,
                isLast: false,
                startTime: -1
            )
        )
        tail = firstLink
        oldest = firstLink
    }

    deinit {
        var link: UnsafeMutablePointer<ScheduledItem>? = oldest
        while let item = link {
            link = Self.pointer(item.pointee.next.load(ordering: .relaxed))
            item.deinitialize(count: 1)
            item.deallocate()
        }
        noChannels.deallocate()
    }

    private static func pointer(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<ScheduledItem>? {
        raw?.assumingMemoryBound(to: ScheduledItem.self)
    }

    /// The index that the next item will have.
    var nextIndex: Int { lastIndex + 1 }

    /// Adds an item whose `channels` the caller keeps alive until it is consumed, and returns its index.
    func append(
        channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int,
        loops: Bool,
        isLast: Bool,
        startTime: Int64
    ) -> Int {
        lastIndex += 1
        let item = UnsafeMutablePointer<ScheduledItem>.allocate(capacity: 1)
        item.initialize(
            to: ScheduledItem(
                index: lastIndex,
                channels: channels,
                channelCount: channelCount,
                frameCount: frameCount,
                loops: loops,
                isLast: isLast,
                startTime: startTime
            )
        )
        tail.pointee.next.store(UnsafeMutableRawPointer(item), ordering: .releasing)
        tail = item
        return lastIndex
    }

    /// Frees the links before the one of index `consumed`, from which the render thread reads on.
    func reclaim(upTo consumed: Int) {
        while oldest.pointee.index < consumed,
            let next = Self.pointer(oldest.pointee.next.load(ordering: .relaxed))
        {
            oldest.deinitialize(count: 1)
            oldest.deallocate()
            oldest = next
        }
    }
}
