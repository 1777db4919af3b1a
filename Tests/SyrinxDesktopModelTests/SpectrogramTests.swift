import Foundation
import Testing

@testable import SyrinxDesktopModel

@Suite("The scale and the colours of a spectrogram")
struct SpectrogramScaleTests {
    @Test("A frequency lies in the row whose edges hold it")
    func rows() {
        let scale = SpectrogramScale(rowCount: 192, top: 20_000)
        let edges = scale.edges
        #expect(edges.count == 193)
        #expect(edges[0] == 0 && abs(edges[192] - 20_000) < 1e-6)
        for frequency in [30.0, 440, 1000, 4000, 15_999] {
            let row = scale.row(of: frequency)
            #expect(edges[row] <= frequency && frequency < edges[row + 1])
        }
        #expect(scale.row(of: 96_000) == 191 && scale.row(of: .nan) == 0)
        // Mel: 1000 Hz are 1000 mel, and 20 kHz 3817.
        #expect(abs(scale.place(of: 1000) - 0.262) < 0.001)
    }

    @Test("Labels rise, keep their distance and lie within the picture", arguments: [40.0, 60, 96, 300, 2000])
    func labels(height: Double) {
        let labels = SpectrogramScale(rowCount: 192, top: 20_000).labels(height: height)
        #expect(!labels.isEmpty)
        #expect(zip(labels, labels.dropFirst()).allSatisfy { ($1.place - $0.place) * height >= 18 })
        #expect(labels.allSatisfy { $0.place * height >= 9 && (1 - $0.place) * height >= 9 })
        #expect(height < 60 || labels.contains { $0.text == "1 kHz" })
        #expect(SpectrogramScale(rowCount: 1, top: 20_000).labels(height: .nan).isEmpty)
    }

    @Test("Lightness goes evenly from the paper to the other end", arguments: [true, false])
    func lightness(isDark: Bool) {
        let colors = SpectrogramColors(isDark: isDark)
        let values = (0..<256).map { colors.lightness(of: $0) }
        let steps = zip(values, values.dropFirst()).map { isDark ? $1 - $0 : $0 - $1 }
        // Eight bits round a step of 0.003 by up to as much.
        #expect(steps.allSatisfy { $0 > -0.002 && $0 < 0.009 })
        #expect(isDark ? values[0] < 0.2 && values[255] > 0.9 : values[0] > 0.95 && values[255] < 0.26)
        #expect(colors.pixels.allSatisfy { $0 >> 24 == 255 })
    }
}

@Suite("The tiles of a spectrogram")
struct SpectrogramTilesTests {
    private static let colors = SpectrogramColors(isDark: true)

    private static func viewport(width: Double = 600, seconds: Double = 600) -> WaveformViewport {
        var viewport = WaveformViewport(width: width)
        viewport.setExtent(.known(seconds))
        return viewport
    }

    private static func columns(_ level: UInt8, rows: Int) -> SpectrogramTiles.Columns {
        Array(repeating: Array(repeating: level, count: rows), count: SpectrogramTiles.columnCount)
    }

    @Test("The visible tiles are wanted, then placed side by side")
    func visible() {
        var tiles = SpectrogramTiles(rowCount: 4)
        let viewport = Self.viewport()
        var frame = tiles.frame(viewport: viewport, scale: 1, colors: Self.colors)
        // A pixel is a second, so three tiles of 256 columns.
        #expect(frame.wanted == (0...2).map { SpectrogramTiles.Key(zoom: 0, index: $0) })
        #expect(frame.placed.isEmpty && frame.painted.isEmpty)
        for key in frame.wanted { tiles.insert(Self.columns(9, rows: 4), for: key, isWhole: true) }
        frame = tiles.frame(viewport: viewport, scale: 1, colors: Self.colors)
        #expect(frame.wanted.isEmpty && frame.isFinal)
        #expect(frame.placed.map(\.x) == [0, 256, 512])
        #expect(frame.placed.allSatisfy { $0.width == 256 })
        #expect(frame.painted.allSatisfy { $0.pixels == Array(repeating: Self.colors.pixels[9], count: 1024) })
        #expect(tiles.frame(viewport: viewport, scale: 1, colors: Self.colors).painted.isEmpty)
    }

    @Test("Tiles meet at whole device pixels at any zoom")
    func seams() {
        var viewport = Self.viewport(width: 611)
        for _ in 0..<40 {
            viewport.zoom(by: 1.13, aroundPixel: 97)
            var tiles = SpectrogramTiles(rowCount: 1, maximumPaints: 64)
            for key in tiles.frame(viewport: viewport, scale: 2, colors: Self.colors).wanted {
                tiles.insert(Self.columns(1, rows: 1), for: key, isWhole: true)
            }
            let placed = tiles.frame(viewport: viewport, scale: 2, colors: Self.colors).placed
            #expect(placed.count > 1)
            #expect(zip(placed, placed.dropFirst()).allSatisfy { $0.x + $0.width == $1.x })
            #expect(placed.allSatisfy { ($0.x * 2).rounded() == $0.x * 2 })
        }
    }

    @Test("The lowest row is at the bottom, and a column that is missing is clear")
    func orientation() {
        var tiles = SpectrogramTiles(rowCount: 2)
        var columns: SpectrogramTiles.Columns = Array(repeating: nil, count: 256)
        columns[3] = [200, 50]
        tiles.insert(columns, for: .init(zoom: 0, index: 0), isWhole: false)
        let pixels = tiles.frame(viewport: Self.viewport(), scale: 1, colors: Self.colors).painted[0].pixels
        #expect(pixels[3] == Self.colors.pixels[50] && pixels[256 + 3] == Self.colors.pixels[200])
        #expect(pixels[4] == 0 && pixels[256 + 2] == 0)
    }

    @Test("A tile serves zooms up to twice as fine, and its columns are a pixel or half of one")
    func zooms() {
        for zoom in [1.0, 1.3, 1.9, 2.0, 57, 4000] {
            var viewport = Self.viewport()
            viewport.zoom(by: zoom, aroundPixel: 0)
            for scale in 1...2 {
                let column =
                    1 / viewport.secondsPerPixel
                    * SpectrogramTiles.Key(
                        zoom: SpectrogramTiles.zoom(of: viewport, scale: scale),
                        index: 0
                    ).secondsPerColumn * Double(scale)
                #expect(column > 0.499 && column <= 1.001)
            }
        }
    }

    @Test("A tile that lacked something is wanted until it has come again")
    func arrival() {
        var tiles = SpectrogramTiles(rowCount: 1)
        let viewport = Self.viewport(seconds: 500)
        for index in 0...1 {
            tiles.insert(Self.columns(1, rows: 1), for: .init(zoom: -1, index: index), isWhole: index == 0)
        }
        for index in 2...3 { tiles.insert(Self.columns(1, rows: 1), for: .init(zoom: -1, index: index), isWhole: true) }
        tiles.arrived(0...150)
        let frame = tiles.frame(viewport: viewport, scale: 1, colors: Self.colors)
        #expect(frame.wanted == [.init(zoom: -1, index: 1)])
        #expect(frame.placed.count == 4)
        #expect(tiles.frame(viewport: viewport, scale: 1, colors: Self.colors).wanted == frame.wanted)
        tiles.insert(Self.columns(1, rows: 1), for: .init(zoom: -1, index: 1), isWhole: true)
        #expect(tiles.frame(viewport: viewport, scale: 1, colors: Self.colors).wanted.isEmpty)
    }

    @Test("The number of tiles is bounded, and those of the view stay")
    func bound() {
        var tiles = SpectrogramTiles(rowCount: 1, tileLimit: 8)
        var dropped = 0
        var viewport = Self.viewport(width: 3840, seconds: 36_000)
        viewport.zoom(by: 100, aroundPixel: 0)
        for _ in 0..<200 {
            let frame = tiles.frame(viewport: viewport, scale: 1, colors: Self.colors)
            for key in frame.wanted { tiles.insert(Self.columns(1, rows: 1), for: key, isWhole: true) }
            let next = tiles.frame(viewport: viewport, scale: 1, colors: Self.colors)
            dropped += frame.dropped.count + next.dropped.count
            #expect(next.wanted.isEmpty)
            #expect(tiles.tileCount <= 8 + 32)
            viewport.scroll(byPixels: 500)
        }
        #expect(dropped > 100)
        tiles.removeAll()
        #expect(tiles.tileCount == 0)
        #expect(tiles.frame(viewport: viewport, scale: 1, colors: Self.colors).dropped.count > 0)
    }

    @Test("A frame paints a few tiles, and says that it is not final until all are")
    func paints() {
        var tiles = SpectrogramTiles(rowCount: 1, maximumPaints: 2)
        let viewport = Self.viewport(width: 1280, seconds: 1280)
        for index in 0...5 { tiles.insert(Self.columns(1, rows: 1), for: .init(zoom: 0, index: index), isWhole: true) }
        var counts: [Int] = []
        while counts.count < 10 {
            let frame = tiles.frame(viewport: viewport, scale: 1, colors: Self.colors)
            counts.append(frame.painted.count)
            if frame.isFinal { break }
        }
        #expect(counts == [2, 2, 2])
        // Other colours paint all anew, and drop what was painted.
        let light = tiles.frame(viewport: viewport, scale: 1, colors: SpectrogramColors(isDark: false))
        #expect(light.painted.count == 2 && light.dropped.count == 6 && !light.isFinal)
    }

    @Test("Any zoom and place gives a bounded frame")
    func chance() {
        var tiles = SpectrogramTiles(rowCount: 1, tileLimit: 4)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var viewport = WaveformViewport(width: .random(in: 0...8000, using: &generator))
            if Bool.random(using: &generator) { viewport.setExtent(.known(.random(in: 0...1e9, using: &generator))) }
            viewport.zoom(by: pow(10, .random(in: -1...12, using: &generator)), aroundPixel: 5)
            viewport.scroll(byPixels: .random(in: -1e6...1e6, using: &generator))
            let frame = tiles.frame(
                viewport: viewport,
                scale: .random(in: -1...9, using: &generator),
                colors: Self.colors
            )
            #expect(frame.wanted.count + frame.placed.count <= 1025)
        }
    }
}
