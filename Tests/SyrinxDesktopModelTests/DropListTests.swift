import Foundation
import Testing

@testable import SyrinxDesktopModel

@Suite struct DropListTests {
    @Test(arguments: [
        ("/home/a/one.mp3", "/home/a/one.mp3", DropList.Kind.audio),
        ("file:///a%20b/Film.MKV", "/a b/Film.MKV", .video),
        ("file://localhost/a.flac", "/a.flac", .audio), ("file:/a.m3u8", "/a.m3u8", .playlist),
        ("/a.dsf", "/a.dsf", .audio), ("/a.dts", "/a.dts", .audio), ("/a.weba", "/a.weba", .audio),
        ("/music/", "/music/", .folder),
        ("https://example.org/a.mp3?x=1.zip", "https://example.org/a.mp3?x=1.zip", .stream),
        ("HTTP://example.org/live", "http://example.org/live", .stream),
        ("https://example.org/live.m3u8", "https://example.org/live.m3u8", .stream),
        ("https://example.org/radio.pls", "https://example.org/radio.pls", .playlist),
        ("https://example.org", "https://example.org", .stream),
        ("https://example.org/show.rss", "https://example.org/show.rss", .podcast),
        ("feed://example.org/a", "https://example.org/a", .podcast),
        ("feed:https://example.org/a", "https://example.org/a", .podcast),
        ("file:///caf%e9.mp3", "file:///caf%E9.mp3", .audio), ("file:///caf%E9/", "file:///caf%E9/", .folder),
        ("/a/.mp3", "/a/.mp3", .unknown), ("/a/noending", "/a/noending", .unknown),
    ])
    func `A location is known by its name`(text: String, location: String, kind: DropList.Kind) {
        var list = DropList()
        list.add(text)
        #expect(list.entries == [DropList.Entry(location: location, kind: kind)])
        #expect(list.message == nil)
    }

    @Test func `What cannot be opened is refused with a sentence`() {
        let list = DropList(
            text:
                "javascript:alert(1)\nsmb://nas/a.mp3\nfile://nas/a.mp3\n/a/cover.jpg\nhello\nfile:///%zz\nhttp://\nhttp:///a\nhttps://a b/"
        )
        #expect(list.entries.isEmpty && list.effect(on: .player) == .none)
        #expect(
            list.refusals == [
                .scheme("javascript"), .scheme("smb"), .host("nas"), .notMedia("cover.jpg"), .notALocation,
                .notALocation, .notALocation,
                .notALocation, .notALocation,
            ]
        )
        #expect(list.message == "Addresses that begin with “javascript:” cannot be opened. 8 more could not be opened.")
        for refusal in ["file://nas/a", "/a.pdf", "x"] {
            #expect(DropList(text: refusal).message?.hasSuffix(".") == true)
        }
    }

    @Test func `A list of URIs has comments, and each input counts once`() {
        let list = DropList(text: "# comment\r\nfile:///a.mp3\r\n\r\n/a.mp3\r\n  https://example.org/b.mp3  \r\n")
        #expect(list.entries.map(\.location) == ["/a.mp3", "https://example.org/b.mp3"])
    }

    @Test func `One recording is played, several become the queue, and the list is added to`() {
        let one = DropList(text: "/a.mp3")
        #expect(one.effect(on: .player) == .play(one.entries[0]))
        #expect(one.effect(on: .queue) == .enqueue(one.entries))
        let several = DropList(text: "/a.mp3\n/b.mp4")
        #expect(several.effect(on: .player) == .replaceQueue(several.entries))
        let playlist = DropList(text: "/a.m3u")
        #expect(playlist.effect(on: .player) == .replaceQueue(playlist.entries))
        var folder = DropList()
        folder.add("/music", isFolder: true)
        #expect(folder.effect(on: .player) == .replaceQueue([.init(location: "/music", kind: .folder)]))
        #expect(DropList(text: "https://example.org/feed").effect(on: .queue) == .subscribe("https://example.org/feed"))
        #expect(
            DropList(text: "/a.mp3\nhttps://example.org/feed").effect(on: .player)
                == .play(.init(location: "/a.mp3", kind: .audio))
        )
    }

    @Test func `A drop without end is bounded`() {
        let list = DropList(text: (0..<20_000).map { "/\($0).mp3" }.joined(separator: "\n"))
        #expect(list.entries.count == DropList.maximumCount)
        #expect(DropList(text: "/" + String(repeating: "a", count: 10_000)).entries.isEmpty)
        #expect(DropList(text: "/a\u{0}.mp3").entries.isEmpty)
    }
}
