import Foundation
import SyrinxAnalysis

/// The rules of the reference, written down once more as plainly as can be.
enum PlainWaveform {
    /// Whole numbers of 16 bit: the mean of all channels, what is left of a step dropped.
    static func mixed(_ channels: [[Int]]) -> [[Int]] {
        [
            (0..<(channels.first?.count ?? 0)).map { frame in
                channels.reduce(0) { $0 + $1[frame] } / channels.count
            }
        ]
    }

    /// For each block the least and greatest of each channel.
    static func values(_ channels: [[Int]], samplesPerPixel: Int) -> [Int] {
        let frames = channels.first?.count ?? 0
        var result: [Int] = []
        var start = 0
        while start < frames {
            let end = min(start + samplesPerPixel, frames)
            for channel in channels {
                result.append(channel[start..<end].min() ?? 0)
                result.append(channel[start..<end].max() ?? 0)
            }
            start = end
        }
        return result
    }

    /// The bytes of a `.dat` file.
    static func dat(_ channels: [[Int]], sampleRate: Int, samplesPerPixel: Int, bits: Int) -> Data {
        let values = values(channels, samplesPerPixel: samplesPerPixel)
        var data = Data()
        func put(_ number: Int) { withUnsafeBytes(of: Int32(number).littleEndian) { data.append(contentsOf: $0) } }
        put(channels.count == 1 ? 1 : 2)
        put(bits == 8 ? 1 : 0)
        put(sampleRate)
        put(samplesPerPixel)
        put(values.count / 2 / channels.count)
        if channels.count > 1 { put(channels.count) }
        for value in values {
            if bits == 8 {
                data.append(UInt8(bitPattern: Int8(value / 256)))
            } else {
                withUnsafeBytes(of: Int16(value).littleEndian) { data.append(contentsOf: $0) }
            }
        }
        return data
    }

    /// The text of a `.json` file.
    static func json(_ channels: [[Int]], sampleRate: Int, samplesPerPixel: Int, bits: Int) -> String {
        let values = values(channels, samplesPerPixel: samplesPerPixel).map { bits == 8 ? $0 / 256 : $0 }
        let list = values.map { "\($0)" }.joined(separator: ",")
        return "{\"version\":2,\"channels\":\(channels.count),\"sample_rate\":\(sampleRate),\"samples_per_pixel\":"
            + "\(samplesPerPixel),\"bits\":\(bits),\"length\":\(values.count / 2 / channels.count),\"data\":[\(list)]}\n"
    }

    /// A coarser zoom of min and max pairs of one channel.
    static func rescaled(_ values: [Int], from input: Int, to output: Int) -> [Int] {
        let count = values.count / 2
        var result: [Int] = []
        var start = 0
        var pixel = 1
        while start < count {
            let end = min(pixel * output / input, count)
            result.append((start..<end).map { values[2 * $0] }.min() ?? 0)
            result.append((start..<end).map { values[2 * $0 + 1] }.max() ?? 0)
            start = end
            pixel += 1
        }
        return result
    }
}

/// Numbers that look random and are the same every time.
struct TestNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 33
    }
}

extension PeakBuilder {
    /// A waveform of `channels`, given in pieces whose lengths change.
    static func waveform(_ settings: Settings, _ channels: [[Float]], pieces: [Int] = [1000]) -> PeakWaveform {
        var builder = PeakBuilder(settings)
        var start = 0
        var piece = 0
        while start < channels[0].count {
            let end = min(start + pieces[piece % pieces.count], channels[0].count)
            builder.append(channels.map { Array($0[start..<end]) })
            start = end
            piece += 1
        }
        builder.finish()
        return builder.waveform
    }
}
