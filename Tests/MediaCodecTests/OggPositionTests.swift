import Foundation
import MediaCodec
import Testing

/// Ogg of which the positions are not those of a file that begins with its recording.
@Suite struct OggPositionTests {
    private static let codecs = ["libvorbis", "libopus", "flac"]

    private func file(_ codec: String) throws -> [UInt8] {
        let sound = "anoisesrc=d=20:seed=3:r=48000:a=0.3"
        let options = ["-c:a", codec, "-ac", "1", "-page_duration", "200000", "a.ogg"]
        let scratch = try Scratch()
        return [UInt8](try Data(contentsOf: try scratch.make(["-f", "lavfi", "-i", sound] + options)))
    }

    @Test(arguments: codecs) func theyNeedNotBeginAtZero(_ codec: String) throws {
        let bytes = try file(codec)
        let expected = try MediaReader(stream: TestStream(bytes)).readAll()
        #expect(expected.count == 960_000)
        try checkSeeks(of: changed(bytes) { $0 + 48_000_000 }, expected)
    }

    /// What somebody has recorded who came late.
    @Test(arguments: codecs) func theStartMayBeMissing(_ codec: String) throws {
        let pages = OggPages(try file(codec))
        let sound = try #require(pages.pages.firstIndex { $0.position > 0 })
        let bytes = pages.pages[..<sound].flatMap(\.bytes) + pages.pages[(sound + 10)...].flatMap(\.bytes)
        let reader = try MediaReader(stream: TestStream(bytes))
        let stated = try #require(reader.info.frameCount)
        let expected = try reader.readAll()
        #expect(stated == Int64(expected.count))
        #expect(expected.count < 920_000)
        try checkSeeks(of: bytes, expected)
    }

    /// Then they are counted, from the start.
    @Test(arguments: codecs) func theyMayAllBeZero(_ codec: String) throws {
        let bytes = changed(try file(codec)) { _ in 0 }
        let expected = try MediaReader(stream: TestStream(bytes)).readAll()
        #expect(abs(expected.count - 960_000) < 2000, "\(expected.count)")
        try checkSeeks(of: bytes, expected, knowsLength: false)
    }

    private func checkSeeks(of bytes: [UInt8], _ expected: [Float], knowsLength: Bool = true) throws {
        for isRemote in [false, true] {
            let stream = TestStream(bytes)
            stream.isRemote = isRemote
            let reader = try MediaReader(stream: stream)
            #expect(reader.info.frameCount == (knowsLength ? Int64(expected.count) : nil))
            for place in [500_000, 12, expected.count - 900, 300_000] {
                try reader.seek(toFrame: Int64(place))
                let part = try reader.readAll(limit: 2000)
                #expect(part.count == min(2000, expected.count - place), "at \(place), \(isRemote)")
                #expect(largestDifference(part, expected[place...]) == 0, "at \(place), \(isRemote)")
            }
            try reader.seek(toFrame: 700_000)
            #expect(try reader.readAll().count == expected.count - 700_000)
        }
    }

    private func changed(_ bytes: [UInt8], position: (Int64) -> Int64) -> [UInt8] {
        OggPages(bytes).pages.flatMap { page in
            page.position > 0 ? page.with(position: position(page.position)).bytes : page.bytes
        }
    }
}

/// The pages of an Ogg file, to be changed (RFC 3533, section 6).
private struct OggPages {
    struct Page {
        var bytes: [UInt8]

        var position: Int64 {
            Int64(bitPattern: bytes[6..<14].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }

        func with(position: Int64) -> Page {
            var page = self
            for index in 0..<8 { page.bytes[6 + index] = UInt8(truncatingIfNeeded: position >> (8 * index)) }
            page.bytes.replaceSubrange(22..<26, with: [0, 0, 0, 0])
            var sum: UInt32 = 0
            for byte in page.bytes {
                sum ^= UInt32(byte) << 24
                for _ in 0..<8 { sum = sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
            }
            for index in 0..<4 { page.bytes[22 + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(index))) }
            return page
        }
    }

    var pages: [Page] = []

    init(_ bytes: [UInt8]) {
        var place = 0
        while place + 27 <= bytes.count {
            let body = place + 27 + Int(bytes[place + 26])
            let end = body + bytes[place + 27..<body].reduce(0) { $0 + Int($1) }
            pages.append(Page(bytes: Array(bytes[place..<end])))
            place = end
        }
    }
}
