import Testing

@testable import syrinx

@Suite("Status block")
struct StatusBlockTests {
    private func lines(_ width: Int, _ count: Int) -> [String] {
        (0..<count).map { String(repeating: "\($0)", count: width) }
    }

    @Test("The lines are rewritten in place, and messages stand above them")
    func rewriting() {
        var block = StatusBlock()
        var screen = ScreenModel(width: 20, reflows: true)
        screen.write(block.print("first"))
        screen.write(block.show(["title", "playing 0:01"]))
        screen.write(block.show(["title", "playing 0:02"]))
        #expect(block.show(["title", "playing 0:02"]).isEmpty)
        screen.write(block.print("a message that is longer than a row"))
        #expect(screen.text == ["first", "a message that is lo", "nger than a row", "title", "playing 0:02"])
        screen.write(block.show(["playing"]))
        #expect(screen.text.suffix(2) == ["nger than a row", "playing"])
        screen.write(block.leave())
        screen.write("prompt")
        #expect(screen.text.suffix(2) == ["playing", "prompt"])
        screen.write("\r\u{1B}[K")
        screen.write(block.show(["again", "and more"]))
        screen.write(block.show([]))
        #expect(screen.text.last == "playing")
    }

    @Test("Nothing is left of wider lines when a terminal is made narrower", arguments: [true, false])
    func narrowing(reflows: Bool) {
        for count in 1...3 {
            for (from, to) in [(80, 79), (80, 40), (80, 13), (40, 80), (31, 30)] {
                var block = StatusBlock()
                var screen = ScreenModel(width: from, reflows: reflows)
                screen.write("above\n")
                screen.write(block.show(lines(from - 1, count)))
                screen.resize(to: to)
                screen.write(block.show(lines(to - 1, count)))
                #expect(screen.text == ["above"] + lines(to - 1, count), "\(count) lines from \(from) to \(to)")
                screen.resize(to: 100)
                screen.write(block.show(lines(99, count)))
                #expect(screen.text == ["above"] + lines(99, count), "\(count) lines from \(from) to \(to) and 100")
                screen.resize(to: 6)
                screen.write(block.show([]))
                #expect(screen.text == ["above"], "\(count) lines from \(from) to \(to) and 6")
            }
        }
    }

    @Test("A line that was drawn for a wider terminal is truncated", arguments: [true, false])
    func lateWidth(reflows: Bool) {
        var block = StatusBlock()
        var screen = ScreenModel(width: 40, reflows: reflows)
        screen.write("above\n")
        screen.write(block.show(lines(79, 2)))
        screen.write(block.show(lines(39, 2)))
        #expect(screen.text == ["above"] + lines(39, 2))
    }
}
