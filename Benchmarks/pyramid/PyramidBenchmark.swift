import Foundation
import SyrinxAnalysis

/// Draws a thousand windows of a recording of ten hours, each at another place and zoom, and prints what one takes.
@main
enum PyramidBenchmark {
    private static let sampleRate = 44_100
    private static let windowCount = 1000
    private static let width = 1000
    private static let height = 250

    static func main() {
        let pyramid = WaveformPyramid(recording(hours: 10))
        let frames = pyramid.frameCount
        // From a second to the whole, evenly by ratio.
        let windows = (0..<windowCount).map { index -> Range<Int64> in
            let part = Double(index) / Double(windowCount - 1)
            let length = Int64(pow(Double(frames) / Double(sampleRate), part) * Double(sampleRate))
            let start = Int64(Double(frames - length) * Double(index * 7919 % windowCount) / Double(windowCount))
            return start..<start + length
        }
        row("a window of \(width) columns, of ten hours in stereo", windows) {
            pyramid.columns(in: $0, width: width)[0].count(where: \.isKnown)
        }
        row("the same as bars", windows) {
            pyramid.bars(in: $0, width: Double(width), height: Double(height), barWidth: 1, spacing: 0)[0].count
        }
    }

    /// Blocks that swell and fade, so that no two windows are alike.
    private static func recording(hours: Int) -> PeakWaveform {
        let count = hours * 3600 * sampleRate / 256
        var values: [Int16] = []
        values.reserveCapacity(count * 4)
        for index in 0..<count * 2 {
            let level = Int16((index &* 7919) % 32_000)
            values.append(-level)
            values.append(level / 2)
        }
        return PeakWaveform(sampleRate: sampleRate, samplesPerPixel: 256, channelCount: 2, values: values)
    }

    /// Measures each window by itself; the clock counts this process's CPU time.
    private static func row(_ name: String, _ windows: [Range<Int64>], _ draw: (Range<Int64>) -> Int) {
        var times: [Double] = []
        var drawn = 0
        for window in windows {
            let start = clock()
            drawn += draw(window)
            times.append(Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1e3)
        }
        precondition(drawn > windows.count * width / 2, "windows show something")
        times.sort()
        let figures = [times[times.count / 2], times[times.count * 99 / 100], times[times.count - 1]]
        let cells = figures.map { String(format: "%.3f", $0) }.joined(separator: " | ")
        print("| \(name) | \(cells) |")
    }
}
