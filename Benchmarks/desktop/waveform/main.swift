import Foundation
import SyrinxDesktopModel

// Draws a waveform of ten hours in a view of 3840 pixels, scrolled and zoomed, and prints the CPU time of a frame.

/// Ten hours at 44.1 kHz, in levels of which each has a quarter of the columns of the one before.
struct Levels {
    static let sampleRate = 44_100.0
    static let block = 256
    let levels: [[WaveformBin]]

    init(seconds: Double) {
        var state: UInt32 = 1
        var levels = [
            (0..<Int(seconds * Self.sampleRate) / Self.block).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                let peak = Int16(truncatingIfNeeded: state >> 17)
                return WaveformBin(minimum: -peak, maximum: peak, rms: Float(peak) / 65_536)
            }
        ]
        while let last = levels.last, last.count > 4 {
            levels.append(
                stride(from: 0, to: last.count, by: 4).map { Self.merged(last[$0..<min($0 + 4, last.count)]) }
            )
        }
        self.levels = levels
    }

    static func merged(_ bins: ArraySlice<WaveformBin>) -> WaveformBin {
        guard var result = bins.first else { return .unknown }
        for bin in bins.dropFirst() {
            result.minimum = min(result.minimum, bin.minimum)
            result.maximum = max(result.maximum, bin.maximum)
            result.rms = max(result.rms, bin.rms)
        }
        return result
    }

    func columns(_ frames: Range<Int64>, _ count: Int) -> [WaveformBin] {
        let perColumn = Double(frames.count) / Double(count)
        var (level, width) = (0, Self.block)
        while level + 1 < levels.count, Double(width * 4) <= perColumn {
            level += 1
            width *= 4
        }
        let bins = levels[level]
        return (0..<count).map { column in
            let first = Int((Double(frames.lowerBound) + Double(column) * perColumn) / Double(width))
            let last = Int(((Double(frames.lowerBound) + Double(column + 1) * perColumn) / Double(width)).rounded(.up))
            let stop = min(max(last, first + 1), bins.count)
            return first < stop ? Self.merged(bins[first..<stop]) : .unknown
        }
    }
}

func cpuTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
}

func print(_ name: String, _ times: [Double], _ rectangleCount: Int) {
    let sorted = times.sorted()
    let mean = times.reduce(0, +) / Double(times.count)
    let text = String(
        format: "%-44@ %6.3f %6.3f %6.3f ms, %d rectangles",
        name as NSString,
        mean,
        sorted[sorted.count * 99 / 100],
        sorted[sorted.count - 1],
        rectangleCount
    )
    Swift.print(text)
}

let seconds = 36_000.0
let levels = Levels(seconds: seconds)
let source = WaveformSource(sampleRate: Levels.sampleRate) { levels.columns($0, $1) }
Swift.print("3840 device pixels, ten hours: mean, 99 %, greatest of a frame")
for (height, scale, shape) in [
    (200, 1, WaveformStyle.Shape.bars(width: 2, gap: 1)), (200, 2, .bars(width: 2, gap: 1)), (200, 2, .columns),
] {
    func measure(_ name: String, frames: Int, _ change: (inout WaveformViewport, Int) -> Double) {
        var bars = WaveformBars()
        var viewport = WaveformViewport(width: 3840 / Double(scale))
        viewport.setExtent(.known(seconds))
        viewport.zoom(by: 50, aroundPixel: 0)
        var times: [Double] = []
        var count = 0
        for frame in 0..<frames {
            let playhead = change(&viewport, frame)
            let before = cpuTime()
            let drawn = bars.rectangles(
                viewport: viewport,
                height: Double(height),
                scale: scale,
                playhead: playhead,
                shape: shape,
                gain: 1,
                source: source
            )
            times.append(cpuTime() - before)
            count = max(count, drawn.count)
        }
        print(
            "\(height * scale) px, \(shape == .columns ? "columns" : "bars"): \(name)",
            times.dropFirst().map { $0 },
            count
        )
    }
    measure("playhead moves", frames: 2000) { _, frame in Double(frame) / 60 }
    measure("scroll of 40 px", frames: 2000) { viewport, _ in
        viewport.scroll(byPixels: 40)
        return 100
    }
    measure("zoom, hours to ms and back", frames: 2000) { viewport, frame in
        viewport.zoom(by: frame / 500 % 2 == 0 ? 1.02 : 1 / 1.02, aroundPixel: 777)
        return 100
    }
    measure("seeks across the view", frames: 500) { viewport, frame in
        viewport.time(atPixel: frame % 2 == 0 ? 10 : viewport.width - 10)
    }
}
SpectrogramFrames.measure(
    { name, times, tiles in
        let sorted = times.sorted()
        let text = String(
            format: "%-44@ %6.3f %6.3f %6.3f ms, %d tiles",
            name as NSString,
            times.reduce(0, +) / Double(times.count),
            sorted[sorted.count * 99 / 100],
            sorted[sorted.count - 1],
            tiles.tileCount
        )
        Swift.print(text)
    },
    cpuTime: cpuTime
)
