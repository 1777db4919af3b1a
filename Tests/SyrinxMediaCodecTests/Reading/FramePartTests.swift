import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec

@Suite("Parts of recordings")
struct FramePartTests {
    private static let tone = "aevalsrc=0.3*sin(2*PI*(200*t+80*t*t))|0.2*sin(2*PI*550*t):s=44100:d=3"

    private func make(_ name: String) throws -> [UInt8] {
        let scratch = try ScratchDirectory()
        return [UInt8](try Data(contentsOf: try scratch.make(["-f", "lavfi", "-i", Self.tone, name])))
    }

    private func rest(of reader: MediaReader) throws -> [Float] {
        let planes = Planes(count: reader.info.channelCount, capacity: 1000)
        var samples: [Float] = []
        while case let count = try reader.read(into: UnsafePointer(planes.pointers), frameCount: 1000), count > 0 {
            samples += planes.interleaved(count)
        }
        return samples
    }

    @Test(
        "A part is read as if it were all, and seeks stay in it",
        arguments: [(true, "a.flac"), (false, "a.flac"), (true, "a.wav")]
    )
    func isRead(isSeekable: Bool, name: String) throws {
        let bytes = try make(name)
        let all: [Float] = try rest(of: try MediaReader.open(TestStream(bytes)))
        let stream = TestStream(bytes)
        stream.isSeekable = isSeekable
        let reader = try MediaReader.open(stream)
        try reader.select(from: 0.5, to: 1.25)
        let expected = Array(all[2 * 22_050..<2 * 55_125])
        #expect(reader.position == 0 && reader.info.frameCount == 33_075 && reader.info.duration == 0.75)
        #expect(try rest(of: reader) == expected && reader.position == 33_075)
        guard isSeekable else { return }
        for frame in [10_000, 0, 33_074] as [Int64] {
            try reader.seek(toFrame: frame)
            #expect(reader.position == frame)
            let found = try rest(of: reader)
            #expect(found == Array(expected.dropFirst(2 * Int(frame))))
        }
        try reader.seek(toFrame: 50_000)
        #expect(try reader.position == 33_075 && rest(of: reader).isEmpty)
        let tail = try MediaReader.open(TestStream(bytes))
        try tail.select(from: 1.25, to: nil)
        let found = try rest(of: tail)
        #expect(found == Array(all.dropFirst(2 * 55_125)) && tail.info.frameCount == 132_300 - 55_125)
    }

    @Test("Lengths and chapters are those of the part")
    func isToldOfPart() throws {
        var info = try MediaDemuxer.open(TestStream(try make("a.wav"))).info
        info.chapters = [
            MediaChapter(start: 0, end: 1, title: "a"), MediaChapter(start: 1, end: 2, title: "b"),
            MediaChapter(start: 2, end: 3, title: "c"),
        ]
        let part = FramePart(from: 0.5, to: 1.5, sampleRate: 44100)
        let chapters = [MediaChapter(start: 0, end: 0.5, title: "a"), MediaChapter(start: 0.5, end: 1, title: "b")]
        #expect(part.info(of: info).chapters == chapters)
        info.frameCount = nil
        #expect(FramePart(from: 1, to: nil, sampleRate: 44100).info(of: info).duration == 2)
        info.duration = nil
        #expect(FramePart(from: 1, to: 3, sampleRate: 44100).info(of: info).duration == 2)
        #expect(FramePart(from: 1, to: nil, sampleRate: 44100).info(of: info).duration == nil)
        #expect(FramePart(from: 0, to: nil, sampleRate: 44100).info(of: info) == info)
    }

    @Test("Numbers without sense do not trap", arguments: [-1, .nan, .infinity, -.infinity, 1e300])
    func hostile(number: Double) throws {
        let info = try MediaDemuxer.open(TestStream(try make("a.wav"))).info
        for (start, end) in [(number, nil), (0, number), (number, number)] as [(Double, Double?)] {
            for rate in [1, 44_100, 2_147_483_647.0] {
                let part = FramePart(from: start, to: end, sampleRate: rate)
                _ = part.info(of: info)
                #expect(part.start >= 0 && part.end >= part.start)
                #expect(part.recordingFrame(.max) == part.end && part.recordingFrame(.min) == part.start)
            }
        }
    }

    @Test("A part behind the end is an error", arguments: ["a.wav", "a.ogg"])
    func behindTheEnd(name: String) throws {
        let reader = try MediaReader.open(TestStream(try make(name)))
        #expect { try reader.select(from: 3, to: nil) } throws: { ($0 as? SyrinxError)?.code == .truncated }
    }
}
