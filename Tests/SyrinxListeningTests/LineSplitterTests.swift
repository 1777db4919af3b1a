import Testing

@testable import SyrinxListening

@Suite("Lines of --control and of faces")
struct LineSplitterTests {
    @Test("Lines come whole, however they are cut")
    func splitting() {
        let text = Array("one\ntwo\n\n".utf8) + Array(repeating: UInt8(ascii: "x"), count: 20) + Array("\nend".utf8)
        let expected: [LineSplitter.Line] = [.text("one"), .text("two"), .text(""), .tooLong, .text("end")]
        for size in [1, 2, 3, 7, 100] {
            var splitter = LineSplitter(longestLine: 10)
            var lines: [LineSplitter.Line] = []
            for start in stride(from: 0, to: text.count, by: size) {
                lines += splitter.lines(in: Array(text[start..<min(start + size, text.count)]))
            }
            if let rest = splitter.rest() { lines.append(rest) }
            #expect(lines == expected, "pieces of \(size)")
        }
    }
}
