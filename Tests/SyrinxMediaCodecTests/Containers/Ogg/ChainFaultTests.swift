import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

/// Chains of Ogg that lie, and lines that break while the recordings are looked for.
@Suite struct ChainFaultTests {
    private func recording(_ number: Int, _ options: [String], seconds: Int = 30) throws -> [UInt8] {
        let scratch = try ScratchDirectory()
        let source = ["-f", "lavfi", "-i", "anoisesrc=d=\(seconds):seed=\(number):r=48000:a=0.3"]
        let file = try scratch.make(source + options + ["-serial_offset", "\(77 * number)", "\(number).ogg"])
        return [UInt8](try Data(contentsOf: file))
    }

    private func vorbis(_ number: Int, _ more: [String] = ["-ac", "1"], seconds: Int = 30) throws -> [UInt8] {
        try recording(number, ["-c:a", "libvorbis"] + more, seconds: seconds)
    }

    @Test("Absurd granule positions in a chain do no harm")
    func positionsBeyondReasonDoNoHarm() throws {
        let first = try vorbis(0, ["-ac", "1", "-ar", "192000"])
        let second = try vorbis(1, ["-ac", "1", "-ar", "8000"])
        let most: Int64 = 1 << 60 - 1
        let many = try (0..<8).map { number -> [UInt8] in
            OggPages.changed(try vorbis(number, seconds: 6)) { $0 < 50_000 ? $0 : most }
        }
        let slow = try vorbis(0, ["-ac", "1", "-ar", "11025"]) + vorbis(1, ["-ac", "1", "-ar", "44100"])
        let lies: [[UInt8]] = [
            first + OggPages.changed(second) { _ in most },
            first + OggPages.changed(second) { $0 < 50_000 ? $0 : most - $0 },
            many.flatMap(\.self),
            slow,
        ]
        for bytes in lies {
            let reader = try MediaReader.open(TestStream(bytes))
            for place in [.max, 1 << 59, 2_000_000, 0] as [Int64] {
                try? reader.seek(toFrame: place)
                _ = try? reader.readAll(limit: 5000)
            }
        }
    }

    @Test("A connection that breaks while links are scanned is reported")
    func aLineThatBreaksWhileRecordingsAreLookedForIsTold() throws {
        let codecs = ["libvorbis", "flac", "libvorbis"]
        let links = try codecs.enumerated().map { try recording($0.offset, ["-c:a", $0.element, "-ac", "1"]) }
        let bytes = links.flatMap(\.self)
        let expected = try links.flatMap { try MediaReader.open(TestStream($0)).readAll() }
        for offset in [links[0].count + 100_000, bytes.count - 30_000] {
            let stream = TestStream(bytes)
            stream.isRemote = true
            let reader = try MediaReader.open(stream)
            // Straight through, and by a seek.
            for place in [0, 1_000_000, 3_000_000] {
                stream.failOffset = Int64(offset)
                do throws(SyrinxError) {
                    try reader.seek(toFrame: Int64(place))
                    let planes = Planes(count: 1, capacity: 65536)
                    while try reader.read(into: planes.pointers, frameCount: 65536) > 0 {}
                    Issue.record("nothing was told at \(place)")
                } catch {
                    #expect(error.code.rawValue == SyrinxError.Code.connectionLost.rawValue, "\(error)")
                }
                stream.failOffset = .max
                try reader.seek(toFrame: Int64(place))
                let rest = try reader.readAll()
                #expect(rest.count == expected.count - place && largestDifference(rest, expected[place...]) == 0)
            }
        }
    }

    /// A recording from the middle of a piece counts from there, and the next one from 0.
    @Test("Positions of one link do not affect the next")
    func positionsOfOneSayNothingOfTheNext() throws {
        let opus = try (1...2).map { try recording($0, ["-c:a", "libopus", "-ac", "1"]) }
        let links = try [vorbis(0), OggPages.changed(opus[0]) { $0 + 4_800_000 }, opus[1]]
        let expected = try links.flatMap { try MediaReader.open(TestStream($0)).readAll() }
        for isSeekable in [true, false] {
            let stream = TestStream(links.flatMap(\.self))
            (stream.isSeekable, stream.holdsAll) = (isSeekable, true)
            let all = try MediaReader.open(stream).readAll()
            #expect(all.count == expected.count && largestDifference(all, expected[...]) == 0, "\(isSeekable)")
        }
    }

    @Test("A last link that cannot be read is reported", arguments: [true, false]) func aLastOneThatCannotBeReadIsTold(
        isSeekable: Bool
    ) throws {
        var last = try recording(1, ["-c:a", "flac", "-ac", "1"])
        last.replaceSubrange(28..<90, with: repeatElement(0, count: 62))
        let stream = TestStream(try vorbis(0) + last)
        (stream.isSeekable, stream.holdsAll) = (isSeekable, true)
        let reader = try MediaReader.open(stream)
        #expect(try reader.readAll().count == 30 * 48000)
        #expect(reader.corruptPacketCount == 1)
    }

    /// A reader that begins in the middle gets the channels and the rate of the first recording, and the cookie of the next.
    @Test("A reader may begin in any link of a chain")
    func aReaderMayBeginInAnyRecording() throws {
        let links = try [vorbis(0, ["-ac", "2"]), vorbis(1, ["-ac", "1", "-q:a", "8"])]
        let stream = TestStream(links.flatMap(\.self))
        let whole = try MediaReader.open(stream).readAll()
        let demuxer = try MediaDemuxer.open(stream)
        #expect(demuxer.magicCookie == (try MediaDemuxer.open(TestStream(links[0])).magicCookie))
        try demuxer.seek(toFrame: 2_000_000)
        let first = try #require(demuxer.nextPacket()?.startFrame)
        #expect((1_970_000...2_000_000).contains(first), "\(first)")
        try demuxer.seek(toFrame: 2_000_000)
        #expect(demuxer.magicCookie == (try MediaDemuxer.open(TestStream(links[1])).magicCookie))
        let reader = try MediaReader.open(demuxer)
        #expect(reader.info.channelCount == 2)
        let part = try reader.readAll(limit: 1000)
        #expect(part.count == 2000)
        try reader.seek(toFrame: 2_000_000)
        let same = try reader.readAll(limit: 1000)
        #expect(same.count == 2000 && largestDifference(same, whole[4_000_000...]) == 0)
    }
}
