import Foundation
import SyrinxMediaCodec
import Testing

@testable import SyrinxByteStream
@testable import SyrinxStreaming

@Suite("CUE sheets")
struct CueSheetTests {
    private let sheet = URL(fileURLWithPath: "/music/disc.cue")

    private func read(_ text: String) throws -> [Playlist.Entry] {
        try Playlist(Data(text.utf8), from: sheet).entries
    }

    @Test("Tracks begin at index 1, and end where the next one in the same file begins")
    func parts() throws {
        let entries = try read(
            """
            REM GENRE "Jazz"\r
            REM DATE 1959\r
            CATALOG 1234567890123\r
            PERFORMER "Band"\r
            TITLE "A "quoted" disc"\r
            FILE "sub\\disc 1.wav" WAVE\r
              TRACK 01 AUDIO\r
                TITLE Plain words\r
                FLAGS DCP\r
                ISRC ABCDE1234567\r
                INDEX 00 00:00:00\r
                INDEX 01 00:02:37\r
              TRACK 02 AUDIO\r
                PERFORMER "Guest"\r
                SONGWRITER "Writer"\r
                PREGAP 00:02:00\r
                INDEX 00 03:00:00\r
                INDEX 01 03:02:00\r
                INDEX 02 04:00:00\r
            file disc2.mp3 MP3\r
              track 03 audio\r
                index 1 100:00:74\r
            """
        )
        #expect(entries.map { $0.url.path } == ["/music/sub/disc 1.wav", "/music/sub/disc 1.wav", "/music/disc2.mp3"])
        let starts: [Double] = [187.0 / 75, 182, 450_074.0 / 75]
        #expect(entries.compactMap(\.part?.start) == starts)
        #expect(entries.map(\.part?.end) == [182, nil, nil])
        #expect(entries.map(\.title) == ["Plain words", nil, nil])
        let durations: [Double?] = [13_463.0 / 75, nil, nil]
        #expect(entries.map(\.duration) == durations)
        #expect(
            entries[0].tags == [
                "title": "Plain words", "artist": "Band", "album": "A \"quoted\" disc", "album_artist": "Band",
                "track": "1",
                "genre": "Jazz", "date": "1959", "isrc": "ABCDE1234567",
            ]
        )
        #expect(entries[1].tags["artist"] == "Guest" && entries[1].tags["composer"] == "Writer")
        #expect(entries[1].tags["title"] == nil && entries[2].tags["track"] == "3")
    }

    @Test("A track of data is left out, and ends the one before it")
    func dataTrack() throws {
        let entries = try read(
            """
            FILE "a.bin" BINARY
            TRACK 01 AUDIO
            INDEX 01 00:00:00
            TRACK 02 MODE1/2352
            INDEX 01 10:00:00
            """
        )
        #expect(entries.map(\.part) == [.init(start: 0, end: 600)])
    }

    @Test(
        "What makes no sense gives no track, and no trap",
        arguments: [
            "TRACK 01 AUDIO\nINDEX 01 00:00:00", "FILE \"a.wav\" WAVE", "FILE \"a.wav\" WAVE\nINDEX 01 00:00:00",
            "FILE \"a.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 99999999999999999999:00:00",
            "FILE \"a.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 9223372036854775807:59:74",
            "FILE \"a.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:60:00",
            "FILE \"a.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:75",
            "FILE \"a.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 -1:00:00", "FILE\nTRACK\nINDEX\nREM\nTITLE\n\n\"",
            "FILE \"\nTRACK 1 AUDIO\nINDEX 01 0:0", "",
        ]
    )
    func nonsense(text: String) {
        #expect(CueSheet(text).tracks.isEmpty)
        #expect(throws: SyrinxError.self) { try read(text) }
    }

    @Test("Tracks in any order end where the next begins, and one of no length is counted as left out")
    func disorder() throws {
        let times = ["02:00:00", "01:00:00", "03:00:00", "03:00:00"]
        let tracks = times.map { "TRACK 01 AUDIO\nINDEX 01 \($0)" }.joined(separator: "\n")
        let list = try Playlist(Data(("FILE a.wav WAVE\n" + tracks).utf8), from: sheet)
        #expect(list.entries.compactMap(\.part?.start) == [120, 60, 180])
        #expect(list.entries.map(\.part?.end) == [180, 120, nil])
        #expect(list.refusedCount == 1)
    }

    @Test("A track without an index 1 begins at the index that it has, and one without any is counted as left out")
    func otherIndices() throws {
        let text = """
            FILE "a.wav" WAVE
            TRACK 01 AUDIO
            INDEX 00 00:01:00
            TRACK 02 AUDIO
            INDEX 02 00:05:00
            TRACK 03 AUDIO
            TITLE "None"
            TRACK 04 AUDIO
            INDEX 01 xx:00:00
            TRACK 05 MODE1/2352
            INDEX 01 00:09:00
            """
        let list = try Playlist(Data(text.utf8), from: sheet)
        #expect(list.entries.map(\.part) == [.init(start: 1, end: 5), .init(start: 5, end: 9)])
        #expect(list.refusedCount == 3)
    }

    @Test(
        "Sheets in code pages are read",
        arguments: [
            (CodePage.cyrillic, "Прощай, оружие"), (.simplifiedChinese, "中国音乐大全"), (.japanese, "日本語の歌表"),
        ]
    )
    func codePages(page: CodePage, title: String) throws {
        let bytes = page.codes(of: title).flatMap { $0 }
        let text =
            Array("TITLE \"".utf8) + bytes + Array("\"\r\nFILE \"".utf8) + bytes
            + Array(".wav\" WAVE\r\nTRACK 01 AUDIO\r\nTITLE \"".utf8) + bytes
            + Array(" 2\"\r\nINDEX 01 00:00:00\r\n".utf8)
        let entry = try #require(try Playlist(Data(text), from: sheet).entries.first)
        #expect(entry.title == title + " 2" && entry.tags["album"] == title)
        #expect(entry.url.path == "/music/\(title).wav")
    }

    @Test("A sheet is known by its ending, by its type and by its beginning")
    func format() throws {
        #expect(Playlist.Format(endingOf: sheet) == .cue)
        #expect(Playlist.Format(mimeType: "application/x-cue") == .cue)
        let text = "REM COMMENT \"x\"\nTITLE \"T\"\nFILE \"a.wav\" WAVE\n TRACK 01 AUDIO\n  INDEX 01 00:00:00\n"
        #expect(Playlist.Format(beginningOf: Data(text.utf8)) == .cue)
    }

    @Test("From a server, files are beside it there")
    func remote() throws {
        let url = try #require(URL(string: "https://example.org/a/disc.cue"))
        let text = "FILE \"d 1.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:01:00"
        let entry = try #require(try Playlist(Data(text.utf8), from: url).entries.first)
        #expect(entry.url.absoluteString == "https://example.org/a/d%201.flac" && entry.part == .init(start: 1))
    }

    @Test("Where the file that is named is gone, that of another extension is taken")
    func successor() throws {
        let item = PlaylistItem(location: "disc.wav")
        func found(_ names: Set<String>, _ format: Playlist.Format = .cue) -> String? {
            let disk = NamedFiles.Disk(
                exists: { names.contains(String(decoding: $0.lastComponent, as: UTF8.self)) },
                members: { _ in [] }
            )
            let locator = PlaylistLocator(origin: sheet, format: format, disk: disk)
            return locator.location(of: item)?.url.lastPathComponent
        }
        #expect(found(["disc.wav", "disc.flac"]) == "disc.wav")
        #expect(found(["disc.flac"]) == "disc.flac" && found(["disc.mp3"]) == "disc.mp3")
        #expect(found([]) == "disc.wav" && found(["disc.flac"], .m3u) == "disc.wav")
    }

    @Test("A name that is not UTF-8 is that of the file which there is, and else what it means as text")
    func bytes() throws {
        let list = Data("caf".utf8 + [0xE9] + ".mp3".utf8)
        let item = try #require(PlaylistText(list).m3u().items.first)
        for exists in [true, false] {
            let disk = NamedFiles.Disk(exists: { exists && $0.bytes.contains(0xE9) }, members: { _ in [] })
            let locator = PlaylistLocator(origin: URL(fileURLWithPath: "/m/a.m3u"), format: .m3u, disk: disk)
            let url = try #require(locator.location(of: item)).url
            #expect(url.absoluteString == (exists ? "file:///m/caf%E9.mp3" : "file:///m/caf%C3%A9.mp3"))
        }
    }
}
