/// Assembles fixed-size blocks of a byte sequence from pieces that arrive at different times.
///
/// A pure value. Pieces may arrive in any order and overlap. If there are more than `limit` incomplete blocks, the
/// least recently used one is discarded.
struct BlockAssembler {
    /// A complete block.
    struct Whole: Equatable {
        let index: Int64
        let bytes: [UInt8]
    }

    private struct Block {
        let index: Int64
        var bytes: [UInt8]
        /// The ranges that have arrived.
        var arrived = RangeSet<Int>()

        init(_ index: Int64, count: Int) {
            self.index = index
            bytes = [UInt8](repeating: 0, count: count)
        }

        var isWhole: Bool { arrived.ranges.first == 0..<bytes.count }

        mutating func add(_ piece: UnsafeRawBufferPointer, at start: Int) {
            let range = start..<start + piece.count
            bytes.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[range]).copyMemory(from: piece) }
            arrived.insert(contentsOf: range)
        }
    }

    private let blockSize: Int64
    private let limit: Int
    /// The incomplete blocks; the most recently used one is the last.
    private var blocks: [Block] = []

    /// Creates an assembler for at most `limit` incomplete blocks; at least 1.
    init(blockSize: Int64, limit: Int = 16) {
        self.blockSize = blockSize
        self.limit = max(1, limit)
    }

    /// The indices of the incomplete blocks, least recently used first.
    var indices: [Int64] { blocks.map(\.index) }

    /// Adds bytes, and removes and returns the blocks that are now complete.
    ///
    /// `length` is the length of the whole sequence and must always be the same. Bytes of blocks in `held`, and bytes
    /// after the end, are ignored.
    mutating func add(
        _ bytes: UnsafeRawBufferPointer,
        at offset: Int64,
        of length: Int64,
        held: Set<Int64>
    ) -> [Whole] {
        var whole: [Whole] = []
        var position = offset
        let end = min(length, offset + Int64(bytes.count))
        while position < end {
            let index = position / blockSize
            let start = index * blockSize
            let stop = min(end, start + blockSize)
            if !held.contains(index) {
                touch(index, count: Int(min(blockSize, length - start)))
                let piece = bytes[Int(position - offset)..<Int(stop - offset)]
                blocks[blocks.count - 1].add(UnsafeRawBufferPointer(rebasing: piece), at: Int(position - start))
                if blocks[blocks.count - 1].isWhole {
                    whole.append(Whole(index: index, bytes: blocks.removeLast().bytes))
                }
            }
            position = stop
        }
        return whole
    }

    /// Discards an incomplete block.
    mutating func remove(_ index: Int64) { blocks.removeAll { $0.index == index } }

    /// Marks a block as most recently used, and creates it if necessary.
    private mutating func touch(_ index: Int64, count: Int) {
        if blocks.last?.index == index { return }
        if let place = blocks.firstIndex(where: { $0.index == index }) {
            blocks.append(blocks.remove(at: place))
            return
        }
        if blocks.count == limit { blocks.removeFirst() }
        blocks.append(Block(index, count: count))
    }
}
