import Testing

@testable import SyrinxDesktopModel

@Suite struct WaveformGainTests {
    @Test func `The loudest sample fills the height nearly, also of a soft recording`() {
        for peak: Float in [1, 0.9, 0.5, 0.1, 0.04] {
            var gain = WaveformGain()
            _ = gain.observe(peak: peak)
            _ = gain.complete()
            #expect(peak * gain.target <= 0.961 && peak * gain.target > 0.8)
        }
        var silence = WaveformGain()
        _ = silence.observe(peak: 1e-6)
        _ = silence.complete()
        #expect(silence.target < 31)
    }

    @Test func `While a recording arrives its scale only falls, in a few steps`() {
        var chance = Chance(5)
        var gain = WaveformGain()
        var changes = 0
        var (peak, former) = (Float(0.01), gain.target)
        for _ in 0..<10_000 {
            peak = min(peak * Float(chance.double(0.99...1.02)), 1)
            if gain.observe(peak: peak) { changes += 1 }
            #expect(gain.target <= former)
            former = gain.target
        }
        #expect(changes <= 9)
    }

    @Test func `A scale that changes gets there smoothly and then rests`() {
        var gain = WaveformGain()
        _ = gain.observe(peak: 0.1)
        #expect(gain.isStill)
        _ = gain.observe(peak: 1)
        var frames = 0
        var former = gain.shown
        while gain.advance(by: 1.0 / 60), frames < 100 {
            #expect(gain.shown < former && gain.shown >= gain.target)
            former = gain.shown
            frames += 1
        }
        #expect((10...40).contains(frames) && gain.isStill)
        for number in hostileNumbers { _ = gain.advance(by: number) }
        _ = gain.observe(peak: .nan)
        #expect(gain.shown.isFinite)
    }
}

@Suite struct WaveformMarksTests {
    private func viewport(_ seconds: Double = 1000) -> WaveformViewport {
        var viewport = WaveformViewport(width: 1000)
        viewport.setExtent(.known(seconds))
        return viewport
    }

    @Test func `Marks lie at their times, apart from each other`() {
        var viewport = viewport()
        let times = [0.0, 10, 11, 12, 13.5, 500, 1000]
        #expect(WaveformMarks.marks(times, in: viewport).map(\.index) == [0, 1, 4, 5, 6])
        viewport.show(from: 9, to: 19)
        let marks = WaveformMarks.marks(times, in: viewport)
        #expect(marks.map(\.index) == [1, 2, 3, 4])
        #expect(abs(marks[0].x - 100) < 1e-9)
    }

    @Test func `However many marks and pauses there are, a view shows as many as it has place for`() {
        let viewport = viewport(1_000_000)
        let times = (0..<1_000_000).map(Double.init)
        #expect((330...334).contains(WaveformMarks.marks(times, in: viewport).count))
        let ranges = times.map { (start: $0, end: $0 + 0.5) }
        #expect(WaveformMarks.spans(ranges, in: viewport) == [.init(from: 0, to: 999.9995)])
    }

    @Test func `Parts are cut to the view, at least a pixel wide, and joined across narrow gaps`() {
        var viewport = viewport()
        let ranges = [(start: 10.0, end: 20.0), (20.5, 30), (40, 40.1), (999.9, 1000)]
        #expect(
            WaveformMarks.spans(ranges, in: viewport) == [
                .init(from: 10, to: 30), .init(from: 40, to: 41), .init(from: 999, to: 1000),
            ]
        )
        viewport.show(from: 15, to: 25)
        #expect(
            WaveformMarks.spans(ranges, in: viewport).map { [$0.from.rounded(), $0.to.rounded()] } == [
                [0, 500], [550, 1000],
            ]
        )
        #expect(WaveformMarks.spans([], in: viewport).isEmpty)
        for number in hostileNumbers { _ = WaveformMarks.spans([(number, number)], in: viewport) }
        for number in hostileNumbers { _ = WaveformMarks.marks([number], in: viewport) }
    }
}
