import Testing

@testable import SyrinxDesktopModel

@Suite struct LocalPathTests {
    @Test(arguments: [
        ("/a b/é.mp3", "/a b/é.mp3", "file:///a%20b/%C3%A9.mp3"), ("file:///a%20b/%C3%A9.mp3", "/a b/é.mp3", nil),
        ("file:///caf%E9.mp3", "file:///caf%E9.mp3", "file:///caf%E9.mp3"),
        ("FILE://LocalHost/caf%e9.mp3", "file:///caf%E9.mp3", nil), ("file:/a;b.mp3", "/a;b.mp3", "file:///a%3Bb.mp3"),
        ("/100%.mp3", "/100%.mp3", "file:///100%25.mp3"), ("/a'(b)!$&*+,=:@~", "/a'(b)!$&*+,=:@~", nil),
    ])
    func `A path keeps its bytes as text, as a URL and back`(text: String, location: String, url: String?) throws {
        let path = try #require(LocalPath(text))
        #expect(path.location == location)
        if let url { #expect(path.url == url) }
        #expect(LocalPath(path.url) == path && LocalPath(path.location) == path)
    }

    @Test func `Every byte but zero survives`() throws {
        let bytes = [UInt8(ascii: "/")] + (1...255).map { UInt8($0) }
        let path = try #require(LocalPath(bytes: bytes))
        #expect(path.url.utf8.allSatisfy { $0 > 32 && $0 < 127 })
        #expect(LocalPath(path.url)?.bytes == bytes && LocalPath(path.location)?.bytes == bytes)
    }

    @Test(arguments: [
        "", "a.mp3", "https://example.org/a", "file:a", "file://nas/a", "file:///a%", "file:///a%0", "file:///a%zz",
        "file:///a%+1", "file:///a%00b", "/a\u{0}b", "file:",
    ])
    func `What is no path of this computer is none`(text: String) {
        #expect(LocalPath(text) == nil)
    }

    @Test func `What is not UTF-8 is shown by replacement characters, and the ending is found`() throws {
        let path = try #require(LocalPath("file:///caf%E9/%FFna%EFve.FLAC"))
        #expect(path.name == "\u{FFFD}na\u{FFFD}ve.FLAC" && path.ending == "flac")
        #expect(path.display == "/caf\u{FFFD}/\u{FFFD}na\u{FFFD}ve.FLAC")
        #expect(LocalPath("/a/.mp3")?.ending == "" && LocalPath("/a/b/")?.name == "b" && LocalPath("/")?.name == "/")
        #expect(path.appending([0xE9]).url == "file:///caf%E9/%FFna%EFve.FLAC/%E9")
        #expect(LocalPath("/")?.appending("a".utf8).url == "file:///a")
    }
}
