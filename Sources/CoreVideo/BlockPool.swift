/// Decides which memory blocks a pool reuses, keeps and frees.
///
/// A pure value, without a clock or memory of its own; times are seconds of a monotonic clock.
struct BlockPool<Block> {
    private struct FreeBlock {
        let block: Block
        /// The time at which the block was returned.
        let since: Double
    }

    /// The result of a request for a block.
    enum Step {
        /// Reuse this block.
        case reuse(Block)
        /// Allocate a new block, which counts as used.
        case allocate
        /// Refuse the request: the limit is reached.
        case refuse
    }

    /// The number of blocks, used and free, that are kept regardless of their age.
    let minimumCount: Int
    /// The age in seconds after which free blocks are released; `nil` keeps them.
    let maximumAge: Double?
    private(set) var usedCount = 0
    /// The free blocks; the most recently returned one is the last.
    private var free: [FreeBlock] = []

    /// The number of used and free blocks.
    var count: Int { usedCount + free.count }

    init(minimumCount: Int, maximumAge: Double?) {
        self.minimumCount = minimumCount
        self.maximumAge = maximumAge
    }

    /// Requests a block.
    /// - Parameter threshold: The maximum number of blocks; `nil` for no limit.
    mutating func take(threshold: Int?) -> Step {
        // Its memory is most likely in a CPU cache.
        if let last = free.popLast() {
            usedCount += 1
            return .reuse(last.block)
        }
        if let threshold, count >= threshold { return .refuse }
        usedCount += 1
        return .allocate
    }

    /// Notes that the allocation of a new block failed.
    mutating func allocationFailed() { usedCount -= 1 }

    /// Returns an unused block to the pool.
    mutating func giveBack(_ block: Block, at time: Double) {
        usedCount -= 1
        free.append(FreeBlock(block: block, since: time))
    }

    /// Removes and returns the free blocks that are too old.
    mutating func removeOld(at time: Double) -> [Block] {
        guard let maximumAge else { return [] }
        // The first blocks are the oldest.
        let old = free.prefix { time - $0.since > maximumAge }.count
        let removed = min(old, max(count - minimumCount, 0))
        defer { free.removeFirst(removed) }
        return free.prefix(removed).map(\.block)
    }

    /// Removes and returns all free blocks.
    mutating func removeAll() -> [Block] {
        defer { free = [] }
        return free.map(\.block)
    }
}
