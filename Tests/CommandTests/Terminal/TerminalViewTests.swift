import MediaCodec
import Terminal
import Testing

@testable import syrinx

@Suite("Terminal view")
struct TerminalViewTests {
    private let nowPlaying = NowPlaying(
        name: "01.flac",
        tags: ["title": "Overture", "artist": "The Players", "album": "A Long Evening"],
        number: 2,
        count: 5,
        chapter: .init(number: 3, count: 12, title: "Entrance")
    )

    @Test("A terminal of 80 columns tells all that is known")
    func wide() {
        let lines = TerminalView(nowPlaying: nowPlaying, line: TerminalLine()).lines(width: 79, height: 24)
        #expect(lines.count == 3)
        #expect(lines[0] == "2/5  The Players – Overture  ·  A Long Evening")
        #expect(lines[1] == "Chapter 3/12  Entrance")
        #expect(lines[2].hasPrefix("opening   0:00"))
    }

    @Test("A terminal of 40 columns gives the album a line of its own")
    func narrow() {
        let lines = TerminalView(nowPlaying: nowPlaying, line: TerminalLine()).lines(width: 39, height: 10)
        #expect(lines.count == 4)
        #expect(lines[0] == "2/5  The Players – Overture")
        #expect(lines[1] == "A Long Evening")
        #expect(lines[2] == "Chapter 3/12  Entrance")
    }

    @Test("The lines fit terminals of every size, and the progress is always told")
    func sizes() {
        for width in 0...100 {
            for height in 0...12 {
                let lines = TerminalView(nowPlaying: nowPlaying, line: TerminalLine()).lines(
                    width: width,
                    height: height
                )
                #expect(lines.count >= 1 && lines.count <= max(1, height - 2))
                #expect(lines.allSatisfy { DisplayWidth.of($0) <= width })
                #expect(lines.last == TerminalLine().text(width: width))
            }
        }
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

    @Test(
        "The short name of an input is its last part",
        arguments: [
            ("/music/a b.flac", "a b.flac"), ("song.ogg", "song.ogg"), ("-", "standard input"),
            ("http://host/x/My%20Show.mp3?key=1", "My Show.mp3"), ("http://host/", "host"), ("/", "/"),
        ]
    )
    func shortNames(argument: String, name: String) throws {
        #expect(try #require(InputArgument(argument: argument)).shortName == name)
    }
}
