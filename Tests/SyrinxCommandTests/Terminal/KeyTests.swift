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
            .togglePause, .addRate(-0.1), .skipForward, .addRate(0.1), .skipBack, .multiplyRate(0.5), .skip(60),
            .multiplyRate(2), .skip(-60), .normalRate, .addVolume(-0.05), .addVolume(0.05), .nextChapter, .skip(-600),
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
        #expect(keys("p mL?Q") == [.togglePause, .togglePause, .toggleMute, .cycleLoop, .help, .quit])
        #expect(keys("><\r\n") == [.nextItem, .previousItem, .nextItem, .nextItem])
        #expect(keys("/*") == [.addVolume(-0.05), .addVolume(0.05)])
        #expect(keys("\u{1B}[5~\u{1B}[6~\u{1B}[5;2~") == [.nextChapter, .previousChapter, .skip(600)])
        #expect(keys("\u{1B}[H\u{1B}OH\u{1B}[1~\u{1B}[7~") == [.start, .start, .start, .start])
        #expect(keys("\u{1B}[1;2H\u{1B}[1;2F") == [.firstItem, .lastItem])
        #expect(keys("\u{1B}[1;2A\u{1B}[1;2B\u{1B}[1;2C\u{1B}[1;2D") == [.skip(5), .skip(-5), .skip(1), .skip(-1)])
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
        #expect(next == [.addRate(-0.1)])
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
