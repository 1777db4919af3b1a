import Testing

@testable import SyrinxTerminal

@Suite("Display width")
struct DisplayWidthTests {
    @Test(
        "Text is as wide as terminals draw it",
        arguments: [
            ("", 0), ("abc", 3), ("Ä–…", 3), ("e\u{301}", 1), ("日本語", 6), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
            ("ｆｕｌｌ", 8), ("ｱｲ", 2), ("😀", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("a\u{200B}b", 2), ("م", 1),
        ]
    )
    func widths(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test("Text is cut between characters, and says that it was", arguments: 0...12)
    func fitting(columns: Int) {
        for text in ["日本語テキスト", "e\u{301}e\u{301}e\u{301}", "plain text here", "😀😀😀😀😀😀😀"] {
            let fitted = text.fitted(to: columns)
            #expect(DisplayWidth.of(fitted) <= columns)
            if DisplayWidth.of(text) <= columns {
                #expect(fitted == text)
            } else if columns > 0 {
                #expect(fitted.hasSuffix("…") && text.hasPrefix(fitted.dropLast()))
                // Not a column is wasted but for half of a wide character.
                #expect(DisplayWidth.of(fitted) >= columns - 1)
            }
        }
    }

    @Test("Text is divided between words, and within words that are longer than a row")
    func wrapping() {
        #expect("one two three".wrapped(columns: 20) == ["one two three"])
        #expect("one two three".wrapped(columns: 7) == ["one two", "three"])
        #expect("a https://example.org/b c".wrapped(columns: 10) == ["a", "https://ex", "ample.org/", "b c"])
        #expect("日本語の歌".wrapped(columns: 5) == ["日本", "語の", "歌"])
        #expect("".wrapped(columns: 0) == [""] && "   ".wrapped(columns: 2) == [""])
        for columns in 0..<12 {
            let rows = "A title, 日本 and averyveryverylongword".wrapped(columns: columns)
            #expect(rows.allSatisfy { DisplayWidth.of($0) <= max(columns, 2) })
        }
    }
}
