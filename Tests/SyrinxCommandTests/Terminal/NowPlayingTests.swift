import SyrinxMediaCodec
import SyrinxTerminal
import Testing

@testable import syrinx

@Suite("What plays")
struct NowPlayingTests {
    private let nowPlaying = NowPlaying(
        name: "01.flac",
        tags: ["title": "Overture", "artist": "The Players", "album": "A Long Evening"],
        number: 2,
        count: 5,
        chapter: .init(number: 3, count: 12, title: "Entrance")
    )

    @Test("A line tells what plays, and one its chapter")
    func lines() {
        #expect(nowPlaying.itemLine == "2/5  The Players – Overture  ·  A Long Evening")
        #expect(nowPlaying.chapterLine == "Chapter 3/12  Entrance")
    }

    @Test("An input without tags is called by its file, and one alone has no number")
    func untagged() {
        var plain = NowPlaying(name: "noise.wav", number: 1, count: 1)
        #expect(plain.headline == "noise.wav")
        #expect(plain.itemLine == "noise.wav")
        #expect(plain.chapterLine == nil)
        plain.chapter = .init(number: 1, count: 2, title: nil)
        #expect(plain.chapterLine == "Chapter 1/2")
        plain.tags = ["title": "Song of the hour", "station": "Radio"]
        #expect(plain.itemLine == "Song of the hour  ·  Radio")
    }

    @Test("Control characters of tags and names do not reach the terminal")
    func hostileTags() {
        let hostile = "a\u{1B}]0;owned\u{7}b\nc"
        let view = NowPlaying(
            name: hostile,
            tags: ["artist": hostile, "album": hostile],
            number: 1,
            count: 1,
            chapter: .init(number: 1, count: 1, title: hostile)
        )
        let text = view.itemLine + (view.chapterLine ?? "")
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
        #expect(text.contains("owned"))
    }
}
