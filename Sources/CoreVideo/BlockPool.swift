/// Decides which blocks of memory a pool uses again, keeps and gives back.
///
/// Times are seconds of any clock that does not go back. No clock, no memory of its own.
struct BlockPool<Block> {
    private struct FreeBlock {
        let block: Block
        /// The time at which it was given back.
        let since: Double
    }

    /// The answer to a request for a block.
    enum Step {
        /// This block is used again.
        case reuse(Block)
        /// A new block is to be allocated, and counts as used.
        case allocate
        /// There are as many blocks as there may be.
        case refuse
    }

    /// So many blocks, used and free, are kept however long they are not used.
    let minimumCount: Int
    /// Free blocks that are older are given back; `nil` if they are kept.
    let maximumAge: Double?
    private(set) var usedCount = 0
    /// The blocks that may be used again: the one that was given back last is the last.
    private var free: [FreeBlock] = []

    /// Blocks of both kinds.
    var count: Int { usedCount + free.count }

    init(minimumCount: Int, maximumAge: Double?) {
        self.minimumCount = minimumCount
        self.maximumAge = maximumAge
    }

    /// Asks for a block.
    /// - Parameter threshold: No block is allocated beyond so many; `nil` for no limit.
    mutating func take(threshold: Int?) -> Step {
        // Its memory is the most likely to be in a cache.
        if let last = free.popLast() {
            usedCount += 1
            return .reuse(last.block)
        }
        if let threshold, count >= threshold { return .refuse }
        usedCount += 1
        return .allocate
    }

    /// Takes note that the last block that was to be allocated could not be.
    mutating func allocationFailed() { usedCount -= 1 }

    /// Takes a block that is not used any more.
    mutating func giveBack(_ block: Block, at time: Double) {
        usedCount -= 1
        free.append(FreeBlock(block: block, since: time))
    }

    /// Removes the free blocks that are too old, and returns them.
    mutating func removeOld(at time: Double) -> [Block] {
        guard let maximumAge else { return [] }
        // The oldest are the first.
        let old = free.prefix { time - $0.since > maximumAge }.count
        let removed = min(old, max(count - minimumCount, 0))
        defer { free.removeFirst(removed) }
        return free.prefix(removed).map(\.block)
    }

    /// Removes all free blocks, and returns them.
    mutating func removeAll() -> [Block] {
        defer { free = [] }
        return free.map(\.block)
    }
}
