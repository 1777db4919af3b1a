import Testing

@testable import SyrinxTerminal

@Suite("Parser of a terminal's input")
struct InputParserTests {
    private static let session =
        "a\u{1B}[A\u{1B}[1;2C\u{1B}OP\u{1B}x\u{03}é日\u{1B}[5~\u{1B}[200~q\u{1B}[31m\u{1B}[201~\u{1B}[<0;3;4M\u{1B}[<32;5;4M"
        + "\u{1B}[<0;5;4m\u{1B}[<65;1;1M\r\u{1B}[I\u{1B}[O\u{1B}[?62;4c\u{1B}[6;20;10t\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[Z"
        + "\u{1B}[97;5u\u{1B}[1;5D\u{1B}[3~\u{0}\u{1F}"

    private static let expected: [TerminalEvent] = [
        .key(KeyPress(.character("a"))), .key(KeyPress(.up)), .key(KeyPress(.right, .shift)),
        .key(KeyPress(.function(1))), .key(KeyPress(.character("x"), .alt)), .key(KeyPress(.character("c"), .control)),
        .key(KeyPress(.character("é"))), .key(KeyPress(.character("日"))), .key(KeyPress(.pageUp)),
        .paste("q\u{1B}[31m"), .mouse(.press(0), column: 2, row: 3), .mouse(.drag(0), column: 4, row: 3),
        .mouse(.release(0), column: 4, row: 3), .mouse(.wheelDown, column: 0, row: 0), .key(KeyPress(.enter)),
        .focus(true), .focus(false), .answer(.attributes([62, 4])), .answer(.cellSize(width: 10, height: 20)),
        .answer(.kittyGraphics(isSupported: true)), .key(KeyPress(.tab, .shift)),
        .key(KeyPress(.character("a"), .control)), .key(KeyPress(.left, .control)), .key(KeyPress(.delete)),
        .key(KeyPress(.character(" "), .control)), .key(KeyPress(.character("_"), .control)),
    ]

    @Test("The background that a terminal answers with is light or dark")
    func background() {
        var parser = InputParser()
        let answers = [
            ("rgb:ffff/ffff/ffff", true), ("rgb:1e1e/1e1e/2e2e", false), ("rgb:f/f/8", true),
            ("rgba:00/00/00/ff", false),
        ]
        for (text, isLight) in answers {
            for end in ["\u{7}", "\u{1B}\\"] {
                let events = parser.parse(Array("\u{1B}]11;\(text)\(end)".utf8))
                #expect(events == [.answer(.background(isLight: isLight))], "\(text)")
            }
        }
        for text in ["rgb:ffff/ffff", "rgb:/f/f", "rgb:fffff/f/f", "#ffffff", "rgb:x/f/f", ""] {
            #expect(parser.parse(Array("\u{1B}]11;\(text)\u{7}".utf8)).isEmpty, "\(text)")
        }
        #expect(Color.hasLightBackground(environment: ["COLORFGBG": "0;default;15"]))
        #expect(
            !Color.hasLightBackground(environment: ["COLORFGBG": "15;0"]) && !Color.hasLightBackground(environment: [:])
        )
    }

    @Test("Events are the same in whatever pieces the bytes come", arguments: [1, 2, 3, 7, 1000])
    func pieces(size: Int) {
        let bytes = Array(Self.session.utf8)
        var parser = InputParser()
        var events: [TerminalEvent] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            events += parser.parse(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(events == Self.expected)
        #expect(!parser.isPending)
    }

    @Test("An escape alone is a key once no more bytes come")
    func escape() {
        var parser = InputParser()
        let early = parser.parse([0x1B])
        #expect(early.isEmpty && parser.isPending)
        let late = parser.timeOut()
        #expect(late == [.key(KeyPress(.escape))] && !parser.isPending)
        let next = parser.parse([UInt8(ascii: "[")])
        #expect(next == [.key(KeyPress(.character("[")))])
    }

    @Test("Sequences that are not known, malformed or endless are passed over whole")
    func unknown() {
        var parser = InputParser()
        let long = String(repeating: "9;", count: 10_000)
        let text =
            "\u{1B}[\(long)~\u{1B}[99999999999999999999;2A\u{1B}[<1;0;0M\u{1B}[<9;9M\u{1B}[77~\u{1B}P1$r0m\u{1B}\\"
            + "\u{1B}]10;rgb:0/0/0\u{7}\u{1B}[<35;4;4Mz"
        let events = parser.parse(Array(text.utf8))
        #expect(events == [.key(KeyPress(.up, .shift)), .key(KeyPress(.character("z")))])
        let broken = parser.parse([0xFF, 0x80, 0xC3, UInt8(ascii: "k")])
        #expect(broken == [.key(KeyPress(.character("k")))])
    }

    @Test("A paste is bounded, and its end is found")
    func paste() {
        var parser = InputParser()
        var bytes = Array("\u{1B}[200~".utf8)
        bytes += Array(repeating: UInt8(ascii: "x"), count: InputParser.maximumPasteLength + 10)
        bytes += Array("\u{1B}\u{1B}[201~y".utf8)
        let events = parser.parse(bytes)
        #expect(events.count == 2 && events.last == .key(KeyPress(.character("y"))))
        if case .paste(let text) = events[0] { #expect(text.utf8.count == InputParser.maximumPasteLength) }
    }

    @Test("Bytes without meaning never stop the parser")
    func noise() {
        var parser = InputParser()
        var state: UInt64 = 42
        for _ in 0..<200_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let choices: [UInt8] = [0x1B, 0x5B, 0x3B, 0x3C, 0x4D, 0x7E, UInt8(truncatingIfNeeded: state >> 40)]
            _ = parser.parse([choices[Int(state >> 33) % choices.count]])
        }
        _ = parser.timeOut()
        _ = parser.parse(Array("\u{18}\u{1B}\\\u{1B}[201~".utf8))
        let events = parser.parse([UInt8(ascii: "k")])
        #expect(events == [.key(KeyPress(.character("k")))])
    }
}
