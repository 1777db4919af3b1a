import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec

@Suite("CUE sheets in recordings")
struct CueSheetChapterTests {
    /// Three seconds of FLAC.
    private func flac(_ tags: [String: String] = [:]) throws -> [UInt8] {
        let scratch = try ScratchDirectory()
        let file = scratch.url("a.flac")
        let settings = MediaWriterSettings(tags: tags)
        let writer = try MediaWriter(path: file.path, sampleRate: 44100, channelCount: 1, settings: settings)
        let planes = Planes(interleaved: (0..<132_300).map { Float(0.4 * sin(Double($0) * 0.05)) }, count: 1)
        try writer.write(planes.pointers, frameCount: 132_300)
        try writer.finish()
        return [UInt8](try Data(contentsOf: file))
    }

    private let text = """
        PERFORMER "P"
        FILE "a.flac" WAVE
          TRACK 01 AUDIO
            TITLE "One"
            INDEX 01 00:00:00
          TRACK 02 AUDIO
            TITLE "Two"
            INDEX 00 00:00:60
            INDEX 01 00:01:00
          TRACK 03 AUDIO
            TITLE "Three"
            INDEX 01 00:02:00
        """

    /// The block of the same sheet.
    private func sheetBlock(isrc: Bool = false) -> [UInt8] {
        func track(_ number: UInt8, _ offset: Int, _ indices: [(offset: Int, number: UInt8)]) -> [UInt8] {
            let code = isrc && number < 100 ? Array("ABCDE1234567".utf8) : [UInt8](repeating: 0, count: 12)
            let points = indices.flatMap { index -> [UInt8] in
                TagBytes.number(index.offset, 8) + [index.number, 0, 0, 0]
            }
            let head = TagBytes.number(offset, 8) + [number] + code + [UInt8](repeating: 0, count: 14)
            return head + [UInt8(indices.count)] + points
        }
        let tracks = [
            track(1, 0, [(0, 1)]), track(2, 35_280, [(0, 0), (8_820, 1)]), track(3, 88_200, [(0, 1)]),
            track(170, 132_300, []),
        ]
        let head = [UInt8](repeating: 0, count: 128) + TagBytes.number(88_200, 8) + [0x80]
        return head + [UInt8](repeating: 0, count: 258) + [UInt8(tracks.count)] + tracks.flatMap { $0 }
    }

    private func chapters(_ bytes: [UInt8]) throws -> (info: MediaInfo, times: [[Double]]) {
        let info = try MediaDemuxer.open(TestStream(bytes)).info
        return (info, info.chapters.map { [$0.start, $0.end] })
    }

    @Test("A sheet in a tag gives the chapters, and is no tag to show")
    func tag() throws {
        let (info, times) = try chapters(try flac(["cuesheet": text, "title": "Disc"]))
        #expect(times == [[0, 1], [1, 2], [2, 3]])
        #expect(info.chapters.map(\.title) == ["One", "Two", "Three"])
        #expect(info.tags["cuesheet"] == nil && info.tags["title"] == "Disc")
    }

    @Test("A sheet of several files is not one of this recording")
    func otherSheet() throws {
        let sheet = text.replacingOccurrences(of: "TRACK 03", with: "FILE \"b.flac\" WAVE\n TRACK 03")
        let (info, times) = try chapters(try flac(["cuesheet": sheet]))
        #expect(times.isEmpty && info.tags["cuesheet"] != nil)
    }

    @Test("The tracks of a block begin behind the pause before them", arguments: [false, true])
    func block(isrc: Bool) throws {
        var bytes = try flac()
        // Behind the first block, STREAMINFO.
        let block = sheetBlock(isrc: isrc)
        bytes.insert(contentsOf: [5] + TagBytes.number(block.count, 3) + block, at: 42)
        let (info, times) = try chapters(bytes)
        #expect(times == [[0, 1], [1, 2], [2, 3]])
        #expect(info.chapters.map(\.title) == [nil, nil, nil])
    }

    @Test("A block of any bytes is read to its end")
    func hostile() {
        var bytes = sheetBlock()
        #expect(FLACCueSheet.chapters(in: bytes[...], sampleRate: 0).isEmpty)
        for count in stride(from: bytes.count, to: 300, by: -7) {
            _ = FLACCueSheet.chapters(in: bytes[..<count], sampleRate: 44100)
        }
        for index in 396..<bytes.count {
            bytes[index] = 0xFF
            _ = FLACCueSheet.chapters(in: bytes[...], sampleRate: 44100)
        }
    }
}
