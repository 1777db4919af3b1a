import Foundation
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec

@Suite("Tags inside containers")
struct TagsWithinTests {
    private func look(_ bytes: [UInt8]) -> TagsWithin.Look {
        { offset, count in
            0..<Int64(bytes.count) ~= offset ? Array(bytes[Int(offset)...].prefix(count)) : []
        }
    }

    private func box(_ kind: [UInt8], _ body: [UInt8]) -> [UInt8] { TagBytes.number(body.count + 8, 4) + kind + body }
    private func box(_ kind: String, _ body: [UInt8]) -> [UInt8] { box(Array(kind.utf8), body) }
    private func data(_ type: Int, _ value: [UInt8]) -> [UInt8] {
        box("data", TagBytes.number(type, 4) + [0, 0, 0, 0] + value)
    }

    @Test("MP4: a field of several values keeps all, and a picture of no stated format is the cover")
    func mp4() throws {
        let scratch = try ScratchDirectory()
        let file = scratch.url("a.m4a")
        let settings = MediaWriterSettings(tags: ["title": "T", "artist": "None"])
        let writer = try MediaWriter(path: file.path, sampleRate: 44100, channelCount: 1, settings: settings)
        let planes = Planes(interleaved: [Float](repeating: 0.25, count: 22050), count: 1)
        try writer.write(planes.pointers, frameCount: 22050)
        try writer.finish()
        let picture = TagBytes.png(30, 40)
        let items =
            box([0xA9] + Array("ART".utf8), data(1, Array("One".utf8)) + data(1, Array("Zwei ☃".utf8)))
            + box(
                "----",
                box("mean", [0, 0, 0, 0]) + box("name", [0, 0, 0, 0] + Array("MOOD".utf8))
                    + data(1, Array("Calm".utf8)) + data(1, Array("Dark".utf8))
            )
            + box("covr", data(0, picture) + data(0, TagBytes.png(1, 1)))
        let plain = [UInt8](try Data(contentsOf: file))
        let bytes = try #require(ITunesAtom.insert(items, into: plain))
        let demuxer = try MediaDemuxer.open(TestStream(bytes))
        #expect(demuxer.info.tags["artist"] == "None;One;Zwei ☃")
        #expect(demuxer.info.tags["mood"] == "Calm;Dark")
        #expect(demuxer.info.tags["title"] == "T")
        #expect(demuxer.artwork?.data == picture)
        #expect(demuxer.info.artwork?.width == 30)
        // Bytes that are not at hand are not fetched for this.
        let remote = TestStream(bytes)
        remote.isRemote = true
        #expect(try MediaDemuxer.open(remote).info.tags["title"] == "T")
    }

    @Test("AIFF and WAVE: the tag of ID3v2 in a chunk keeps all values", arguments: ["aiff", "wav"])
    func chunks(ending: String) throws {
        let scratch = try ScratchDirectory()
        let file = scratch.url("a.\(ending)")
        let writer = try MediaWriter(
            path: file.path,
            sampleRate: 44100,
            channelCount: 1,
            settings: MediaWriterSettings()
        )
        let planes = Planes(interleaved: [Float](repeating: 0.25, count: 4410), count: 1)
        try writer.write(planes.pointers, frameCount: 4410)
        try writer.finish()
        var bytes = [UInt8](try Data(contentsOf: file))
        let frames = TagBytes.frame("TPE1", TagBytes.text("One\0Two\0Six"))
        let tag = TagBytes.id3(frames + TagBytes.frame("APIC", TagBytes.picture(TagBytes.png(5, 6))))
        let size = TagBytes.number(tag.count, 4)
        bytes += Array((ending == "wav" ? "id3 " : "ID3 ").utf8) + (ending == "wav" ? size.reversed() : size) + tag
        let whole = TagBytes.number(bytes.count - 8, 4)
        bytes.replaceSubrange(4..<8, with: ending == "wav" ? whole.reversed() : whole)
        let info = try MediaDemuxer.open(TestStream(bytes)).info
        #expect(info.tags["artist"] == "One;Two;Six")
        #expect(info.artwork?.width == 5)
        #expect(info.frameCount == 4410)
    }

    @Test("DSF: the tag at the end is found by the header")
    func dsf() {
        let tag = TagBytes.id3(TagBytes.frame("TPE1", TagBytes.text("One\0Two")))
        let head = Array("DSD ".utf8) + [UInt8](repeating: 0, count: 16) + [40] + [UInt8](repeating: 0, count: 19)
        #expect(ID3Chunk.readDSF(look(head + tag)).texts == ["artist": "One;Two"])
        #expect(ID3Chunk.readDSF(look(head)).texts.isEmpty)
    }

    @Test("ASF: fields that are there more than once keep all values")
    func asf() {
        func wide(_ text: String) -> [UInt8] { text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } + [0, 0] }
        func small(_ value: Int, _ width: Int) -> [UInt8] { TagBytes.number(value, width).reversed() }
        func object(_ start: [UInt8], _ body: [UInt8]) -> [UInt8] {
            start + [UInt8](repeating: 0, count: 8) + small(body.count + 24, 8) + body
        }
        let texts = ["T", "One", "", ""].map(wide)
        let content = object(
            [0x33, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11],
            texts.flatMap { small($0.count, 2) } + [0, 0] + texts.flatMap { $0 }
        )
        let fields = [("Author", "Two"), ("WM/Genre", "Rock"), ("WM/Genre", "Pop"), ("WM/Year", "1999")]
        let extended = object(
            [0x40, 0xA4, 0xD0, 0xD2, 0x07, 0xE3, 0xD2, 0x11],
            small(fields.count, 2)
                + fields.flatMap { name, value -> [UInt8] in
                    let head = small(wide(name).count, 2) + wide(name) + [0, 0]
                    return head + small(wide(value).count, 2) + wide(value)
                }
        )
        let body = content + extended
        let start: [UInt8] = [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]
        let bytes = start + [UInt8](repeating: 0, count: 8) + small(body.count + 30, 8) + small(2, 4) + [1, 2] + body
        #expect(ASFTags.read(look(bytes)).texts == ["artist": "One;Two", "genre": "Rock;Pop"])
        for count in stride(from: bytes.count, to: 0, by: -3) { _ = ASFTags.read(look(Array(bytes.prefix(count)))) }
    }

    @Test("Matroska: fields keep all values, and chapters are all there in order of time", arguments: [false, true])
    func matroska(atEnd: Bool) {
        func element(_ identifier: [UInt8], _ body: [UInt8]) -> [UInt8] {
            identifier + [0x10 | UInt8(body.count >> 24)] + TagBytes.number(body.count, 4).dropFirst() + body
        }
        func field(_ name: String, _ text: String) -> [UInt8] {
            element([0x67, 0xC8], element([0x45, 0xA3], Array(name.utf8)) + element([0x44, 0x87], Array(text.utf8)))
        }
        func chapter(_ start: Int, _ title: String, until end: Int? = nil) -> [UInt8] {
            let fields: [(Int, Int?)] = [(0x91, start), (0x92, end)]
            let times = fields.flatMap { identifier, seconds -> [UInt8] in
                seconds.map { element([UInt8(identifier)], TagBytes.number($0 * 1_000_000_000, 8)) } ?? []
            }
            return element([0xB6], times + element([0x80], element([0x85], Array(title.utf8))))
        }
        let ofChapter = element([0x63, 0xC0], element([0x63, 0xC4], [1]))
        let tags = element(
            [0x12, 0x54, 0xC3, 0x67],
            element([0x73, 0x73], field("ARTIST", "One") + field("ARTIST", "Two") + field("TITLE", "T"))
                + element([0x73, 0x73], ofChapter + field("TITLE", "C") + field("TITLE", "D"))
        )
        let cluster = element([0x1F, 0x43, 0xB6, 0x75], [0xE7, 0x81, 0])
        // The list at the start takes 31 bytes, whatever the place.
        let seek =
            element([0x53, 0xAB], [0x12, 0x54, 0xC3, 0x67]) + element([0x53, 0xAC], [UInt8(31 + cluster.count)])
        let head = element([0x11, 0x4D, 0x9B, 0x74], element([0x4D, 0xBB], seek))
        let segment = atEnd ? head + cluster + tags : tags + cluster
        #expect(!atEnd || head.count == 31)
        let bytes = element([0x1A, 0x45, 0xDF, 0xA3], []) + element([0x18, 0x53, 0x80, 0x67], segment)
        #expect(MatroskaTags.read(look(bytes)).texts == ["artist": "One;Two"])
        let chapters = element(
            [0x10, 0x43, 0xA7, 0x70],
            element([0x45, 0xB9], chapter(2, "Two", until: 3) + chapter(0, "Zero") + chapter(1, "One"))
        )
        let list = MatroskaTags.read(
            look(element([0x1A, 0x45, 0xDF, 0xA3], []) + element([0x18, 0x53, 0x80, 0x67], chapters + cluster))
        )
        #expect(list.chapters.map(\.title) == ["Zero", "One", "Two"])
        #expect(list.chapters.map { [$0.start, $0.end] } == [[0, 1], [1, 2], [2, 3]])
        for count in stride(from: bytes.count, to: 0, by: -1) {
            _ = MatroskaTags.read(look(Array(bytes.prefix(count))))
        }
    }
}
