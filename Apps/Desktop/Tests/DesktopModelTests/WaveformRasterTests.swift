import Testing

@testable import DesktopModel

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

/// The side that keeps the tiles, as a view does with textures.
private struct Screen {
    var raster: WaveformRaster
    var viewport: WaveformViewport
    var height = 40
    var scale = 1
    var playhead: Double?
    var style = WaveformStyle(accent: Color(0, 0, 255), foreground: Color(0, 0, 0))
    var gain = WaveformGain()
    var source = swells()
    var tiles: [Int: WaveformRaster.Tile] = [:]
    var seen: Set<Int> = []

    init(seconds: Double = 36_000, width: Double = 1000, byteLimit: Int = 48 << 20) {
        raster = WaveformRaster(byteLimit: byteLimit)
        viewport = WaveformViewport(width: width)
        viewport.setExtent(.known(seconds))
    }

    mutating func draw() -> WaveformRaster.Frame {
        let frame = raster.frame(
            viewport: viewport,
            height: height,
            scale: scale,
            playhead: playhead,
            style: style,
            gain: gain,
            source: source
        )
        for tile in frame.made {
            #expect(seen.insert(tile.id).inserted, "a number is used once")
            #expect(tile.pixels.count == tile.width * tile.height)
            tiles[tile.id] = tile
        }
        for id in frame.dropped { #expect(tiles.removeValue(forKey: id) != nil, "only what was made is dropped") }
        var edge = 0
        for place in frame.placed {
            #expect(tiles[place.id] != nil, "what is placed is there")
            #expect(max(place.x + place.from, 0) == edge, "tiles lie side by side")
            edge = place.x + place.to
        }
        #expect(edge >= Int(viewport.width) * scale, "the view is covered")
        #expect(tiles.values.reduce(0) { $0 + $1.pixels.count * 4 } == raster.byteCount)
        return frame
    }

    /// The pixel of the picture that is composed of the tiles.
    func pixel(_ x: Int, _ y: Int, _ frame: WaveformRaster.Frame) -> UInt32? {
        for place in frame.placed where place.x + place.from <= x && x < place.x + place.to {
            guard let tile = tiles[place.id] else { return nil }
            return tile.pixels[y * tile.width + x - place.x]
        }
        return nil
    }
}

@Suite struct WaveformRasterTests {
    private static let style = WaveformStyle(
        played: .init(peak: Color(9, 9, 9), rms: Color(8, 8, 8), missing: Color(7, 7, 7)),
        unplayed: .init(peak: Color(1, 1, 1), rms: Color(2, 2, 2), missing: Color(3, 3, 3))
    )

    private func picture(
        _ shape: WaveformStyle.Shape,
        _ bins: [WaveformBin],
        width: Int,
        end: Int = 100,
        gain: Float = 1
    )
        -> [String]
    {
        let painter = WaveformTilePainter(
            shape: shape,
            palette: Self.style.unplayed,
            width: width,
            height: 8,
            scale: 1,
            gain: gain
        )
        let pixels = painter.pixels(bins, end: end)
        return (0..<8).map { y in
            String(
                (0..<width).map { x in
                    switch pixels[y * width + x] {
                    case 0: " "
                    case 0xFF01_0101: "#"
                    case 0xFF02_0202: "O"
                    case 0xFF03_0303: "-"
                    default: "+"
                    }
                }
            )
        }
    }

    @Test func `Bars lie around the middle, the loudness within the peak, with a line for what has not arrived`() {
        let bins = [
            WaveformBin(minimum: -32_768, maximum: 100, rms: 0.5),
            WaveformBin(minimum: -8_192, maximum: 16_384, rms: 0.25),
            WaveformBin(minimum: 0, maximum: 0, rms: 0), .unknown,
        ]
        #expect(
            picture(.bars(width: 2, gap: 1), bins, width: 15, end: 4) == [
                "##             ",
                "##             ",
                "OO ##          ",
                "OO OO ++ ++    ",
                "OO OO ++ ++    ",
                "OO ##          ",
                "##             ",
                "##             ",
            ]
        )
    }

    @Test func `Columns reach from the least to the greatest sample`() {
        let bins = [
            WaveformBin(minimum: 0, maximum: 32_767, rms: 0), WaveformBin(minimum: -16_384, maximum: 8_192, rms: 0),
            WaveformBin(minimum: -32_768, maximum: -16_384, rms: 0),
        ]
        let picture = picture(.columns, bins, width: 4)
        #expect(picture.map { String($0.prefix(3)) } == ["#  ", "#  ", "#  ", "## ", " # ", " # ", "  #", "  #"])
    }

    @Test func `A greater gain makes bars higher up to the edge and no further`() {
        let bins = [WaveformBin(minimum: -8_192, maximum: 8_192, rms: 0.1)]
        #expect(picture(.bars(width: 1, gap: 0), bins, width: 1, gain: 2).joined().filter { $0 != " " }.count == 4)
        #expect(picture(.bars(width: 1, gap: 0), bins, width: 1, gain: 100).joined() == "OOOOOOOO")
    }

    @Test func `Edges of a bar are mixed by how much of a pixel they cover`() {
        let painter = WaveformTilePainter(
            shape: .bars(width: 1, gap: 0),
            palette: .init(peak: Color(255, 255, 255), rms: Color(0, 0, 0), missing: Color(0, 0, 0)),
            width: 1,
            height: 8,
            scale: 1,
            gain: 1
        )
        let pixels = painter.pixels([WaveformBin(minimum: 0, maximum: 20_480, rms: 0)], end: 1)
        #expect(pixels[2] >= 0xFF00_0000 && pixels[1] >> 24 == 127 && pixels[0] == 0)
        #expect(pixels[1] & 0xFF == 127)
    }

    @Test func `Colours are premultiplied`() {
        #expect(Color(255, 128, 0, alpha: 128).premultiplied == 0x8080_4000)
        #expect(Color(255, 255, 255).premultiplied == 0xFFFF_FFFF)
        #expect(Color(red: 1, green: 0.5, blue: .nan, alpha: 9).premultiplied == 0xFFFF_8000)
        #expect(Color(10, 10, 10, alpha: 0).premultiplied == 0)
    }

    @Test func `Scrolling draws only the tiles that come into view`() {
        var screen = Screen()
        screen.viewport.zoom(by: 100, aroundPixel: 500)
        #expect(screen.draw().made.count == 5)
        var made = 0
        for _ in 0..<1000 {
            screen.viewport.scroll(byPixels: 7)
            let frame = screen.draw()
            #expect(frame.made.count <= 1)
            made += frame.made.count
        }
        #expect((27...28).contains(made))
        let unmoved = screen.draw()
        #expect(unmoved.made.isEmpty && unmoved.dropped.isEmpty && unmoved.isFinal)
    }

    @Test func `The playhead moves without drawing, but for the other colour of its tile`() {
        var screen = Screen()
        screen.playhead = 0
        _ = screen.draw()
        var made = 0
        for second in stride(from: 0.0, to: 36_000, by: 10) {
            screen.playhead = second
            let frame = screen.draw()
            made += frame.made.count
        }
        #expect(made == 4)
    }

    @Test func `What has been played has the other colours, to the pixel`() {
        var screen = Screen(seconds: 1000)
        screen.style = Self.style
        screen.source = WaveformSource(sampleRate: 100) { _, count in
            Array(repeating: WaveformBin(minimum: -32_768, maximum: 32_767, rms: 0), count: count)
        }
        for playhead in [0.0, 0.4, 1, 254, 255, 256, 700.6, 1000] {
            screen.playhead = playhead
            let frame = screen.draw()
            for x in 0..<1000 where x % 3 != 2 {
                let isPlayed = x < Int(playhead.rounded())
                #expect(screen.pixel(x, 20, frame) == (isPlayed ? 0xFF09_0909 : 0xFF01_0101))
            }
        }
    }

    @Test func `What arrives is drawn into the tiles that show it, and into no other`() {
        var screen = Screen()
        screen.source = swells(known: 0..<0)
        let empty = screen.draw()
        #expect(screen.pixel(100, 5, empty) == 0)
        let arrived: Range<Int64> = 0..<44_100 * 7200
        screen.source = swells(known: arrived)
        screen.raster.invalidate(arrived)
        let frame = screen.draw()
        #expect(frame.made.count == 1 && frame.dropped.count == 1)
        #expect(screen.pixel(15, 10, frame) != 0 && screen.pixel(210, 10, frame) == 0)
        #expect(screen.draw().made.isEmpty)
    }

    @Test func `A tile that is out of date is shown until a frame has time for it`() {
        var screen = Screen(width: 3840)
        _ = screen.draw()
        screen.raster.invalidate(0..<Int64.max)
        var frames = 0
        var redrawn = 0
        var isFinal = false
        while !isFinal, frames < 20 {
            let frame = screen.draw()
            #expect(frame.made.count <= screen.raster.maximumRedraws)
            redrawn += frame.made.count
            isFinal = frame.isFinal
            frames += 1
        }
        #expect(redrawn == 16 && frames == 4)
    }

    @Test func `A louder passage makes all bars lower at once, and sharp over some frames`() {
        var screen = Screen(width: 1200)
        _ = screen.gain.observe(peak: 0.5)
        let before = screen.draw()
        #expect(before.placed.allSatisfy { $0.verticalScale == 1 })
        #expect(screen.gain.observe(peak: 1) == true)
        let during = screen.draw()
        #expect(during.placed.last?.verticalScale == 1 && during.placed.first.map { $0.verticalScale > 1.5 } == true)
        while screen.gain.advance(by: 1.0 / 60) { _ = screen.draw() }
        let after = screen.draw()
        #expect(after.placed.allSatisfy { $0.verticalScale == 1 } && after.isFinal)
    }

    @Test func `A recording that grows is drawn up to its end`() {
        var screen = Screen(seconds: 60)
        screen.source = swells(known: 0..<0)
        screen.viewport.setExtent(.growing(30))
        let half = screen.draw()
        #expect(screen.pixel(300, 20, half) != 0 && screen.pixel(600, 20, half) == 0)
        screen.viewport.setExtent(.growing(45))
        let more = screen.draw()
        #expect(screen.pixel(600, 20, more) != 0 && screen.pixel(900, 20, more) == 0)
    }

    @Test func `Memory stays below its limit over a zoom and a scroll without end`() {
        var screen = Screen(width: 1000, byteLimit: 2 << 20)
        for step in 0..<600 {
            let factor: Double = step / 40 % 2 == 0 ? 1.1 : 1 / 1.1
            screen.viewport.zoom(by: factor, aroundPixel: 300)
            screen.viewport.scroll(byPixels: 40)
            _ = screen.draw()
            #expect(screen.raster.byteCount <= 2 << 20)
        }
        screen.raster.removeAll()
        let frame = screen.draw()
        #expect(screen.raster.tileCount == Set(frame.placed.map(\.id)).count)
    }

    @Test func `A view that needs more than the limit is drawn all the same, and keeps nothing else`() {
        var screen = Screen(width: 3840, byteLimit: 1000)
        _ = screen.draw()
        screen.viewport.zoom(by: 2, aroundPixel: 0)
        let frame = screen.draw()
        #expect(screen.raster.tileCount == Set(frame.placed.map(\.id)).count)
    }

    @Test func `Another recording shows nothing of the former one`() {
        var screen = Screen()
        let former = Set(screen.draw().placed.map(\.id))
        screen.raster.removeAll()
        screen.source = swells(known: 0..<0)
        let frame = screen.draw()
        #expect(former.isDisjoint(with: frame.placed.map(\.id)))
        #expect(Set(frame.dropped) == former)
    }

    @Test func `Another accent colour is seen in the next frame`() {
        var screen = Screen()
        screen.playhead = 36_000
        let former = screen.draw()
        screen.style = WaveformStyle(accent: Color(255, 0, 0), foreground: Color(0, 0, 0))
        let frame = screen.draw()
        #expect(frame.made.count == former.made.count)
        #expect(screen.pixel(15, 20, frame).map { $0 & 0x00FF_00FF } == 0x00FF_0000)
    }

    @Test func `Tiles share out the frames of a recording without a gap at every zoom`() {
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
            #expect(ranges.allSatisfy { !$0.isEmpty })
        }
    }

    @Test func `A tile is the same pixel by pixel when it is drawn again`() {
        var (first, second) = (Screen(), Screen())
        for _ in 0..<2 {
            first.viewport.zoom(by: 33, aroundPixel: 400)
            second.viewport.zoom(by: 33, aroundPixel: 400)
        }
        let frame = first.draw()
        second.viewport.scroll(byPixels: 333)
        _ = second.draw()
        second.raster.removeAll()
        let other = second.draw()
        for x in 0..<600 { #expect(first.pixel(x + 333, 12, frame) == second.pixel(x, 12, other)) }
    }

    @Test func `Doubled pixels show the same at twice the size`() {
        var screen = Screen(seconds: 100)
        screen.scale = 2
        screen.playhead = 50
        let frame = screen.draw()
        #expect(frame.made.first?.height == 80 && frame.made.first?.width == 252)
        #expect(frame.placed.contains { $0.x + $0.to == 1000 })
        let lit = (0..<12).map { screen.pixel($0, 40, frame) != 0 }
        #expect(lit == [true, true, true, true, false, false, true, true, true, true, false, false])
    }

    @Test func `No view ends the program`() {
        var chance = Chance(4)
        var screen = Screen()
        for _ in 0..<3000 {
            let number = hostileNumbers[chance.int(0...hostileNumbers.count - 1)]
            switch chance.int(0...7) {
            case 0: screen.viewport.setWidth(chance.double(1...3000))
            case 1: screen.viewport.setExtent(.known(abs(number)))
            case 2: screen.viewport.setExtent(.growing(chance.double(0.001...1e9)))
            case 3: screen.viewport.zoom(by: chance.double(0.001...1000), aroundPixel: chance.double(0...1000))
            case 4: screen.playhead = number
            case 5: screen.height = [1, 2, 40, 300][chance.int(0...3)]
            case 6:
                screen.style.shape =
                    [.columns, .bars(width: .max, gap: -4), .bars(width: 2, gap: 1)][chance.int(0...2)]
            default: screen.viewport.scroll(byPixels: chance.double(-1e6...1e6))
            }
            let rate = chance.int(0...4) == 0 ? number : 44_100
            screen.source = WaveformSource(sampleRate: rate) { _, count in
                [WaveformBin(minimum: .max, maximum: .min, rms: .nan)]
                    + Array(repeating: .init(minimum: .min, maximum: 0, rms: .infinity), count: count)
            }
            let frame = screen.raster.frame(
                viewport: screen.viewport,
                height: screen.height,
                scale: chance.int(-1...3),
                playhead: screen.playhead,
                style: screen.style,
                gain: screen.gain,
                source: screen.source
            )
            #expect(!frame.placed.isEmpty)
        }
    }
}
