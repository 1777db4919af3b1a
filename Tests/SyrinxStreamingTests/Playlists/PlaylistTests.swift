import Foundation
import SyrinxByteStream
import Testing

@testable import SyrinxStreaming

@Suite("Playlists")
struct PlaylistTests {
    private let local = URL(fileURLWithPath: "/music/lists/a.m3u")
    private func remote(_ name: String) throws -> URL { try #require(URL(string: "https://example.org/lists/\(name)")) }

    private func read(_ text: String, from url: URL) throws(SyrinxError) -> Playlist {
        try Playlist(Data(text.utf8), from: url)
    }

    private func code(_ body: () throws(SyrinxError) -> Playlist) -> String? {
        do throws(SyrinxError) {
            _ = try body()
            return nil
        } catch {
            return error.code.rawValue
        }
    }

    @Test("A list that is written is read as the same entries")
    func writing() throws {
        let song = try #require(URL(string: "file:///music/a%20b%23c.flac"))
        let disc = try #require(URL(string: "file:///music/disc.flac"))
        let station = try #require(URL(string: "https://host.example/live?x=1"))
        let entries = [
            Playlist.Entry(url: song, title: "Overture", duration: 213.6, tags: ["artist": "Someone"]),
            Playlist.Entry(url: disc, title: "Two\nlines", part: StreamingInput.Part(start: 0, end: 61.5)),
            Playlist.Entry(url: disc, part: StreamingInput.Part(start: 61.5, end: nil)),
            Playlist.Entry(url: station, title: "Radio", duration: .infinity),
        ]
        let text = Playlist(entries).m3u8
        #expect(text.hasPrefix("#EXTM3U\n#EXTINF:214,Someone - Overture\nfile:///music/a%20b%23c.flac\n"))
        let read = try Playlist(Data(text.utf8), from: URL(fileURLWithPath: "/lists/evening.m3u8")).entries
        #expect(read.map(\.url) == entries.map(\.url))
        #expect(read.map(\.title) == ["Someone - Overture", "Two lines", nil, "Radio"])
        #expect(read.map(\.duration) == [214, nil, nil, nil])
        #expect(read.map(\.part) == entries.map { $0.part.map { StreamingInput.Part(start: $0.start, end: $0.end) } })
        let backwards = "#EXTVLCOPT:start-time=9\n#EXTVLCOPT:stop-time=3\n/a.wav\n/b.wav\n"
        #expect(
            try Playlist(Data(backwards.utf8), from: URL(fileURLWithPath: "/l.m3u")).entries.map(\.part) == [nil, nil]
        )
    }

    @Test("M3U: titles, lengths, comments, paths of every kind")
    func m3u() throws {
        let text = """
            \u{FEFF}#EXTM3U\r
            #EXTINF:123.5,Artist - Title, with a comma\r
            one two#3%.mp3\r

            # a comment
            #EXTINF:-1 tvg-name="a,b" group="x",Radio
            http://radio.example:8000/live
            ../b.flac
            /absolute/c.ogg
            sub\\d.wav
            file:///e%20f.mp3
            """
        let playlist = try read(text, from: local)
        #expect(
            playlist.entries.map { $0.url.isFileURL ? $0.url.path(percentEncoded: false) : $0.url.absoluteString } == [
                "/music/lists/one two#3%.mp3", "http://radio.example:8000/live", "/music/b.flac", "/absolute/c.ogg",
                "/music/lists/sub/d.wav", "/e f.mp3",
            ]
        )
        #expect(playlist.entries[0].title == "Artist - Title, with a comma" && playlist.entries[0].duration == 123.5)
        #expect(playlist.entries[1].title == "Radio" && playlist.entries[1].duration == nil)
        #expect(playlist.entries[2].title == nil)
        #expect(playlist.refusedCount == 0)
    }

    @Test(
        "Old lists are Windows-1252, .m3u8 is UTF-8, and UTF-16 has a mark",
        arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian]
    )
    func encodings(wide: String.Encoding) throws {
        let list = try #require("\u{FEFF}#EXTM3U\r\ncafé ♫.mp3\r\n".data(using: wide))
        #expect(try Playlist(list, from: local).entries[0].url.lastPathComponent == "café ♫.mp3")
        #expect(Playlist.Format(beginningOf: list) == .m3u)
        let old = Data([0x63, 0x61, 0x66, 0xE9, 0x2E, 0x6D, 0x70, 0x33])
        #expect(try Playlist(old, from: local).entries[0].url.lastPathComponent == "café.mp3")
        let new = URL(fileURLWithPath: "/music/a.m3u8")
        #expect(try Playlist(Data("café.mp3".utf8), from: new).entries[0].url.lastPathComponent == "café.mp3")
    }

    @Test("PLS: in the order of its numbers")
    func pls() throws {
        let text = """
            [playlist]
            File10=https://example.org/c.mp3?x=1&y=2
            File2=b.mp3
            Title2=B = b
            Length2=61
            file1=a.mp3
            Length1=-1
            Title7=nothing to it
            NumberOfEntries=3
            Version=2
            """
        let playlist = try read(text, from: try remote("a.pls"))
        #expect(
            playlist.entries == [
                .init(url: try #require(URL(string: "https://example.org/lists/a.mp3"))),
                .init(url: try #require(URL(string: "https://example.org/lists/b.mp3")), title: "B = b", duration: 61),
                .init(url: try #require(URL(string: "https://example.org/c.mp3?x=1&y=2"))),
            ]
        )
    }

    @Test("XSPF: the first location of each track, in milliseconds")
    func xspf() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <playlist version="1" xmlns="http://xspf.org/ns/0/"><title>All</title><location>x.mp3</location><trackList>
              <track><location>one%20two.mp3</location><location>b.mp3</location>
                <title>A &amp; <![CDATA[<B>]]></title><duration>1500</duration></track>
              <track><title>None</title></track>
              <track><location>http://example.com/c.ogg</location></track>
            </trackList></playlist>
            """
        let playlist = try read(text, from: URL(fileURLWithPath: "/m/a.xspf"))
        let prefixed = """
            <x:playlist xmlns:x="http://xspf.org/ns/0/" xmlns:y="urn:y"><x:track><y:location>no</y:location>
            <x:location>a?b&c</x:location></x:track></x:playlist>
            """
        // A server's list, in which "?" begins a query; an ampersand by itself is text.
        let found = try read(prefixed, from: remote("l.xspf")).entries.map(\.url.absoluteString)
        #expect(found == ["https://example.org/lists/a?b&c"])
        #expect(playlist.entries.map(\.title) == ["A & <B>", nil])
        #expect(playlist.entries[0].url.path(percentEncoded: false) == "/m/one two.mp3")
        #expect(playlist.entries[0].duration == 1.5)
        #expect(playlist.entries[1].url.absoluteString == "http://example.com/c.ogg")
    }

    @Test("A list from a server names no files, and none names other schemes", arguments: ["m3u", "pls", "xspf"])
    func refusals(ending: String) throws {
        let bad = [
            "file:///etc/passwd", "FILE:/etc/passwd", "file://example.org/etc/passwd", "data:audio/wav,x", "ftp://h/x",
            "concat:/etc/passwd", "http:///x", "javascript:1",
        ]
        let good = "../etc/passwd"
        let text =
            switch ending {
            case "m3u": (bad + [good]).joined(separator: "\n")
            case "pls": (bad + [good]).enumerated().map { "File\($0 + 1)=\($1)" }.joined(separator: "\n")
            default:
                (["<playlist><trackList>"] + (bad + [good]).map { "<track><location>\($0)</location></track>" }
                    + ["</trackList></playlist>"]).joined()
            }
        let playlist = try read(text, from: try remote("deep/a." + ending))
        #expect(playlist.entries.map(\.url.absoluteString) == ["https://example.org/lists/etc/passwd"])
        #expect(playlist.refusedCount == bad.count)
        let here = try read(text, from: URL(fileURLWithPath: "/m/a." + ending))
        #expect(here.entries.allSatisfy { $0.url.isFileURL })
        // Among paths, a colon alone makes no URL.
        let named = ending == "xspf" ? [] : ["/m/concat:/etc/passwd", "/m/javascript:1"]
        #expect(
            here.entries.map { $0.url.path(percentEncoded: false) }.filter { !$0.hasPrefix("/etc/passwd") } == named
        )
        #expect(here.entries.count == 3 + named.count)
    }

    @Test("A malformed or empty playlist has an error code")
    func failures() throws {
        let url = try remote("a.m3u")
        #expect(code { () throws(SyrinxError) in try read("\n# only a comment\n", from: url) } == "media.empty")
        let live = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:9,\na.ts\n"
        #expect(code { () throws(SyrinxError) in try read(live, from: url) } == "media.unsupported")
        let long = String(repeating: "a", count: Playlist.largestSize + 1)
        #expect(code { () throws(SyrinxError) in try read(long, from: url) } == "media.playlistTooLarge")
        let broken = URL(fileURLWithPath: "/a.xspf")
        #expect(code { () throws(SyrinxError) in try read("<playlist><track>", from: broken) } == "media.corrupt")
        let unnamed = URL(fileURLWithPath: "/list")
        #expect(code { () throws(SyrinxError) in try read("a.mp3", from: unnamed) } == "media.notAudio")
        #expect(try read("#EXTM3U\na.mp3", from: unnamed).entries.count == 1)
        #expect(try read(" [Playlist]\nFile1=a.mp3", from: unnamed).entries.count == 1)
        let xspf = "<?xml version='1.0'?><playlist><track><location>a.mp3</location></track></playlist>"
        #expect(try read(xspf, from: unnamed).entries.count == 1)
    }

    @Test("Lists that mean harm stay small")
    func bounds() throws {
        let many = String(repeating: "a\n", count: Playlist.mostEntries + 7)
        let playlist = try read(many, from: local)
        #expect(playlist.entries.count == Playlist.mostEntries && playlist.refusedCount == 7)
        let secret = FileManager.default.temporaryDirectory.appending(path: "playlist-\(UUID().uuidString)")
        try Data("secret".utf8).write(to: secret)
        defer { try? FileManager.default.removeItem(at: secret) }
        let outside = """
            <!DOCTYPE p [<!ENTITY e SYSTEM "\(secret.absoluteString)">]>
            <playlist><track><location>&e;</location></track><track><location>b</location></track></playlist>
            """
        let found = try? read(outside, from: URL(fileURLWithPath: "/m/a.xspf"))
        #expect(found?.entries.contains { $0.url.path.contains("secret") } != true)
        var laughs = "<!DOCTYPE p [<!ENTITY a0 \"aaaaaaaaaa\">"
        for level in 1...9 {
            laughs += "<!ENTITY a\(level) \"" + String(repeating: "&a\(level - 1);", count: 10) + "\">"
        }
        laughs += "]><playlist><track><location>&a9;</location></track></playlist>"
        // Either refused or cut short: ten to the power of ten letters would not fit into memory.
        let bomb = try? read(laughs, from: URL(fileURLWithPath: "/m/a.xspf"))
        #expect((bomb?.entries.first?.url.path.count ?? 0) < 10_000_000)
    }

    @Test("No more of a stream is read than a list may have")
    func endless() {
        final class Endless: ByteStream {
            let name = "endless"
            let length: Int64? = nil
            let isSeekable = false
            let isRemote = true
            let mimeType: String? = nil
            func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
                if offset > 2 * Playlist.largestSize {
                    throw SyrinxError(.cancelled, "Too much was read.", name: name)
                }
                for index in buffer.indices { buffer[index] = 0x61 }
                return buffer.count
            }
            func cancel() {}
        }
        #expect(
            code { () throws(SyrinxError) in try Playlist(reading: Endless(), from: local) }
                == "media.playlistTooLarge"
        )
    }

    @Test("An XSPF in any encoding is read, and one whose names are no text ends nothing")
    func encodings() throws {
        func title(_ bytes: [UInt8]) throws -> String? {
            try Playlist(Data(bytes), format: .xspf, from: URL(fileURLWithPath: "/a")).entries.first?.title
        }
        let tracks =
            "<playlist><trackList><track><location>a</location><title>Über</title></track></trackList></playlist>"
        let latin =
            Array("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>".utf8)
            + tracks.unicodeScalars.map { UInt8($0.value) }
        #expect(try title(latin) == "Über")
        #expect(try title(Array("\n<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>\(tracks)".utf8)) == "Über")
        let wide = "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-16\"?>\(tracks)".utf16.flatMap {
            [UInt8($0 & 0xFF), UInt8($0 >> 8)]
        }
        #expect(try title(wide) == "Über")
        // Found by libFuzzer: names of elements and attributes that are not UTF-8.
        for name in ["playlist \u{1}on=\"1\"", "playlist xmlns:\u{1}=\"\u{1}\"", "\u{1}"] {
            let bytes = "<\(name)><trackList><track><location>a</location></track></trackList></playlist>".utf8
            _ = try? title(bytes.flatMap { $0 == 1 ? [0xFF, 0xFF] : [$0] })
            _ = try? title(bytes.flatMap { $0 == 1 ? [0xC3] : [$0] })
        }
    }

    /// Foundation's parser on Linux ends the process at an instruction without data: found by libFuzzer.
    @Test("Instructions of an XSPF are passed over, and what looks like one in text is text")
    func instructions() throws {
        let text = """
            <?xml version="1.0"?><?page?><!-- <?a --><playlist><?b c?><trackList><track><location>a</location>\
            <title><![CDATA[<?One?>]]> &lt;!--</title></track><?d?></trackList></playlist><?e
            """
        let entries = try Playlist(Data(text.utf8), format: .xspf, from: URL(fileURLWithPath: "/a")).entries
        #expect(entries.map(\.title) == ["<?One?> <!--"])
        // Entities and quoted texts of declarations hide an instruction from a plain search.
        for declaration in ["<!ENTITY a \"<!--\">", "<!ENTITY a '&#60;?page?>'>", "<!ENTITY a '&#x03C;?b?>'>"] {
            let text = "<!DOCTYPE r [\(declaration)<!ENTITY b \"ok>\">]><r>&b;<?page?>&a;</r>"
            _ = try? Playlist(Data(text.utf8), format: .xspf, from: URL(fileURLWithPath: "/a"))
        }
        #expect(throws: SyrinxError.self) {
            try Playlist(Data("<?si?><xml versi?><ay:6l".utf8), format: .xspf, from: URL(fileURLWithPath: "/a"))
        }
    }

    @Test("Each list is in one encoding: that of its XML, and UTF-8 where most of it is that")
    func mixedEncodings() throws {
        let folder = URL(fileURLWithPath: "/m/")
        let titles = ["Песня о вечере", "Дорога домой", "Зимний вечер", "Старый город"]
        var list = "#EXTM3U\n" + titles.map { "#EXTINF:1,\($0)\na.mp3\n" }.joined()
        list += "#EXTINF:1,Caf\u{1}\nb.mp3\n"
        let mixed = list.utf8.map { $0 == 1 ? 0xE9 : $0 }
        let entries = try Playlist(Data(mixed), format: .m3u, from: folder.appending(path: "l.m3u")).entries
        #expect(entries.map(\.title) == titles + ["Café"])
        let tracks =
            "<playlist><trackList><track><location>Песня.mp3</location><title>Песня</title></track></trackList></playlist>"
        let cyrillic = ("<?xml version=\"1.0\" encoding=\"windows-1251\"?>" + tracks).unicodeScalars.map {
            $0.value < 0x80 ? UInt8($0.value) : UInt8($0.value - 0x410 + 0xC0)
        }
        let found = try Playlist(Data(cyrillic), format: .xspf, from: folder.appending(path: "l.xspf")).entries.first
        #expect(found?.title == "Песня")
        #expect(found?.url.path(percentEncoded: false) == "/m/Песня.mp3")
    }
}
