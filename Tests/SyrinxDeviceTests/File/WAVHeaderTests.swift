import Foundation
import SyrinxDevice
import SyrinxTestSupport
import Testing

@Suite struct WAVHeaderTests {
    private let header = WAVHeader(format: DeviceFormat(sampleRate: 44_100, channelCount: 2))

    private func text(_ bytes: [UInt8], _ offset: Int) -> String {
        String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
    }

    private func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> UInt64 {
        bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    @Test("The header of a short file has the sizes of RIFF", arguments: [0, 8, 800, 4_294_967_200 as UInt64])
    func short(dataByteCount: UInt64) {
        let bytes = header.bytes(dataByteCount: dataByteCount)
        #expect(bytes.count == WAVHeader.byteCount)
        #expect([0, 8, 12, 48, 72, 84].map { text(bytes, $0) } == ["RIFF", "WAVE", "JUNK", "fmt ", "fact", "data"])
        #expect(number(bytes, 4, 4) == dataByteCount + 84)
        #expect(number(bytes, 16, 4) == 28)
        #expect(number(bytes, 56, 2) == 3)
        #expect(number(bytes, 58, 2) == 2)
        #expect(number(bytes, 60, 4) == 44_100)
        #expect(number(bytes, 64, 4) == 352_800)
        #expect(number(bytes, 80, 4) == dataByteCount / 8)
        #expect(number(bytes, 88, 4) == dataByteCount)
    }

    @Test(
        "The header of a file beyond 4 GiB is RF64",
        arguments: [4_294_967_211, 4_294_967_296, 6_000_000_000 as UInt64]
    )
    func long(dataByteCount: UInt64) {
        let bytes = header.bytes(dataByteCount: dataByteCount)
        #expect(bytes.count == WAVHeader.byteCount)
        #expect([0, 8, 12, 84].map { text(bytes, $0) } == ["RF64", "WAVE", "ds64", "data"])
        #expect(number(bytes, 4, 4) == 0xFFFF_FFFF)
        #expect(number(bytes, 20, 8) == dataByteCount + 84)
        #expect(number(bytes, 28, 8) == dataByteCount)
        #expect(number(bytes, 36, 8) == dataByteCount / 8)
        #expect(number(bytes, 88, 4) == 0xFFFF_FFFF)
    }

    @Test("The header of a file beyond 4 GiB is read by ffprobe")
    func ffprobeReadsALongFile() throws {
        let directory = try ScratchDirectory()
        let path = directory.file("a.wav")
        // Five hours: a hole in the file system, which takes no room.
        let dataByteCount: UInt64 = 18_000 * 352_800
        try Data(header.bytes(dataByteCount: dataByteCount)).write(to: directory.url("a.wav"))
        #expect(truncate(path, Int(dataByteCount) + WAVHeader.byteCount) == 0)
        let result = try runProcess(
            "ffprobe",
            ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path]
        )
        #expect(result.output == "18000.000000\n")
    }
}
