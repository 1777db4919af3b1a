import SyrinxTestSupport
import Testing

@testable import SyrinxPodcastLibrary

@Suite("Notes") struct NotesTests {
    private func targets(_ notes: ShowNotes) -> [String: ShowNotes.Target] {
        let parts = notes.lines.flatMap(\.parts).compactMap { part in part.target.map { (part.text, $0) } }
        return Dictionary(parts) { first, _ in first }
    }

    @Test(
        "Links to the web stay, with their texts",
        arguments: [
            ("<a href=\"https://a.example/b?c=1&amp;d=2\">Anna</a>", "[Anna](https://a.example/b?c=1&d=2)"),
            ("<A class=x HREF='https://a.example/'><b>An</b>na</A> now", "[Anna](https://a.example/) now"),
            ("<a href=https://a.example/>a.example</a>", "https://a.example/"),
            ("<a href=\"javascript:no()\">Anna</a>", "Anna"), ("<a href=\"/page\">Anna</a>", "Anna"),
            ("<a href=\"file:///etc/passwd\">Anna</a>", "Anna"), ("<a name=\"a\">Anna</a>", "Anna"),
            ("<a href=\"https://a.example/x(1)\">[An]na</a>", "[(An)na](https://a.example/x%281%29)"),
            ("<a href=\"https://a.example/\"><img src=x></a>One", "One"),
            ("<a href=\"https://a.example/\">no end", "no end"),
            ("<a href=\"https://u:secret@a.example/\">Anna</a>", "[Anna](https://a.example/)"),
        ]
    )
    func links(html: String, text: String) throws {
        let feed = try parse(rss("<item><guid>1</guid><description><![CDATA[\(html)]]></description></item>"))
        #expect(feed.episodes[0].summary == text)
    }

    @Test("XHTML of Atom keeps its links")
    func xhtml() throws {
        let text = try parse(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><content type="xhtml">
            <div xmlns="http://www.w3.org/1999/xhtml">See <a href="https://a.example/?x=1&amp;y=2">Anna</a></div></content></entry></feed>
            """
        ).episodes[0].summary
        #expect(text == "See [Anna](https://a.example/?x=1&y=2)")
    }

    @Test("Paragraphs, lists, links and times are told apart")
    func parts() {
        let notes = ShowNotes(
            "0:00 Arrival (1:02:03 The Bar)\n\n• [Anna](https://a.example/)\n• See https://b.example/c, at 10:30 am.\n\nEnd 9:99",
            duration: 4_000
        )
        #expect(notes.lines.map(\.isItem) == [false, true, true, false])
        #expect(notes.lines.map(\.beginsParagraph) == [false, true, false, true])
        let expected: [String: ShowNotes.Target] = [
            "0:00": .time(0), "1:02:03": .time(3_723), "Anna": .link("https://a.example/"),
            "https://b.example/c": .link("https://b.example/c"),
        ]
        #expect(targets(notes) == expected)
        #expect(
            notes.text
                == "0:00 Arrival (1:02:03 The Bar)\n\n• Anna <https://a.example/>\n• See https://b.example/c, at 10:30 am.\n\nEnd 9:99"
        )
    }

    @Test("No time is after the end, and a description has none")
    func times() {
        #expect(targets(ShowNotes("10:00 and 20:00", duration: 700)) == ["10:00": .time(600)])
        #expect(targets(ShowNotes("10:00 and 20:00", hasTimes: false)).isEmpty)
        #expect(targets(ShowNotes("1:2:3, 12:345, 2026:10:10, 1.10:00, a10:00")).isEmpty)
    }

    @Test(
        "Notes full of signs that begin nothing are read in time proportional to their length",
        arguments: ["[", "[x](a", "[x](https://", "http://", "http://a ", "1:00", "1:", "h", "]("]
    )
    func signs(sign: String) {
        let growth = Growth(from: 10_000) { count in
            _ = ShowNotes(String(repeating: sign, count: count / sign.utf8.count))
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test(
        "Links without ends are read in time proportional to their length",
        arguments: ["<a href=", "<a href=x>", "<a ='"]
    )
    func links(sign: String) {
        let growth = Growth(from: 40_000) { count in
            _ = HTMLText.plain(String(repeating: sign, count: count / sign.utf8.count), keepsLinks: true)
        }
        #expect(growth.isLinear, "\(growth)")
    }
}
