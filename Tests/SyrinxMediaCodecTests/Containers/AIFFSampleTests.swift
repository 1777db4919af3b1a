import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec

@Suite("AIFF-C samples that libavformat does not know")
struct AIFFSampleTests {
    private static let values: [Int32] = (0..<2000).map { Int32(($0 * 7919) % 60_000 - 30_000) << 16 }

    private func number(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(value >> (8 * $0) & 255) }
    }

    private func chunk(_ kind: String, _ body: [UInt8]) -> [UInt8] {
        Array(kind.utf8) + number(body.count, 4) + body + (body.count % 2 == 0 ? [] : [0])
    }

    /// - Parameter isUnsigned: Whether the middle is half of the largest number.
    private func file(_ type: String, bits: Int, isLittle: Bool, isUnsigned: Bool) -> [UInt8] {
        let width = (bits + 7) / 8
        let data = Self.values.flatMap { value -> [UInt8] in
            let pattern = UInt32(bitPattern: value) ^ (isUnsigned ? 1 << 31 : 0)
            let bytes = (0..<width).map { UInt8(pattern >> (24 - 8 * UInt32($0)) & 255) }
            return isLittle ? bytes.reversed() : bytes
        }
        // 44,100 as a number of 80 bits.
        let rate: [UInt8] = [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]
        let common = number(1, 2) + number(Self.values.count, 4) + number(bits, 2) + rate + Array(type.utf8) + [0, 0]
        let body =
            chunk("FVER", number(0xA280_5140, 4)) + chunk("COMM", common) + chunk("SSND", number(0, 8) + data)
        return Array("FORM".utf8) + number(body.count + 4, 4) + Array("AIFC".utf8) + body
    }

    @Test(
        "They are read as they are, from the start and from elsewhere",
        arguments: [
            ("sowt", 8, true, false), ("sowt", 16, true, false), ("sowt", 24, true, false), ("sowt", 32, true, false),
            ("42ni", 24, true, false), ("23ni", 32, true, false), ("in24", 24, false, false), ("raw ", 8, false, true),
            ("raw ", 16, false, true), ("raw ", 24, false, true), ("NONE", 24, false, false),
        ]
    )
    func samples(type: String, bits: Int, isLittle: Bool, isUnsigned: Bool) throws {
        let bytes = file(type, bits: bits, isLittle: isLittle, isUnsigned: isUnsigned)
        let expected = Self.values.map { value in
            Float((value >> (32 - Int32(bits))) << (32 - Int32(bits))) / 2_147_483_648
        }
        let reader = try MediaReader.open(TestStream(bytes))
        #expect(reader.info.frameCount == Int64(expected.count) && reader.info.container == "aiff")
        #expect(try reader.readAll() == expected)
        try reader.seek(toFrame: 777)
        #expect(try reader.readAll() == Array(expected[777...]))
        let pipe = TestStream(bytes)
        (pipe.isSeekable, pipe.hidesLength) = (false, true)
        #expect(try MediaReader.open(pipe).readAll() == expected)
    }
}
