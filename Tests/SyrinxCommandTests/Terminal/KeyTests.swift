import SyrinxListening
import SyrinxTerminal
import Testing

@testable import syrinx

@Suite("Keys")
struct KeyTests {
    private func keys(_ text: String) -> [Key] {
        var parser = InputParser()
        return parser.parse(Array(text.utf8)).compactMap(Self.key)
    }

    private static func key(_ event: TerminalEvent) -> Key? {
        if case .key(let press) = event { Key(press) } else { nil }
    }

    @Test("Bytes become keys, however escape sequences are cut")
    func pieces() {
        let bytes = Array(" [\u{1B}[C]\u{1B}[D{\u{1B}OA}\u{1B}[B\u{7F}90\u{1B}[5~\u{1B}[6;2~q".utf8)
        let expected: [Key] = [
            .command(.toggle), .command(.rate(.by(-0.1))), .command(.skipForward), .command(.rate(.by(0.1))),
            .command(.skipBack), .command(.multiplyRate(0.5)), .command(.seek(.by(60))),
            .command(.multiplyRate(2)), .command(.seek(.by(-60))), .command(.rate(.to(1))),
            .command(.volume(.by(-0.05))), .command(.volume(.by(0.05))), .command(.nextChapter),
            .command(.seek(.by(-600))),
            .quit,
        ]
        for size in [1, 2, 3, 5, bytes.count] {
            var parser = InputParser()
            var keys: [Key] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                keys += parser.parse(bytes[start..<min(start + size, bytes.count)]).compactMap(Self.key)
            }
            #expect(keys == expected, "pieces of \(size)")
            #expect(!parser.isPending)
        }
    }

    @Test("The keys of mpv mean what they mean there")
    func mpv() {
        #expect(
            keys("p mL?Q") == [.command(.toggle), .command(.toggle), .command(.mute), .command(.loop), .help, .quit]
        )
        #expect(
            keys("><\r\n") == [
                .command(.next(isWeak: true)), .command(.previous(isWeak: true)), .command(.next(isWeak: true)),
                .command(.next(isWeak: true)),
            ]
        )
        #expect(keys("/*") == [.command(.volume(.by(-0.05))), .command(.volume(.by(0.05)))])
        #expect(
            keys("\u{1B}[5~\u{1B}[6~\u{1B}[5;2~") == [
                .command(.nextChapter), .command(.previousChapter), .command(.seek(.by(600))),
            ]
        )
        #expect(
            keys("\u{1B}[H\u{1B}OH\u{1B}[1~\u{1B}[7~") == [
                .command(.seek(.to(0))), .command(.seek(.to(0))), .command(.seek(.to(0))), .command(.seek(.to(0))),
            ]
        )
        #expect(keys("\u{1B}[1;2H\u{1B}[1;2F") == [.command(.first), .command(.last)])
        #expect(
            keys("\u{1B}[1;2A\u{1B}[1;2B\u{1B}[1;2C\u{1B}[1;2D") == [
                .command(.seek(.by(5))), .command(.seek(.by(-5))), .command(.seek(.by(1))), .command(.seek(.by(-1))),
            ]
        )
    }

    @Test("Sequences that mean nothing are swallowed whole, and an escape key alone is forgotten")
    func otherSequences() {
        var parser = InputParser()
        let others = "\u{1B}[3~\u{1B}[1;5C\u{1B}[15~x\u{1B}OQä\u{1B}[F"
        let meant = parser.parse(Array(others.utf8)).compactMap(Self.key)
        #expect(meant.isEmpty)
        let beginning = parser.parse([0x1B])
        #expect(beginning.isEmpty)
        #expect(parser.isPending)
        let lone = parser.timeOut().compactMap(Self.key)
        #expect(lone.isEmpty)
        let next = parser.parse(Array("[".utf8)).compactMap(Self.key)
        #expect(next == [.command(.rate(.by(-0.1)))])
    }

    @Test("The help of the keys fits every width and tells all of them", arguments: [8, 20, 39, 79, 200])
    func help(width: Int) {
        let lines = KeyHelp.lines(width: width)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= width })
        guard width >= 39 else { return }
        let text = lines.joined(separator: "   ")
        for entry in KeyHelp.entries() { #expect(text.contains("\(entry.keys)  \(entry.meaning)")) }
        if width >= 79 { #expect(lines.count <= 4) }
    }
}
