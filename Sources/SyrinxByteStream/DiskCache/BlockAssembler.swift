/// Blocks of a long byte sequence whose pieces come at different times, gathered until they are whole.
///
/// A plain value. Pieces may come in any order and overlap. Of more than `limit` blocks that are not whole yet the one
/// touched longest ago goes.
struct BlockAssembler {
    /// A block of which everything has come.
    struct Whole: Equatable {
        let index: Int64
        let bytes: [UInt8]
    }

    private struct Block {
        let index: Int64
        var bytes: [UInt8]
        /// The bytes that have arrived.
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
    /// The one touched last is the last.
    private var blocks: [Block] = []

    /// Gathers at most `limit` blocks at once; 1 at least.
    init(blockSize: Int64, limit: Int = 16) {
        self.blockSize = blockSize
        self.limit = max(1, limit)
    }

    /// The blocks of which something has come, the one touched longest ago first.
    var indices: [Int64] { blocks.map(\.index) }

    /// Takes bytes, and returns the blocks that are whole with them, which are forgotten here.
    ///
    /// `length` is that of the whole sequence, the same each time. Bytes of blocks that are `held` elsewhere, and what lies
    /// beyond the end, are left out.
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

    /// Forgets what has come of a block.
    mutating func remove(_ index: Int64) { blocks.removeAll { $0.index == index } }

    /// Makes a block the last, and makes room for it if it is new.
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
