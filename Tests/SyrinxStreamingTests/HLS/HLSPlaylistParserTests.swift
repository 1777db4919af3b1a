import Foundation
import SyrinxByteStream
import Testing

@testable import SyrinxStreaming

@Suite("HLS playlists")
struct HLSPlaylistParserTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func parse(
        _ text: String,
        from base: String = "https://example.org/a/b/list.m3u8",
        importing variables: [String: String] = [:]
    ) throws -> HLSPlaylist {
        try HLSTexts.parse(text, from: base, importing: variables)
    }

    private func media(_ text: String, from base: String = "https://example.org/a/b/list.m3u8") throws
        -> HLSMediaPlaylist
    { try HLSTexts.media(text, from: base) }

    private func master(_ text: String) throws -> HLSMasterPlaylist {
        guard case .master(let playlist) = try parse(text) else {
            throw SyrinxError(.unknown, "not a master playlist", name: text)
        }
        return playlist
    }

    private func code(_ body: () throws -> some Any) -> String? { HLSTexts.code(body) }

    @Test("A media playlist gives segments with their numbers, times, keys, maps and clocks")
    func mediaPlaylist() throws {
        let playlist = try media(
            """
            \u{FEFF}#EXTM3U\r
            #EXT-X-VERSION:7\r
            #EXT-X-TARGETDURATION:6\r
            #EXT-X-MEDIA-SEQUENCE:41\r
            #EXT-X-DISCONTINUITY-SEQUENCE:3\r
            #EXT-X-KEY:METHOD=AES-128,URI="../key?a=1,2",IV=0x1F\r
            #EXT-X-MAP:URI="init.mp4",BYTERANGE="700@12"\r
            #EXT-X-PROGRAM-DATE-TIME:2010-02-19T14:54:23.031+08:00\r
            #EXTINF:5.005,First, with a comma\r
            one.m4s\r
            #EXT-X-DISCONTINUITY\r
            #EXT-X-KEY:METHOD=NONE\r
            #EXTINF:6\r
            /two three.m4s?x={y}\r
            #EXT-X-GAP\r
            #EXTINF:4,\r
            http://other.example/three.m4s\r
            #EXT-X-ENDLIST\r
            """,
            from: "http://example.org/a/b/list.m3u8"
        )
        #expect(playlist.targetDuration == 6 && playlist.isEnded && playlist.kind == nil)
        let segments = playlist.segments
        #expect(segments.map(\.sequence) == [41, 42, 43])
        #expect(segments.map(\.discontinuity) == [3, 4, 4])
        #expect(segments.map(\.duration) == [5.005, 6, 4])
        #expect(segments.map(\.title) == ["First, with a comma", nil, nil])
        #expect(segments.map(\.isGap) == [false, false, true])
        #expect(
            segments.map(\.resource.url.absoluteString) == [
                "http://example.org/a/b/one.m4s", "http://example.org/two%20three.m4s?x=%7By%7D",
                "http://other.example/three.m4s",
            ]
        )
        #expect(segments[0].key?.url.absoluteString == "http://example.org/a/key?a=1,2")
        #expect(segments[0].key?.vector == [UInt8](repeating: 0, count: 15) + [0x1F])
        #expect(segments[1].key == nil)
        #expect(segments[0].initialization?.resource.range == 12..<712)
        #expect(segments[2].initialization?.key == segments[0].key)
        #expect(abs((segments[0].date ?? 0) - 1_266_562_463.031) < 1e-6)
        #expect(HLSDate.text(of: 1_266_562_463.031) == "2010-02-19T06:54:23.031Z")
    }

    @Test("Byte ranges without an offset go on behind the one before in the same resource")
    func byteRanges() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:1
            #EXT-X-BYTERANGE:100@50
            #EXTINF:1,
            all.ts
            #EXT-X-BYTERANGE:30
            #EXTINF:1,
            all.ts
            #EXT-X-BYTERANGE:20
            #EXTINF:1,
            other.ts
            """
        )
        #expect(playlist.segments.map(\.resource.range) == [50..<150, 150..<180, 0..<20])
        #expect(!playlist.isEnded)
    }

    @Test("A master playlist gives variants and alternative sounds, and leaves out what cannot be opened")
    func masterPlaylist() throws {
        let playlist = try master(
            """
            #EXTM3U
            #EXT-X-START:TIME-OFFSET=-12.5,PRECISE=YES
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="en.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="Deutsch",LANGUAGE="de",AUTOSELECT=YES,CHANNELS="6/JOC",URI="de.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="x",URI="s.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=800000,CODECS="avc1.4d401f,mp4a.40.2",RESOLUTION=640x360,AUDIO="aac"
            v1.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.5"
            audio.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=1
            file:///etc/passwd
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="i.m3u8"
            """
        )
        #expect(playlist.startOffset == -12.5)
        #expect(playlist.renditions.map(\.language) == ["en", "de"])
        #expect(playlist.renditions.map(\.channelCount) == [2, 6])
        #expect(playlist.renditions[0].isDefault && !playlist.renditions[1].isDefault)
        #expect(playlist.variants.map(\.bandwidth) == [800_000, 64_000])
        #expect(playlist.variants.map(\.isSoundOnly) == [false, true])
        #expect(playlist.variants[0].audioGroup == "aac" && playlist.variants[0].statesPictures)
        #expect(playlist.refusal?.code == .playlistEntry)
    }

    @Test("Variables are put in, imported, and taken from the query")
    func variables() throws {
        let text = """
            #EXTM3U
            #EXT-X-DEFINE:NAME="host",VALUE="http://cdn.example"
            #EXT-X-DEFINE:IMPORT="token"
            #EXT-X-DEFINE:QUERYPARAM="q"
            #EXT-X-TARGETDURATION:1
            #EXTINF:1,
            {$host}/a.ts?t={$token}&q={$q}&n={$none}
            """
        let base = "http://example.org/list.m3u8?q=7"
        guard case .media(let playlist) = try parse(text, from: base, importing: ["token": "abc"]) else { return }
        #expect(playlist.segments.first?.resource.url.absoluteString == "http://cdn.example/a.ts?t=abc&q=7&n=")
    }

    @Test("Low-latency tags are understood or passed over")
    func lowLatency() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=24,PART-HOLD-BACK=1.0,HOLD-BACK=13
            #EXT-X-PART-INF:PART-TARGET=0.33
            #EXT-X-MEDIA-SEQUENCE:266
            #EXT-X-SKIP:SKIPPED-SEGMENTS=3
            #EXTINF:4.0,
            269.mp4
            #EXT-X-PART:DURATION=0.33,URI="270.1.mp4",INDEPENDENT=YES
            #EXT-X-PRELOAD-HINT:TYPE=PART,URI="270.2.mp4"
            #EXT-X-RENDITION-REPORT:URI="../1M/x.php",LAST-MSN=273
            """
        )
        #expect(playlist.canBlockReload && playlist.holdBack == 13)
        #expect(playlist.skippedCount == 3 && playlist.firstSequence == 266)
        #expect(playlist.segments.map(\.sequence) == [269] && playlist.endSequence == 270)
    }

    @Test(
        "A playlist from a server leads to no file, to no other scheme, and from a secure address to no insecure one",
        arguments: [
            "file:///etc/passwd", "FILE:/etc/passwd", "ftp://example.org/a.ts", "data:audio/aac;base64,AAAA", "skd://x",
            "http://example.org/a.ts", "https:///a.ts", "concat:a|b",
        ]
    )
    func schemes(reference: String) throws {
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n"
        #expect(code { try media(head + "#EXTINF:1,\n\(reference)\n") } == "media.playlistEntry")
        #expect(
            code { try media(head + "#EXT-X-MAP:URI=\"\(reference)\"\n#EXTINF:1,\na.ts\n") } == "media.playlistEntry"
        )
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"\(reference)\"\n#EXTINF:1,\na.ts\n"
        #expect(code { try media(head + key) } == "media.playlistEntry")
        #expect(code { try parse("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(reference)\n") } == "media.playlistEntry")
    }

    @Test("A playlist in a file leads to files beside it and to servers")
    func localPlaylist() throws {
        let base = URL(fileURLWithPath: "/music/list.m3u8")
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na b.ts\n#EXTINF:1,\nhttp://example.org/c.ts\n"
        guard case .media(let playlist) = try HLSPlaylistParser.parse(Array(text.utf8), locator: HLSLocator(base: base))
        else { return }
        #expect(playlist.segments[0].resource.url.path == "/music/a b.ts")
        #expect(playlist.segments[1].resource.url.absoluteString == "http://example.org/c.ts")
    }

    @Test("A reference without a scheme in a local playlist leads to a server")
    func localReferenceWithoutScheme() throws {
        let locator = HLSLocator(base: URL(fileURLWithPath: "/music/list.m3u8"))
        let text =
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n//example.org/a.ts\n#EXTINF:1,\n/b.ts\n#EXTINF:1,\n///c.ts\n"
        guard case .media(let playlist) = try HLSPlaylistParser.parse(Array(text.utf8), locator: locator) else {
            return
        }
        let urls = playlist.segments.map(\.resource.url)
        #expect(urls[0].absoluteString == "http://example.org/a.ts")
        #expect(urls[1].isFileURL && urls[1].path == "/b.ts")
        #expect(urls[2].isFileURL)
    }

    @Test(
        "A playlist is recognized wherever its first tag is",
        arguments: [
            "#EXT-X-VERSION:3\n#EXTM3U\n", "\u{FEFF}\r\n  \t\n#EXTM3U\n", "# A comment\n\n#EXTM3U\n",
            "#EXT-X-VERSION:3\n",
        ]
    )
    func firstLine(head: String) throws {
        let text = Array((head + "#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n").utf8)
        #expect(HLSPlaylist.isPlaylist(text))
        #expect(try media(String(decoding: text, as: UTF8.self)).segments.count == 1)
    }

    @Test("The first bytes of an unknown resource tell whether it is a playlist")
    func firstBytes() {
        let begins = { (text: String) in HLSPlaylist.begins(Array(text.utf8)[...]) }
        #expect(begins("") == nil && begins("\n\n#EXT") == nil && begins("#EXT-X") == nil)
        #expect(
            begins("#EXTM3U") == true && begins("\u{FEFF} \n#EXT-X-VERSION:3") == true && begins("#EXTINF:1,") == true
        )
        #expect(begins("#EXTRA") == false && begins("ID3") == false && begins("# A comment") == false)
        #expect(begins(String(repeating: "\n", count: 300)) == false)
    }

    @Test(
        "Encryption that is not supported is refused, where it is used",
        arguments: [
            "METHOD=SAMPLE-AES,URI=\"k\"", "METHOD=AES-128,URI=\"k\",KEYFORMAT=\"com.apple.streamingkeydelivery\"",
        ]
    )
    func encryption(attributes: String) throws {
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:\(attributes)\n"
        #expect(code { try media(head + "#EXTINF:1,\na.ts\n") } == "media.unsupported")
        #expect(try media(head + "#EXT-X-KEY:METHOD=NONE\n#EXTINF:1,\na.ts\n").segments.count == 1)
    }

    @Test(
        "What is no playlist is refused",
        arguments: ["", "<html><body>Log in</body></html>", "hello", "#EXTM3U\na.mp3\n", "# A comment\na.mp3\n"]
    )
    func others(text: String) {
        #expect(["media.notAudio"].contains(code { try parse(text) } ?? ""))
        #expect(!HLSPlaylist.isPlaylist(text.utf8))
    }

    @Test("Absurd numbers neither end the process nor become times")
    func absurdNumbers() throws {
        let huge = "999999999999999999999999"
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:-5
            #EXT-X-MEDIA-SEQUENCE:\(Int64.max)
            #EXT-X-DISCONTINUITY-SEQUENCE:\(huge)
            #EXT-X-SKIP:SKIPPED-SEGMENTS=\(Int64.max)
            #EXTINF:\(huge),
            a.ts
            #EXTINF:nan,
            b.ts
            #EXTINF:-3,
            c.ts
            #EXTINF:1e300,
            d.ts
            """
        )
        #expect(playlist.segments.allSatisfy { $0.duration.isFinite && $0.duration >= 0 })
        #expect(playlist.segments.allSatisfy { $0.sequence >= 0 && $0.sequence < .max })
        let range = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-BYTERANGE:\(Int64.max)@\(Int64.max)\n#EXTINF:1,\na.ts\n"
        #expect(code { try media(range) } == "media.notAudio")
    }

    @Test("No more segments and variants are taken than a presentation has")
    func bounds() throws {
        let many = HLSMediaPlaylist.maximumSegments + 10
        let lines = String(repeating: "#EXTINF:1,\na.ts\n", count: many)
        #expect(try media("#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + lines).segments.count == many - 10)
        let variants = String(repeating: "#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n", count: 600)
        #expect(try master("#EXTM3U\n" + variants).variants.count == 500)
    }

    @Test(
        "Dates are read as Foundation reads them",
        arguments: [
            "2010-02-19T14:54:23.031+08:00", "2024-02-29T23:59:59Z", "2000-03-01T00:00:00.5-11:30",
            "1970-01-01T00:00:00Z",
            "2099-12-31T12:00:00.123456Z", "2100-02-28T00:00:00+00:00", "2010-02-19T14:54:23.031+0800",
            "2010-02-19T14:54:23",
            "2010-02-30T14:54:23Z", "2010-13-01T00:00:00Z", "2010-02-19", "", "2010-02-19T14:54:23.Z",
            "2010-02-19T24:00:00Z",
            "2010-02-19 14:54:23Z", "2010-02-19T14:54:23.031+08:0", "1969-12-31T23:59:59Z", "20100219T145423Z",
        ]
    )
    func dates(text: String) {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let expected = (try? Date(text, strategy: style)) ?? (try? Date(text, strategy: .iso8601))
        let found = HLSDate.seconds(of: text)
        #expect((found == nil) == (expected == nil))
        if let found, let expected { #expect(abs(found - expected.timeIntervalSince1970) < 0.002) }
    }

    @Test("Attribute lists that are malformed give what can be read of them")
    func attributes() {
        let list = HLSAttributes(#"A=1, B = "x,y" ,C="open,D=2"#)
        #expect(list["A"] == "1" && list["B"] == "x,y" && list["C"] == "open,D=2" && list["D"] == nil)
        #expect(HLSAttributes("A=0x0102")["A"] == "0x0102")
        #expect(HLSAttributes("A=0x0102").hexadecimal("A") == [1, 2])
        #expect(HLSAttributes("A=0xXY").hexadecimal("A") == nil)
        #expect(HLSAttributes("A=-1").integer("A") == nil)
        #expect(HLSAttributes(",,,=,==\"\"")["A"] == nil)
    }
}
