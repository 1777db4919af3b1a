import Testing

@testable import SyrinxDesktopModel

/// A waveform by a formula: swells of ten minutes, of which the frames of `known` have arrived.
private func swells(known: Range<Int64> = 0..<Int64.max, reads: ReadCounter? = nil) -> WaveformSource {
    WaveformSource(sampleRate: 44_100) { frames, count in
        reads?.note(frames)
        let step = Double(frames.count) / Double(count)
        return (0..<count).map { index in
            let start = Double(frames.lowerBound) + Double(index) * step
            guard start >= Double(known.lowerBound), start < Double(known.upperBound) else { return .unknown }
            let phase = (start / 44_100 / 600).truncatingRemainder(dividingBy: 1)
            let peak = Int16(32_000 * phase)
            return WaveformBin(minimum: -peak, maximum: peak, rms: Float(phase) / 2)
        }
    }
}

private final class ReadCounter {
    private(set) var ranges: [Range<Int64>] = []

    func note(_ range: Range<Int64>) { ranges.append(range) }
}

/// A view of a waveform.
private struct Screen {
    var bars = WaveformBars()
    var viewport: WaveformViewport
    var height = 40.0
    var scale = 1
    var playhead: Double?
    var shape = WaveformStyle.Shape.bars(width: 2, gap: 1)
    var gain: Float = 1
    var source = swells()

    init(seconds: Double = 36_000, width: Double = 1000) {
        viewport = WaveformViewport(width: width)
        viewport.setExtent(.known(seconds))
    }

    mutating func draw() -> [WaveformBars.Rectangle] {
        bars.rectangles(
            viewport: viewport,
            height: height,
            scale: scale,
            playhead: playhead,
            shape: shape,
            gain: gain,
            source: source
        )
    }
}

@Suite struct WaveformBarsTests {
    /// Draws a few bars into characters, of a recording of a second for each pixel.
    private func picture(
        _ shape: WaveformStyle.Shape,
        _ bins: [WaveformBin],
        width: Int,
        seconds: Double = 100,
        gain: Float = 1
    ) -> [String] {
        var screen = Screen(seconds: seconds, width: seconds)
        (screen.height, screen.shape, screen.gain) = (8, shape, gain)
        screen.source = WaveformSource(sampleRate: 100) { frames, _ in frames.lowerBound == 0 ? bins : [] }
        var rows = [[Character]](repeating: [Character](repeating: " ", count: width), count: 8)
        for rectangle in screen.draw() {
            for y in 0..<8 {
                // The middle of a pixel.
                guard Double(y) + 0.5 > rectangle.y, Double(y) + 0.5 < rectangle.y + rectangle.height else { continue }
                for x in 0..<width where Double(x) >= rectangle.x && Double(x) < rectangle.x + rectangle.width {
                    rows[y][x] = rectangle.part == .peak ? "#" : rectangle.part == .loudness ? "O" : "-"
                }
            }
        }
        return rows.map { String($0) }
    }

    @Test func `Bars lie around the middle, the loudness within the peak, with a line for what has not arrived`() {
        let bins = [
            WaveformBin(minimum: -32_768, maximum: 100, rms: 0.5),
            WaveformBin(minimum: -8_192, maximum: 16_384, rms: 0.25),
            WaveformBin(minimum: -14_000, maximum: 0, rms: 0), .unknown,
        ]
        #expect(
            picture(.bars(width: 2, gap: 1), bins, width: 12, seconds: 12) == [
                "##          ",
                "##          ",
                "OO ## ##    ",
                "OO OO ##    ",
                "OO OO ##    ",
                "OO ## ##    ",
                "##          ",
                "##          ",
            ]
        )
        var screen = Screen()
        screen.source = swells(known: 0..<0)
        let drawn = screen.draw()
        #expect(drawn.count == 334 && drawn.allSatisfy { $0.part == .missing && $0.y == 19.5 && $0.height == 1 })
    }

    @Test func `A wide view has fewer and wider bars`() {
        let counts = [360.0, 1999, 2000, 3840].map { width in
            var screen = Screen(width: width)
            screen.shape = .bars(forWidth: width)
            return Set(screen.draw().map(\.x)).count
        }
        #expect(counts == [120, 667, 400, 768])
    }

    @Test func `Columns reach from the least to the greatest sample`() {
        let bins = [
            WaveformBin(minimum: 0, maximum: 32_767, rms: 0), WaveformBin(minimum: -16_384, maximum: 8_192, rms: 0),
            WaveformBin(minimum: -32_768, maximum: -16_384, rms: 0),
        ]
        let picture = picture(.columns, bins, width: 3)
        #expect(picture == ["#  ", "#  ", "#  ", "## ", " # ", " # ", "  #", "  #"])
    }

    @Test func `A greater gain makes bars higher up to the edge and no further`() {
        let bins = [WaveformBin(minimum: -8_192, maximum: 8_192, rms: 0.1)]
        #expect(picture(.bars(width: 1, gap: 0), bins, width: 1, gain: 2).joined().filter { $0 != " " }.count == 4)
        #expect(picture(.bars(width: 1, gap: 0), bins, width: 1, gain: 100).joined() == "OOOOOOOO")
    }

    @Test func `What has been played is told from the rest, to the pixel`() {
        var screen = Screen(seconds: 1000)
        for playhead in [0.0, 0.4, 1, 254, 255, 256, 700.6, 1000] {
            screen.playhead = playhead
            for rectangle in screen.draw() {
                let isPlayed = rectangle.x < playhead.rounded()
                #expect(
                    rectangle.isPlayed == isPlayed && (!isPlayed || rectangle.x + rectangle.width <= playhead.rounded())
                )
            }
        }
        screen.playhead = nil
        #expect(screen.draw().allSatisfy { !$0.isPlayed })
    }

    @Test func `The colours of a theme are mixed with what lies beneath`() {
        #expect(Color(255, 0, 0, alpha: 51).over(Color(0, 0, 100)) == Color(51, 0, 80))
        #expect(Color(1, 2, 3).over(Color(9, 9, 9)) == Color(1, 2, 3))
        #expect(Color(1, 2, 3, alpha: 0).over(Color(9, 8, 7, alpha: 4)) == Color(9, 8, 7))
        let (blue, black, white) = (Color(0, 0, 255), Color(0, 0, 0), Color(255, 255, 255))
        let style = WaveformStyle(accent: blue, foreground: black, background: white)
        #expect(style.played.rms == blue && style.unplayed.rms == Color(82, 82, 82))
        for palette in [style.played, style.unplayed] {
            #expect([palette.peak, palette.rms, palette.missing].allSatisfy { $0.alpha == 255 })
            #expect(palette.rms.red < palette.peak.red && palette.peak.red < palette.missing.red)
        }
    }

    @Test func `The playhead moves without reading the waveform again, and scrolling reads only what comes into view`()
    {
        let reads = ReadCounter()
        var screen = Screen()
        screen.source = swells(reads: reads)
        screen.viewport.zoom(by: 100, aroundPixel: 500)
        _ = screen.draw()
        let first = reads.ranges.count
        for second in stride(from: 0.0, to: 36_000, by: 100) {
            screen.playhead = second
            _ = screen.draw()
        }
        #expect(reads.ranges.count == first)
        for _ in 0..<1000 {
            screen.viewport.scroll(byPixels: 7)
            _ = screen.draw()
        }
        // 7,000 pixels have 36.5 groups of 192.
        #expect((36...38).contains(reads.ranges.count - first))
    }

    @Test func `A bar looks the same wherever the view begins`() {
        var screen = Screen()
        screen.viewport.zoom(by: 33, aroundPixel: 400)
        let former = screen.draw()
        screen.viewport.scroll(byPixels: 334)
        screen.bars.removeAll()
        let other = Dictionary(grouping: screen.draw()) { $0.x }
        for rectangle in former where rectangle.x >= 337 && rectangle.x < 1000 {
            var moved = rectangle
            moved.x -= 334
            #expect(other[moved.x]?.contains(moved) == true)
        }
    }

    @Test func `A zoom shows what a view shows that begins with it`() {
        var (zoomed, fresh) = (Screen(), Screen())
        for factor in [2.0, 3, 0.5] {
            _ = zoomed.draw()
            zoomed.viewport.zoom(by: factor, aroundPixel: 300)
            fresh.viewport = zoomed.viewport
            fresh.bars = WaveformBars()
            #expect(zoomed.draw() == fresh.draw())
        }
    }

    @Test func `What arrives is read again, and nothing else`() {
        let reads = ReadCounter()
        var screen = Screen()
        screen.source = swells(known: 0..<0)
        _ = screen.draw()
        let arrived: Range<Int64> = 0..<44_100 * 7200
        screen.source = swells(known: arrived, reads: reads)
        screen.bars.invalidate(arrived)
        let drawn = screen.draw()
        #expect(reads.ranges.count == 2 && reads.ranges.allSatisfy { $0.overlaps(arrived) })
        #expect(
            drawn.contains { $0.part == .peak && $0.x < 200 } && drawn.contains { $0.part == .missing && $0.x > 203 }
        )
        _ = screen.draw()
        #expect(reads.ranges.count == 2)
    }

    @Test func `A louder passage makes all bars lower in the next frame`() {
        var screen = Screen(width: 1200)
        screen.gain = 1
        let former = screen.draw().map(\.height).max() ?? 0
        screen.gain = 0.5
        #expect(abs((screen.draw().map(\.height).max() ?? 0) - former / 2) < 1e-3)
    }

    @Test func `A recording that grows is drawn up to its end`() {
        var screen = Screen(seconds: 60)
        screen.source = swells(known: 0..<0)
        screen.viewport.setExtent(.growing(30))
        #expect(screen.draw().last?.x == 498)
        screen.viewport.setExtent(.growing(45))
        #expect(screen.draw().last?.x == 747)
    }

    @Test func `Few columns are kept over a zoom and a scroll without end`() {
        var screen = Screen(width: 1000)
        screen.viewport.zoom(by: 100, aroundPixel: 0)
        for step in 0..<600 {
            let factor: Double = step / 200 % 2 == 0 ? 1.1 : 1 / 1.1
            if step % 100 == 99 { screen.viewport.zoom(by: factor, aroundPixel: 300) }
            screen.viewport.scroll(byPixels: 400)
            _ = screen.draw()
            // The view has seven groups at most.
            #expect(screen.bars.keptGroupCount <= 21)
        }
    }

    @Test func `Another recording shows nothing of the former one`() {
        var screen = Screen()
        _ = screen.draw()
        screen.bars.removeAll()
        screen.source = swells(known: 0..<0)
        #expect(screen.draw().allSatisfy { $0.part == .missing })
    }

    @Test func `Groups share out the frames of a recording without a gap at every zoom`() {
        for factor in [1.0, 17, 1000, 123_456] {
            let reads = ReadCounter()
            var screen = Screen()
            screen.source = swells(reads: reads)
            screen.viewport.zoom(by: factor, aroundPixel: 700)
            _ = screen.draw()
            let ranges = reads.ranges.sorted { $0.lowerBound < $1.lowerBound }
            for index in ranges.indices.dropFirst() {
                #expect(ranges[index - 1].upperBound == ranges[index].lowerBound)
            }
            #expect(!ranges.isEmpty && ranges.allSatisfy { !$0.isEmpty })
        }
    }

    @Test func `Doubled pixels show the same in finer steps`() {
        var screen = Screen(seconds: 100)
        screen.scale = 2
        screen.playhead = 50
        let drawn = screen.draw()
        #expect(drawn.first?.width == 2 && Set(drawn.map(\.x)).count == 334)
        #expect(drawn.filter(\.isPlayed).map { $0.x + $0.width }.max() == 500)
        #expect(drawn.contains { $0.y * 2 != ($0.y * 2).rounded() } == true)
    }

    @Test func `No view ends the program`() {
        var chance = Chance(4)
        var screen = Screen()
        for _ in 0..<3000 {
            let number = hostileNumbers[chance.int(0...hostileNumbers.count - 1)]
            switch chance.int(0...8) {
            case 0: screen.viewport.setWidth(chance.double(1...3000))
            case 1: screen.viewport.setExtent(.known(abs(number)))
            case 2: screen.viewport.setExtent(.growing(chance.double(0.001...1e9)))
            case 3: screen.viewport.zoom(by: chance.double(0.001...1000), aroundPixel: chance.double(0...1000))
            case 4: screen.playhead = number
            case 5: screen.height = chance.int(0...1) == 0 ? number : 300
            case 6:
                screen.shape = [.columns, .bars(width: .max, gap: -4), .bars(width: 2, gap: 1)][chance.int(0...2)]
            case 7: screen.gain = Float(number)
            default: screen.viewport.scroll(byPixels: chance.double(-1e6...1e6))
            }
            screen.scale = chance.int(-1...3)
            let rate = chance.int(0...4) == 0 ? number : 44_100
            screen.source = WaveformSource(sampleRate: rate) { _, count in
                [WaveformBin(minimum: .max, maximum: .min, rms: .nan)]
                    + Array(repeating: .init(minimum: .min, maximum: 0, rms: .infinity), count: count)
            }
            for rectangle in screen.draw() {
                #expect(rectangle.width > 0 && rectangle.height > 0 && rectangle.y >= 0)
                #expect(rectangle.x.isFinite && rectangle.y + rectangle.height <= 4096)
            }
        }
    }
}
