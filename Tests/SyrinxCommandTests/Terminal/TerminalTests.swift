import SyrinxListening
import Testing

@testable import syrinx

@Suite("Terminal")
struct TerminalTests {
    private let line = TerminalLine(
        progress: PlaybackProgress(state: .playing, time: 60, duration: 240, received: [0..<0.5]),
        settings: SoundSettings(rate: 1.5, pitch: -300, volume: 0.8)
    )

    @Test("The line fits every width, and says the most that fits", arguments: 0...200)
    func widths(width: Int) {
        for duration in [nil, 240, 36_000] as [Double?] {
            var line = line
            line.progress.duration = duration
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

    @Test("Default settings are not shown, and an estimated duration is marked")
    func plain() {
        let progress = PlaybackProgress(state: .buffering, time: 3, duration: 3700, durationIsEstimate: true)
        let text = TerminalLine(progress: progress).text(width: 60)
        #expect(text.hasPrefix("buffering 0:00:03 / ~1:01:40"))
        #expect(text.hasSuffix("]  1.0×"))
    }

    @Test("The status line shows mute and loop")
    func mutedAndLooped() {
        var line = TerminalLine(settings: SoundSettings(volume: 0.5, loop: .one))
        line.settings.toggleMute()
        #expect(line.text(width: 80).hasSuffix("]  1.0×  muted  loop one"))
        line.settings.toggleMute()
        #expect(line.text(width: 80).hasSuffix("]  1.0×  vol 50 %  loop one"))
    }

    @Test("Times are read as people write them")
    func clock() {
        #expect(ClockTime.text(59.99) == "0:59")
        #expect(ClockTime.text(3600) == "1:00:00")
        #expect(ClockTime.text(-1) == "0:00")
        #expect(ClockTime.text(.nan) == "0:00")
    }

    @Test("The progress bar fits every width", arguments: 0...120)
    func progress(width: Int) {
        let known = ProgressBar.text(done: 44_100, total: 88_200, sampleRate: 44_100, width: width)
        #expect(known.count <= width)
        if width >= 60 { #expect(known.contains("50 %")) }
        #expect(ProgressBar.text(done: 44_100, total: nil, sampleRate: 44_100, width: width).count <= width)
    }
}
