import SyrinxByteStream
import SyrinxTestSupport
import Testing

@Suite("SparseBuffer") struct SparseBufferTests {
    private let bytes = patternedBytes(2_000_000)

    private func insert(_ range: Range<Int>, into store: inout SparseBuffer) {
        bytes[range].withUnsafeBytes { store.insert($0, at: Int64(range.lowerBound)) }
    }

    private func copy(_ store: SparseBuffer, at offset: Int, _ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = store.copy(at: Int64(offset), into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Random pieces, overlapping as they please, against the plainest model there is: a flag for every byte.
    @Test("Random inserts give the ranges of a model", arguments: 0..<8) func agreesWithAModel(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var store = SparseBuffer(limit: .max, behind: .max)
        let size = 200_000
        var model = [Bool](repeating: false, count: size)
        for _ in 0..<60 {
            let start = Int.random(in: 0..<size, using: &generator)
            let count = Int.random(in: 0...[10, 3_000, 90_000].randomElement(using: &generator)!, using: &generator)
            let range = start..<min(size, start + count)
            insert(range, into: &store)
            for index in range { model[index] = true }
        }
        var expected: [Range<Int64>] = []
        for (index, held) in model.enumerated() where held {
            if let last = expected.last, last.upperBound == Int64(index) {
                expected[expected.count - 1] = last.lowerBound..<Int64(index + 1)
            } else {
                expected.append(Int64(index)..<Int64(index + 1))
            }
        }
        #expect(store.heldRanges == expected)
        #expect(store.heldByteCount == model.count { $0 })
        for _ in 0..<50 {
            let offset = Int.random(in: 0..<size, using: &generator)
            let run = model[offset...].prefix { $0 }.count
            #expect(store.firstMissing(from: Int64(offset)) == Int64(offset + run))
            let want = Int.random(in: 0...200_000, using: &generator)
            #expect(isSame(copy(store, at: offset, want)[...], bytes[offset..<(offset + min(run, want))]))
        }
    }

    @Test("Bytes that are on disk and not near the reader are evicted first")
    func givesUpWhatCanBeHadElsewhereAndIsNotNear() {
        var store = SparseBuffer(limit: .max, behind: .max, pinned: [0..<1_000])
        insert(0..<2_000_000, into: &store)
        store.readerOffset = 1_000_000
        let elsewhere: [Range<Int64>] = [0..<600_000, 1_300_000..<1_800_000]
        store.release(near: 100_000) { range in elsewhere.contains { $0.contains(range) } }
        // Segments are whole or gone, and what is pinned, near or nowhere else stays.
        let size = Int64(SparseBuffer.segmentSize)
        #expect(store.heldRanges == [0..<size, 9 * size..<20 * size, 27 * size..<2_000_000])
        #expect(Int64(store.heldByteCount) == store.heldRanges.reduce(0) { $0 + Int64($1.count) })
        insert(0..<2_000_000, into: &store)
        #expect(isSame(copy(store, at: 0, 2_000_000)[...], bytes[...]))
        store.release(near: 100_000) { _ in true }
        #expect(store.heldRanges == [0..<size, 13 * size..<17 * size])
    }

    @Test("The buffer stays within its limit and drops the farthest bytes behind first")
    func keepsWithinTheLimitAndDropsTheFarthestBehindFirst() {
        var store = SparseBuffer(limit: 500_000, behind: 100_000, pinned: [0..<70_000])
        for start in stride(from: 0, to: 2_000_000, by: 10_000) {
            insert(start..<(start + 10_000), into: &store)
            store.readerOffset = Int64(max(0, start - 200_000))
            #expect(store.heldByteCount <= 500_000 + SparseBuffer.segmentSize)
        }
        #expect(store.heldRanges.first?.contains(69_999) == true)
        #expect(store.firstMissing(from: store.readerOffset - 100_000) == 2_000_000)
    }

    @Test("Bytes just behind the reader are kept before bytes far ahead")
    func prefersWhatIsJustBehindToWhatIsFarAhead() {
        var store = SparseBuffer(limit: 300_000, behind: 100_000)
        store.readerOffset = 150_000
        insert(1_800_000..<1_900_000, into: &store)
        insert(50_000..<350_000, into: &store)
        #expect(store.heldRanges == [50_000..<350_000])
    }

    @Test("Bytes that the reader needs next are never evicted")
    func neverDropsWhatTheReaderComesToNext() {
        var store = SparseBuffer(limit: 100_000, behind: 100_000)
        insert(0..<1_000_000, into: &store)
        #expect(store.heldRanges == [0..<1_000_000])
        #expect(isSame(copy(store, at: 0, 1_000_000)[...], bytes[..<1_000_000]))
    }
}
