import Foundation
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@Suite struct AttachmentTests {
    private static let chapters = [
        MediaChapter(start: 0, end: 0.5, title: "Eins"), MediaChapter(start: 0.5, end: 1, title: "Zwei ☃"),
    ]

    private func write(_ file: URL, _ settings: MediaWriterSettings) throws {
        let writer = try MediaWriter(path: file.path, sampleRate: 48000, channelCount: 1, settings: settings)
        let tone = (0..<48000).map { Float(0.4 * sin(Double($0) * 0.05)) }
        let planes = Planes(interleaved: tone, count: 1)
        try writer.write(planes.pointers, frameCount: 48000)
        try writer.finish()
    }

    @Test("Chapters and artwork are written and read back", arguments: ["m4a", "mp3", "flac", "ogg", "opus"])
    func chaptersAndArtworkAreWritten(_ ending: String) throws {
        let scratch = try ScratchDirectory()
        let picture = try scratch.make(["-f", "lavfi", "-i", "testsrc=s=34x20:d=1", "-frames:v", "1", "p.png"])
        let artwork = MediaPicture(
            mimeType: "image/png",
            width: 34,
            height: 20,
            data: [UInt8](try Data(contentsOf: picture))
        )
        let file = scratch.url("a.\(ending)")
        let tags = ["title": "Größe", "replaygain_track_gain": "-3.20 dB"]
        try write(file, MediaWriterSettings(tags: tags, chapters: Self.chapters, artwork: artwork))
        let demuxer = try MediaDemuxer.open(TestStream(file: file))
        #expect(demuxer.info.frameCount == 48000)
        #expect(demuxer.info.chapters.map(\.title) == ["Eins", "Zwei ☃"])
        #expect(demuxer.info.chapters.map(\.start) == [0, 0.5])
        #expect(demuxer.info.tags["title"] == "Größe")
        #expect(demuxer.info.tags["replaygain_track_gain"] == "-3.20 dB")
        #expect(demuxer.artwork == artwork)
        #expect(demuxer.info.artwork?.byteCount == artwork.data.count)
        // To `ffmpeg`, Vorbis in a single page is not what it is.
        if ending != "ogg" { #expect(try FFmpeg.decode(file.path, ["-map", "0:a"]).count >= 48000) }
        let probe = try runProcess("ffprobe", ["-v", "error", "-show_chapters", "-of", "csv", file.path])
        #expect(probe.output.split(separator: "\n").count == 2)
    }

    @Test(
        "A cover that is wider than MP4 takes, or larger than FLAC takes, does not keep the recording from being written",
        arguments: ["m4a", "mp3", "flac", "aiff"]
    )
    func absurdCovers(ending: String) throws {
        let scratch = try ScratchDirectory()
        let wide = MediaPicture(mimeType: "image/png", width: 70_000, height: 1, data: [1, 2, 3])
        let large = MediaPicture(
            mimeType: "image/png",
            width: 10,
            height: 10,
            data: [UInt8](repeating: 7, count: 17 << 20)
        )
        for (index, artwork) in [wide, large].enumerated() {
            let file = scratch.url("\(index).\(ending)")
            try write(file, MediaWriterSettings(artwork: artwork))
            #expect(try FFmpeg.decode(file.path, ["-map", "0:a"]).count >= 48000)
        }
    }

    /// MP4 has atoms of its own for few tags; the others go into those of iTunes, and the file stays whole.
    @Test("Tags of any name are written to an MP4 and read back")
    func tagsOfAnyNameInAnMP4() throws {
        let scratch = try ScratchDirectory()
        let file = scratch.url("a.m4a")
        var tags = [
            "replaygain_track_gain": "-3.20 dB", "replaygain_track_peak": "0.988547", "ISRC": "XY", "mood": "Größe ☃",
        ]
        tags.merge(FreeTags.known) { $1 }
        try write(file, MediaWriterSettings(tags: tags.merging(["iTunSMPB": "0 0 0"]) { $1 }, chapters: Self.chapters))
        let reader = try MediaReader.open(TestStream(file: file))
        for (key, value) in tags { #expect(reader.info.tags[key.lowercased()] == value, "\(key)") }
        #expect(reader.info.tags["itunsmpb"] == nil)
        // The track of the chapters has a language.
        #expect(Set(reader.info.tags.keys).subtracting(tags.keys.map { $0.lowercased() }).isSubset(of: ["language"]))
        #expect(reader.info.chapters.count == 2)
        #expect(try reader.readAll().count == 48000)
        #expect(try FFmpeg.decode(file.path, ["-map", "0:a"]).count >= 48000)
        let entries = ["-show_entries", "format_tags=replaygain_track_gain", "-of", "csv=p=0"]
        let probe = try runProcess("ffprobe", ["-v", "error"] + entries + [file.path])
        #expect(probe.output == "-3.20 dB\n")
        // As other programs write them.
        let plain = try scratch.make(["-f", "lavfi", "-i", "sine=d=0.5", "-metadata", "title=T", "b.m4a"])
        let atom = ITunesAtom.comment(name: "REPLAYGAIN_TRACK_GAIN", value: "+1.00 dB")
        let noted = try #require(ITunesAtom.insert(atom, into: [UInt8](try Data(contentsOf: plain))))
        #expect(try MediaDemuxer.open(TestStream(noted)).info.tags["replaygain_track_gain"] == "+1.00 dB")
    }

    @Test("The index of a written MP4 precedes its media data")
    func theIndexOfAnMP4ComesFirst() throws {
        let scratch = try ScratchDirectory()
        let file = scratch.url("a.m4a")
        try write(file, MediaWriterSettings())
        let bytes = try Data(contentsOf: file)
        let index = try #require(bytes.firstRange(of: Data("moov".utf8)))
        let media = try #require(bytes.firstRange(of: Data("mdat".utf8)))
        #expect(index.lowerBound < media.lowerBound)
        #expect(try MediaReader.open(TestStream(file: file)).readAll().count == 48000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["a.m4a"])
    }

    /// RIFF and ID3v1 have letters of no known kind.
    @Test("Tags in old encodings are read as UTF-8")
    func oldTagsComeOutAsUTF8() throws {
        let scratch = try ScratchDirectory()
        let source = ["-f", "lavfi", "-i", "sine=d=0.5", "-metadata", "title=Gr__e"]
        for name in ["a.wav", "a.aiff"] {
            var bytes = [UInt8](try Data(contentsOf: try scratch.make(source + [name])))
            let place = try #require(bytes.firstRange(of: Array("Gr__e".utf8)))
            bytes.replaceSubrange(place, with: [0x47, 0x72, 0xF6, 0xDF, 0x65])
            #expect(try MediaDemuxer.open(TestStream(bytes)).info.tags["title"] == "Größe")
        }
    }

    /// More than two channels are written with which loudspeaker each is.
    @Test("A WAV file of more than two channels states its loudspeakers")
    func waveFilesNameTheirChannels() throws {
        let scratch = try ScratchDirectory()
        let planes = Planes(count: 6, capacity: 100)
        let url = scratch.url("six.wav")
        let writer = try MediaWriter(path: url.path, sampleRate: 48000, channelCount: 6, sampleFormat: .s16)
        try writer.write(planes.pointers, frameCount: 100)
        try writer.finish()
        let bytes = [UInt8](try Data(contentsOf: url))
        // The extensible form, and the mask of front left, right and centre, the low one, and back left and right.
        let format = try #require(bytes.firstRange(of: Array("fmt ".utf8))).upperBound + 4
        #expect(Array(bytes[format..<format + 2]) == [0xFE, 0xFF])
        #expect(Array(bytes[format + 20..<format + 24]) == [0x3F, 0, 0, 0])
        #expect(try MediaDemuxer.open(TestStream(bytes)).info.channelLayout == "5.1")
    }
}

/// Tags that MP4 has atoms for, in the words of libavformat.
private enum FreeTags {
    static let known = [
        "title": "A", "artist": "B", "album_artist": "C", "composer": "D", "album": "E", "date": "2026", "comment": "F",
        "genre": "G", "copyright": "H", "grouping": "I", "lyrics": "J", "description": "K", "synopsis": "L",
        "show": "M",
        "episode_id": "N", "keywords": "O", "track": "3/12", "disc": "1/2",
    ]
}
