import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxMediaCodec

@Suite("Tags of MP3 files")
struct TagReadingTests {
    private func info(_ bytes: [UInt8]) throws -> MediaInfo { try MediaDemuxer.open(TestStream(bytes)).info }

    @Test("A tag that is unsynchronised, as a whole or frame by frame, keeps its title and its cover")
    func unsynchronised() throws {
        let sound = try TagBytes.mp3()
        let file = TagBytes.png(320, 200)
        let title = TagBytes.wide("\u{FF}\u{E0} T")
        let picture = TagBytes.picture(file)
        let plain = { (version: UInt8) in
            TagBytes.frame("TIT2", title, version: version) + TagBytes.frame("APIC", picture, version: version)
        }
        let each = { (flags: UInt8) in
            TagBytes.frame("TIT2", TagBytes.unsynchronised(title), flags: flags)
                + TagBytes.frame("APIC", TagBytes.unsynchronised(picture), flags: flags)
        }
        let tags = [
            TagBytes.id3(plain(3), version: 3),
            TagBytes.id3(TagBytes.unsynchronised(plain(3)), version: 3, flags: 0x80),
            TagBytes.id3(each(2), flags: 0x80), TagBytes.id3(each(2)), TagBytes.id3(each(0), flags: 0x80),
            // The flag lies: nothing is unsynchronised.
            TagBytes.id3(plain(4), flags: 0x80),
        ]
        for (index, tag) in tags.enumerated() {
            for isRemote in [false, true] {
                let stream = TestStream(tag + sound)
                (stream.isRemote, stream.portion) = (isRemote, 1400)
                let demuxer = try MediaDemuxer.open(stream)
                #expect(demuxer.info.tags["title"] == "\u{FF}\u{E0} T", "\(index)")
                let expected = MediaArtwork(mimeType: "image/png", width: 320, height: 200, byteCount: file.count)
                #expect(demuxer.info.artwork == expected, "\(index)")
                #expect(demuxer.artwork?.data == file, "\(index)")
                #expect(demuxer.info.frameCount == 22050, "\(index)")
            }
        }
    }

    @Test("Texts without a byte order mark are read", arguments: [false, true])
    func unmarked(bigEndian: Bool) throws {
        let frames = ["Title": "TIT2", "Прощай": "TALB", "日本語の歌": "TPE1"].map { text, id in
            TagBytes.frame(id, TagBytes.wide(text, marked: false, bigEndian: bigEndian), version: 3)
        }
        let tags = try #require(ID3v2Tag(TagBytes.id3(frames.flatMap { $0 }, version: 3))).list.texts
        #expect(tags["title"] == "Title")
        #expect(tags["album"] == "Прощай")
    }

    @Test("All values of a field are kept, and numbers of genres are names")
    func severalValues() throws {
        let tag = TagBytes.id3(
            TagBytes.frame("TPE1", TagBytes.text("One\0Two\0Three\0Two"))
                + TagBytes.frame("TPE1", TagBytes.text("Four"))
                + TagBytes.frame("TCON", TagBytes.text("17\0(13)Pop\0(4)Eurodisco\0(RX)"))
                + TagBytes.frame("TXXX", TagBytes.text("Mood\0Calm\0Dark"))
                + TagBytes.frame("COMM", [0] + Array("eng\0the comment".utf8))
                + TagBytes.frame("COMM", [0] + Array("engiTunNORM\0 00000".utf8))
                + TagBytes.frame("USLT", [0] + Array("eng\0la la".utf8))
        )
        let tags = try info(tag + TagBytes.mp3()).tags
        #expect(tags["artist"] == "One;Two;Three;Four")
        #expect(tags["genre"] == "Rock;Pop;Disco;Eurodisco;Remix")
        #expect(tags["mood"] == "Calm;Dark")
        #expect(tags["comment"] == "the comment")
        #expect(tags["lyrics-eng"] == "la la")
    }

    @Test("Extended headers, groups, lengths and sizes in whole bytes are passed over")
    func headers() {
        let title = TagBytes.text("Title")
        let frame = { (version: UInt8) in TagBytes.frame("TIT2", title, version: version) }
        let long = [3] + [UInt8](repeating: 0x61, count: 300)
        let tags = [
            TagBytes.id3([0, 0, 0, 6, 0, 0, 0, 0, 0, 0] + frame(3), version: 3, flags: 0x40),
            TagBytes.id3([0, 0, 0, 6, 1, 0] + frame(4), flags: 0x40),
            TagBytes.id3(TagBytes.frame("TIT2", [7] + title, version: 3, flags: 0x20), version: 3),
            TagBytes.id3(TagBytes.frame("TIT2", [7, 0, 0, 0, 6] + title, flags: 0x41)),
            TagBytes.id3(Array("TALB".utf8) + TagBytes.number(long.count, 4) + [0, 0] + long + frame(4)),
            TagBytes.id3(TagBytes.frame("TT2", title, version: 2), version: 2),
            // A compressed frame is left to libavformat.
            TagBytes.id3(TagBytes.frame("TALB", title, flags: 0x08) + frame(4)),
            TagBytes.id3(TagBytes.frame("TALB", []) + frame(4)),
        ]
        for (index, tag) in tags.enumerated() {
            #expect(ID3v2Tag(tag)?.list.texts["title"] == "Title", "\(index)")
        }
    }

    @Test("The date is one, whichever frames it is in")
    func date() {
        func date(_ frames: [(String, String)]) -> String? {
            let bytes = frames.flatMap { TagBytes.frame($0.0, TagBytes.text($0.1)) }
            return ID3v2Tag(TagBytes.id3(bytes))?.list.texts["date"]
        }
        #expect(date([("TYER", "2001"), ("TDAT", "0203"), ("TIME", "1122")]) == "2001-03-02 11:22")
        #expect(date([("TYER", "2001")]) == "2001")
        #expect(date([("TYER", "2001"), ("TDRL", "2002"), ("TDRC", "2003-04")]) == "2003-04")
        #expect(date([("TXXX", "Year\u{0}1999")]) == "1999")
        #expect(date([("TXXX", "Year\u{0}1999"), ("TDRC", "1999-05")]) == "1999-05")
    }

    @Test("APEv2 fills what ID3v2 lacks, and ID3v1 what both lack; neither is sound")
    func tagsAtTheEnd() throws {
        let sound = try TagBytes.mp3()
        let front = TagBytes.id3(TagBytes.frame("TIT2", TagBytes.text("Front")))
        let ape = TagBytes.ape([
            ("Title", Array("Grüße".utf8), 0), ("Artist", Array("One\0Two".utf8), 0),
            ("REPLAYGAIN_TRACK_GAIN", Array("-6.000000 dB".utf8), 0), ("Year", Array("1999".utf8), 0),
            ("Album Artist", Array("All".utf8), 0),
            ("Cover Art (Back)", Array("b.png\0".utf8) + TagBytes.png(5, 6), 2),
            ("Cover Art (Front)", Array("f\0".utf8) + TagBytes.png(7, 8), 2),
        ])
        let old = TagBytes.id3v1(title: "Old", artist: "Older", year: "1950", genre: 17)
        let lyrics = Array("LYRICSBEGIN00000LYRICS200".utf8)
        let size = Array("000016".utf8)
        for end in [ape, ape + old, ape + lyrics.dropLast(9) + size + Array("LYRICS200".utf8) + old] {
            let found = try info(sound + end)
            #expect(found.tags["title"] == "Grüße")
            #expect(found.tags["artist"] == "One;Two")
            #expect(found.tags["album_artist"] == "All")
            #expect(found.tags["date"] == "1999")
            #expect(found.tags["replaygain_track_gain"] == "-6.000000 dB")
            #expect(found.tags["genre"] == (end.count == ape.count ? nil : "Rock"))
            #expect(found.artwork?.width == 7)
            #expect(found.frameCount == 22050)
            #expect(try info(front + sound + end).tags["title"] == "Front")
        }
        let tags = try info(front + sound + old).tags
        #expect(tags["title"] == "Front")
        #expect(tags["artist"] == "Older")
        #expect(tags["date"] == "1950")
    }

    @Test("Of several pictures the front cover is the cover, wherever it stands")
    func frontCover() throws {
        let sound = try TagBytes.mp3()
        // The numbers of ID3v2: 3 is the front, 4 the back, 8 the artist, 1 an icon, 0 another.
        let cases: [(kinds: [UInt8], expected: Int)] = [
            ([3, 4], 0), ([4, 3], 1), ([8, 1, 3], 2), ([3, 3], 0), ([1, 4], 1), ([4, 0], 1), ([4, 8], 0), ([2], 0),
        ]
        for (kinds, expected) in cases {
            let frames = kinds.enumerated().flatMap { index, kind in
                TagBytes.frame("APIC", TagBytes.picture(TagBytes.png(10 + index, 20), kind: kind), version: 3)
            }
            let demuxer = try MediaDemuxer.open(TestStream(TagBytes.id3(frames, version: 3) + sound))
            #expect(demuxer.info.artwork?.width == 10 + expected, "\(kinds)")
            #expect(demuxer.artwork?.data == TagBytes.png(10 + expected, 20), "\(kinds)")
        }
    }

    @Test("Chapters are in order of time")
    func chapters() throws {
        let frames = [(2, "Two"), (0, "Zero"), (1, "One")].flatMap { start, title -> [UInt8] in
            let times = TagBytes.number(start * 100, 4) + TagBytes.number(start * 100 + 100, 4)
            let head = Array("c\(start)\0".utf8) + times + [UInt8](repeating: 255, count: 8)
            return TagBytes.frame("CHAP", head + TagBytes.frame("TIT2", TagBytes.text(title), version: 3), version: 3)
        }
        let tag = TagBytes.id3(frames, version: 3)
        for tag in [tag, TagBytes.id3(TagBytes.unsynchronised(frames), version: 3, flags: 0x80)] {
            let chapters = try info(tag + TagBytes.mp3()).chapters
            #expect(chapters.map(\.title) == ["Zero", "One", "Two"])
            #expect(chapters.map(\.start) == [0, 0.1, 0.2])
        }
    }

    @Test("A tag of any bytes is read to its end")
    func hostile() {
        var random = SplitMixGenerator(seed: 42)
        let inner = TagBytes.frame("TIT2", TagBytes.text("x"), version: 3)
        // Chapters in chapters, to any depth.
        let nested = (0..<5000).reduce(inner) { body, _ in
            TagBytes.frame("CHAP", [0] + [UInt8](repeating: 0, count: 16) + body, version: 3)
        }
        #expect(ID3v2Tag(TagBytes.id3(nested, version: 3))?.list.chapters.count == 1)
        for _ in 0..<2000 {
            let version = UInt8.random(in: 0...5, using: &random)
            let id = ["TIT2", "TXXX", "COMM", "USLT", "APIC", "CHAP", "PRIV", "TCON", "TT2", "PIC"].randomElement(
                using: &random
            )
            let body = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            var tag = TagBytes.id3(
                TagBytes.frame(id ?? "", body, version: version, flags: .random(in: 0...255, using: &random)),
                version: version,
                flags: .random(in: 0...255, using: &random)
            )
            tag.removeLast(Int.random(in: 0..<4, using: &random))
            _ = ID3v2Tag(tag)
            _ = APEv2Tag.read(body[...])
            _ = APEv2Tag.size(TagBytes.ape([]).suffix(32).dropLast(Int.random(in: 0..<4, using: &random)))
            _ = PictureHead([0xFF, 0xD8, 0xFF] + body)
        }
    }
}
