import Testing

@testable import SyrinxByteStream

@Suite("FNV-1a")
struct FNV1aTests {
    @Test(
        "The hashes are those of the authors' list of test vectors",
        arguments: [
            ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
            ("chongo was here!\n", 0x4681_0940_EFF5_F915),
        ] as [(String, UInt64)]
    )
    func agreesWithVectors(text: String, hash: UInt64) {
        #expect(FNV1a.hash(of: text.utf8) == hash)
    }

    @Test("Bytes that come in pieces have the hash of the whole")
    func takesPieces() {
        var hash = FNV1a()
        hash.update("foo".utf8)
        hash.update([])
        hash.update(CollectionOfOne(UInt8(ascii: "b")))
        hash.update("ar".utf8)
        #expect(hash.value == FNV1a.hash(of: "foobar".utf8))
    }
}
