import Foundation
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// Ogg of which the positions are not those of a file that begins with its recording.
@Suite struct OggPositionTests {
    private static let codecs = ["libvorbis", "libopus", "flac"]

    private func file(_ codec: String) throws -> [UInt8] {
        let sound = "anoisesrc=d=20:seed=3:r=48000:a=0.3"
        let options = ["-c:a", codec, "-ac", "1", "-page_duration", "200000", "a.ogg"]
        let scratch = try ScratchDirectory()
        return [UInt8](try Data(contentsOf: try scratch.make(["-f", "lavfi", "-i", sound] + options)))
    }

    @Test("Granule positions may start above 0", arguments: codecs) func theyNeedNotBeginAtZero(_ codec: String) throws
    {
        let bytes = try file(codec)
        let expected = try MediaReader.open(TestStream(bytes)).readAll()
        #expect(expected.count == 960_000)
        try checkSeeks(of: OggPages.changed(bytes) { $0 + 48_000_000 }, expected)
    }

    /// A recording that was started late.
    @Test("The first pages may be missing", arguments: codecs) func theStartMayBeMissing(_ codec: String) throws {
        let pages = OggPages(try file(codec))
        let sound = try #require(pages.pages.firstIndex { $0.position > 0 })
        let bytes = pages.pages[..<sound].flatMap(\.bytes) + pages.pages[(sound + 10)...].flatMap(\.bytes)
        let reader = try MediaReader.open(TestStream(bytes))
        let stated = try #require(reader.info.frameCount)
        let expected = try reader.readAll()
        #expect(stated == Int64(expected.count))
        #expect(expected.count < 920_000)
        try checkSeeks(of: bytes, expected)
    }

    /// Then they are counted, from the start.
    @Test("All granule positions may be 0", arguments: codecs) func theyMayAllBeZero(_ codec: String) throws {
        let bytes = OggPages.changed(try file(codec)) { _ in 0 }
        let expected = try MediaReader.open(TestStream(bytes)).readAll()
        #expect(abs(expected.count - 960_000) < 2000, "\(expected.count)")
        try checkSeeks(of: bytes, expected, knowsLength: false)
    }

    private func checkSeeks(of bytes: [UInt8], _ expected: [Float], knowsLength: Bool = true) throws {
        for isRemote in [false, true] {
            let stream = TestStream(bytes)
            stream.isRemote = isRemote
            let reader = try MediaReader.open(stream)
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

    /// A download that was broken off: its last page is incomplete, and states nothing.
    @Test("The last page may be missing", arguments: codecs) func theEndMayBeMissing(_ codec: String) throws {
        let options = ["-c:a", codec, "-ac", "1", "-b:a", "160k", "a.ogg"]
        let scratch = try ScratchDirectory()
        let made = try scratch.make(["-f", "lavfi", "-i", "anoisesrc=d=120:seed=3:r=48000:a=0.3"] + options)
        let whole = [UInt8](try Data(contentsOf: made))
        for share in [0.9, 0.82, 0.77, 0.7] {
            let remote = TestStream(Array(whole[..<Int(Double(whole.count) * share)]))
            remote.isRemote = true
            let reader = try MediaReader.open(remote)
            let count = try #require(reader.info.frameCount, "\(share)")
            #expect(abs(Double(count) / 5_760_000 - share) < 0.1, "\(count) at \(share)")
            try reader.seek(toFrame: count / 2)
            #expect(try reader.readAll(limit: 1000).count == 1000)
            #expect(remote.receivedCount < remote.bytes.count / 2, "\(remote.receivedCount) of \(remote.bytes.count)")
        }
    }
}
