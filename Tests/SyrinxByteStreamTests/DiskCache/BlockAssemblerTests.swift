import SyrinxTestSupport
import Testing

@testable import SyrinxByteStream

@Suite("BlockAssembler") struct BlockAssemblerTests {
    /// Three blocks of 100 and one of 50.
    private let bytes = patternedBytes(350)

    private func add(_ range: Range<Int>, to blocks: inout BlockAssembler, held: Set<Int64> = []) -> [Int64] {
        let whole = bytes[range].withUnsafeBytes { blocks.add($0, at: Int64(range.lowerBound), of: 350, held: held) }
        for block in whole { #expect(block.bytes == content(block.index)) }
        return whole.map(\.index)
    }

    private func content(_ index: Int64) -> [UInt8] { Array(bytes[Int(index) * 100..<min(350, Int(index + 1) * 100)]) }

    /// Every order of pieces that touch or overlap makes the block, with the last of them and not before.
    @Test(
        "Pieces in any order complete a block with the last of them",
        arguments: [
            [0..<30, 30..<70, 70..<100], [0..<40, 30..<80, 60..<100], [10..<50, 0..<30, 40..<100],
            [0..<1, 99..<100, 1..<99],
        ]
    ) func piecesComeInAnyOrder(pieces: [Range<Int>]) {
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            var blocks = BlockAssembler(blockSize: 100)
            let found = order.map { place in
                let piece = pieces[place]
                return add(100 + piece.lowerBound..<100 + piece.upperBound, to: &blocks)
            }
            #expect(found == [[], [], [1]], "\(order)")
            #expect(blocks.indices.isEmpty)
        }
    }

    /// Random pieces against a flag for every byte; what is whole is held elsewhere from then on.
    @Test("Random pieces give the blocks of a model", arguments: 0..<8) func agreesWithAModel(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var blocks = BlockAssembler(blockSize: 100)
        var model = [Bool](repeating: false, count: 350)
        var held: Set<Int64> = []
        for _ in 0..<60 {
            let start = Int.random(in: 0..<350, using: &generator)
            let range = start..<min(350, start + Int.random(in: 0...130, using: &generator))
            for index in range { model[index] = true }
            held.formUnion(add(range, to: &blocks, held: held))
            let whole = (Int64(0)..<4).filter { index in
                model[Int(index) * 100..<min(350, Int(index + 1) * 100)].allSatisfy { $0 }
            }
            #expect(held.sorted() == whole)
        }
    }

    @Test("One piece completes several blocks at once")
    func manyBlocksComeAtOnce() {
        var blocks = BlockAssembler(blockSize: 100)
        #expect(add(40..<350, to: &blocks) == [1, 2, 3])
        #expect(blocks.indices == [0])
        #expect(add(0..<40, to: &blocks) == [0])
    }

    @Test("The last block is shorter, and bytes beyond the end are ignored")
    func theLastBlockIsShorterAndNothingLiesBeyond() {
        var blocks = BlockAssembler(blockSize: 100)
        #expect(add(320..<350, to: &blocks).isEmpty)
        #expect(add(300..<320, to: &blocks) == [3])
        let more = [UInt8](repeating: 1, count: 200)
        let found = more.withUnsafeBytes { more in
            [300, 350, 1_000].map { blocks.add(more, at: $0, of: 350, held: []).map(\.bytes.count) }
        }
        #expect(found == [[50], [], []])
        #expect(blocks.indices.isEmpty)
    }

    @Test("Bytes that are stored already are left out")
    func whatIsHeldElsewhereIsLeftOut() {
        var blocks = BlockAssembler(blockSize: 100)
        #expect(add(50..<350, to: &blocks, held: [0, 2]) == [1, 3])
        #expect(blocks.indices.isEmpty)
        #expect(add(0..<50, to: &blocks).isEmpty)
        blocks.remove(0)
        #expect(add(50..<100, to: &blocks).isEmpty)
    }

    @Test("The block that was touched least recently is dropped")
    func whatWasTouchedLongestAgoGoes() {
        var blocks = BlockAssembler(blockSize: 100, limit: 2)
        #expect(add(0..<50, to: &blocks).isEmpty)
        #expect(add(100..<150, to: &blocks).isEmpty)
        #expect(add(50..<60, to: &blocks).isEmpty)
        #expect(add(200..<250, to: &blocks).isEmpty)
        #expect(blocks.indices == [0, 2])
        #expect(add(150..<200, to: &blocks).isEmpty)
        #expect(blocks.indices == [2, 1])
        #expect(add(250..<300, to: &blocks) == [2])
        #expect(add(100..<150, to: &blocks) == [1])
    }
}
