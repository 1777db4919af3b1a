import Testing

@testable import SyrinxMediaCodec

@Suite struct RecentBytesTests {
    private func keep(_ bytes: [UInt8], at offset: Int64, in recent: inout RecentBytes) {
        bytes.withUnsafeBufferPointer { recent.keep($0, at: offset) }
    }

    @Test("Bytes that follow are appended")
    func bytesThatFollowAreAppended() {
        var recent = RecentBytes(count: 8)
        keep([1, 2], at: 0, in: &recent)
        keep([3], at: 2, in: &recent)
        #expect(recent.bytes == [1, 2, 3] && recent.offset == 0)
    }

    @Test("Bytes that are read again replace the end")
    func bytesThatAreReadAgainTakeThePlaceOfTheEnd() {
        var recent = RecentBytes(count: 8)
        keep([1, 2, 3, 4], at: 10, in: &recent)
        keep([7, 8, 9], at: 12, in: &recent)
        #expect(recent.bytes == [1, 2, 7, 8, 9] && recent.offset == 10)
    }

    @Test("Bytes from another offset replace all", arguments: [9, 15] as [Int64]) func bytesFromElsewhereBeginAnew(
        offset: Int64
    ) {
        var recent = RecentBytes(count: 8)
        keep([1, 2, 3, 4], at: 10, in: &recent)
        keep([5], at: offset, in: &recent)
        #expect(recent.bytes == [5] && recent.offset == offset)
    }

    @Test("The last bytes are kept in bounded memory")
    func theLastBytesAreKeptAndTheirNumberIsBounded() {
        var recent = RecentBytes(count: 8)
        for number in 0..<100 {
            keep([UInt8(number)], at: Int64(number), in: &recent)
            #expect(recent.bytes.count <= 16 && recent.bytes.count >= min(number + 1, 8))
            #expect(recent.offset + Int64(recent.bytes.count) == Int64(number + 1))
            #expect(recent.bytes.first == UInt8(recent.offset))
        }
    }
}
