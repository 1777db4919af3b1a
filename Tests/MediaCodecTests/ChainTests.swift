import Foundation
import MediaCodec
import Testing

/// Recordings of Ogg one after the other in a file.
@Suite struct ChainTests {
    private static let rate = 48000

    /// Recordings that are as long, and made like this; no two have the same settings of the codec.
    private func links(_ codec: String, _ scratch: Scratch) throws -> [[UInt8]] {
        try [(50_123, "3"), (9_000, "8"), (30_000, "5")].enumerated().map { index, link in
            let length = Double(link.0) / Double(Self.rate)
            let source =
                "aevalsrc=0.3*sin(2*PI*(\(300 + 200 * index)+90*t)*t)|0.3*sin(2*PI*550*t):s=\(Self.rate):d=\(length)"
            let quality = codec == "libvorbis" ? ["-q:a", link.1] : []
            let options = ["-c:a", codec] + quality + ["-serial_offset", "\(index * 77)", "\(index).ogg"]
            return [UInt8](try Data(contentsOf: try scratch.make(["-f", "lavfi", "-i", source] + options)))
        }
    }

    @Test(arguments: ["libvorbis", "libopus", "flac"]) func isOneAfterTheOther(_ codec: String) throws {
        let scratch = try Scratch()
        let links = try links(codec, scratch)
        let expected = try links.flatMap { try MediaReader(stream: TestStream($0)).readAll() }
        #expect(expected.count == 2 * (50_123 + 9_000 + 30_000))
        let bytes = links.flatMap(\.self)
        let reader = try MediaReader(stream: TestStream(bytes))
        // Nothing at the start or at the end tells how long it is: what there is is an estimate, and says so.
        #expect(reader.info.frameCount == nil)
        #expect(!reader.info.durationIsExact)
        let samples = try reader.readAll()
        #expect(samples == expected)
        #expect(reader.corruptPacketCount == 0 && reader.concealedFrameCount == 0)
        #expect(reader.info.frameCount == Int64(expected.count / 2))
        #expect(try MediaReader.countFrames(of: TestStream(bytes)) == Int64(expected.count / 2))
        for place in [60_000, 7, 50_122, 50_123, 59_200, expected.count / 2 - 5, 0] {
            try reader.seek(toFrame: Int64(place))
            let part = try reader.readAll(limit: 2000)
            #expect(part.count == 2 * min(2000, expected.count / 2 - place), "at \(place)")
            #expect(largestDifference(part, expected[(2 * place)...]) == 0, "at \(place)")
        }
        // A broadcast is a chain too, and cannot be looked at from its end.
        let live = TestStream(bytes)
        live.isSeekable = false
        live.hidesLength = true
        live.portion = 1000
        #expect(try MediaReader(stream: live).readAll() == expected)
    }

    @Test func anotherRateIsBroughtToTheFirst() throws {
        let scratch = try Scratch()
        let first = try links("libvorbis", scratch)[0]
        let slow = try scratch.make(
            ["-f", "lavfi", "-i", "sine=440:r=24000:d=1", "-c:a", "libvorbis", "-serial_offset", "9", "slow.ogg"]
        )
        let samples = try MediaReader(stream: TestStream(first + [UInt8](try Data(contentsOf: slow)))).readAll()
        #expect(abs(samples.count / 2 - 50_123 - 48_000) < 100, "\(samples.count / 2)")
    }
}
