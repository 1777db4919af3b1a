import Foundation
import SyrinxDesktopModel

/// Composes frames of a spectrogram in a view of 3840 pixels, with tiles that come as soon as they are wanted.
enum SpectrogramFrames {
    static func measure(_ print: (String, [Double], SpectrogramTiles) -> Void, cpuTime: () -> Double) {
        let rows = 192
        let columns: SpectrogramTiles.Columns = (0..<SpectrogramTiles.columnCount).map { column in
            (0..<rows).map { UInt8(truncatingIfNeeded: column &* 7 &+ $0) }
        }
        let colors = SpectrogramColors(isDark: true)
        func run(_ name: String, _ change: (inout WaveformViewport, Int) -> Void) {
            var viewport = WaveformViewport(width: 3840)
            viewport.setExtent(.known(36_000))
            viewport.zoom(by: 50, aroundPixel: 0)
            var tiles = SpectrogramTiles(rowCount: rows)
            var times: [Double] = []
            for number in 0..<2000 {
                change(&viewport, number)
                let before = cpuTime()
                let frame = tiles.frame(viewport: viewport, scale: 1, colors: colors)
                times.append(cpuTime() - before)
                for key in frame.wanted { tiles.insert(columns, for: key, isWhole: true) }
            }
            print("spectrogram: \(name)", times, tiles)
        }
        run("playhead moves") { _, _ in }
        run("scroll of 40 px") { viewport, _ in viewport.scroll(byPixels: 40) }
        run("zoom, hours to ms and back") { viewport, number in
            viewport.zoom(by: number / 500 % 2 == 0 ? 1.02 : 1 / 1.02, aroundPixel: 777)
        }
    }
}
