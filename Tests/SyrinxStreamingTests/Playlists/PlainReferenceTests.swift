import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

@Suite("References of common forms")
struct PlainReferenceTests {
    /// Pieces that references are made of, among them all that changes what they mean.
    private static let pieces = [
        "a", "b.ts", "seg1", "Z", "..", ".", "/", "//", "?", "x=1&y=2", "%20", "%", "%zz", " ", "ü", "#", ":", "http:",
        "https://",
        "http://", "h.example", ":8000", ":99999", "HTTP://", "file://", "@", "u:p@", "[::1]", ";", "~", "\\", "(1)",
        "+", "-", "_",
        "{$x}", "|", "\"", "C:", "+,=", "0",
    ]

    private func references(seed: UInt64, count: Int) -> [String] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            (0..<Int.random(in: 1...6, using: &random)).map { _ in
                Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)]
            }.joined()
        }
    }

    @Test(
        "A segment's reference leads where Foundation's parser says, or is refused as it is",
        arguments: [
            "http://h.example/a/b/list.m3u8", "https://u:p@h.example:8000/x.m3u8?a=/b/c", "https://h.example",
            "http://h.example/a/../b/./l.m3u8", "file:///m/%C3%BC/l.m3u8", "http:///l.m3u8",
            "https://h.example/a//l.m3u8",
        ]
    )
    func segments(base: String) throws {
        let locator = HLSLocator(base: try #require(URL(string: base)))
        for reference in references(seed: 7, count: 20_000) {
            let expected = try? locator.url(of: reference)
            let found = try? locator.location(of: Array(reference.utf8)[...])
            #expect(found?.text == expected?.absoluteString, "\(reference)")
            #expect(found?.url == expected, "\(reference)")
        }
    }

    @Test("A plain list leads where one whose entries are parsed each by itself does")
    func lists() throws {
        for origin in [
            "file:///m/%C3%BC x/../l.m3u", "http://h.example/a/l.m3u", "https://h.example/l.m3u", "file:///l.m3u",
        ] {
            let origin = try #require(URL(fromOutside: origin))
            let plain = PlaylistLocator(
                origin: origin,
                format: .m3u,
                disk: .init(exists: { _ in false }, members: { _ in [] })
            )
            for reference in references(seed: 8, count: 20_000) {
                var item = PlaylistItem(location: reference)
                let found = plain.location(of: item)
                // With a base of its own, which changes nothing, an entry is not taken for one of the common forms.
                item.bases = [origin.isFileURL ? "." : ""]
                #expect(found?.text == plain.location(of: item)?.text, "\(reference)")
            }
        }
    }

    @Test("Most references of real lists are of common forms")
    func forms() {
        for text in ["seg_1.ts", "a/b/1.m4s?token=a.b_c-d&e=/f", "Artist (live)/01-Song.mp3"] where !text.contains(" ")
        {
            #expect(PlainReference.isRelative(Array(text.utf8)[...]), "\(text)")
        }
        for text in ["https://cdn.example/a/1.ts", "https://cdn.example:8443/x?y=1", "https://cdn.example"] {
            #expect(PlainReference.isWeb(Array(text.utf8)[...], isSecure: true), "\(text)")
        }
        #expect(PlainReference.file(Array("a b/ü.mp3".utf8)[...], in: "file:///m/") == "file:///m/a%20b/%C3%BC.mp3")
        for text in ["a/../b", "./a", "a/.b", "/a", "a//b", "a#b", "a:b", "a b", ""] {
            #expect(!PlainReference.isRelative(Array(text.utf8)[...]), "\(text)")
        }
    }
}
