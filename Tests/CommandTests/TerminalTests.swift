import Testing

@testable import syrinx

@Suite("Terminal")
struct TerminalTests {
    @Test("Bytes become keys, however escape sequences are cut")
    func keys() {
        let bytes = Array(" [\u{1B}[C]\u{1B}[D{\u{1B}OA}\u{1B}[B\u{7F}90q".utf8)
        let expected: [Key] = [
            .togglePause, .slower, .forward, .faster, .back, .halfRate, .farForward, .doubleRate, .farBack, .normalRate,
            .quieter, .louder, .quit,
        ]
        for size in [1, 2, 3, 5, bytes.count] {
            var decoder = KeyDecoder()
            var keys: [Key] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                keys += decoder.keys(in: bytes[start..<min(start + size, bytes.count)])
            }
            #expect(keys == expected, "pieces of \(size)")
            #expect(!decoder.isPending)
        }
    }

    @Test("Sequences that mean nothing are swallowed whole, and an escape key alone is forgotten")
    func otherSequences() {
        var decoder = KeyDecoder()
        #expect(decoder.keys(in: Array("\u{1B}[3~\u{1B}[1;5C\u{1B}[15~x\u{1B}OP".utf8)).isEmpty)
        #expect(decoder.keys(in: [0x1B]).isEmpty)
        #expect(decoder.isPending)
        decoder.timeOut()
        #expect(decoder.keys(in: Array("[".utf8)) == [.slower])
    }

    private let line = TerminalLine(
        state: .playing,
        time: 60,
        duration: 240,
        received: [0..<0.5],
        rate: 1.5,
        pitch: -300,
        volume: 0.8
    )

    @Test("The line fits every width, and says the most that fits", arguments: 0...200)
    func widths(width: Int) {
        for duration in [nil, 240, 36_000] as [Double?] {
            var line = line
            line.duration = duration
            let text = line.text(width: width)
            #expect(text.count <= width)
            #expect(!text.contains { $0.isNewline })
            if width >= 20 { #expect(text.contains("1:00")) }
            if width >= 24, duration == 240 { #expect(text.contains("playing") && text.contains("4:00")) }
        }
    }

    @Test("The bar shows what was played and what was received")
    func bar() {
        let text = line.text(width: 80)
        #expect(text.hasPrefix("playing   1:00 / 4:00  ["))
        #expect(text.hasSuffix("]  1.5×  -300 ct  vol 80 %"))
        let bar = text.drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }
        let quarter = bar.count / 4
        #expect(bar.prefix(quarter).allSatisfy { $0 == "=" })
        #expect(abs(bar.filter { $0 == "-" }.count - (bar.count / 2 - quarter)) <= 1)
        #expect(bar.suffix(bar.count / 2 - 1).allSatisfy { $0 == " " })
    }

    @Test("Rate 1, pitch 0 and volume 1 are told shortly; an estimate is marked")
    func plain() {
        let text = TerminalLine(state: .buffering, time: 3, duration: 3700, durationIsEstimate: true).text(width: 60)
        #expect(text.hasPrefix("buffering 0:00:03 / ~1:01:40"))
        #expect(text.hasSuffix("]  1.0×"))
    }

    @Test("Times are read as people write them")
    func clock() {
        #expect(ClockText.text(59.99) == "0:59")
        #expect(ClockText.text(3600) == "1:00:00")
        #expect(ClockText.text(-1) == "0:00")
        #expect(ClockText.text(.nan) == "0:00")
    }

    @Test("The progress bar fits every width", arguments: 0...120)
    func progress(width: Int) {
        let known = ProgressBar.text(done: 44_100, total: 88_200, sampleRate: 44_100, width: width)
        #expect(known.count <= width)
        if width >= 60 { #expect(known.contains("50 %")) }
        #expect(ProgressBar.text(done: 44_100, total: nil, sampleRate: 44_100, width: width).count <= width)
    }
}
