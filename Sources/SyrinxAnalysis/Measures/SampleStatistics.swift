/// The mean of each channel of a recording, and the correlation of its first two channels.
///
/// Sums have double precision. If all samples are finite, results for different buffer lengths agree to twelve digits.
/// A block of up to 256 frames with a sample that is not finite is ignored. A value; use it on one thread at a time.
public struct SampleStatistics: Sendable {
    /// The sums of two channels.
    private struct Moments: Sendable {
        var (x, y, xx, yy, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)

        mutating func add(_ other: Moments) {
            (x, y, xx, yy, xy) = (x + other.x, y + other.y, xx + other.xx, yy + other.yy, xy + other.xy)
        }
    }

    private let channelCount: Int
    private var frameCount: Int64 = 0
    /// The sums of each pair of neighboring channels.
    private var pairs: [Moments]

    /// Creates a measurement for a number of channels.
    public init(channelCount: Int) {
        self.channelCount = max(channelCount, 0)
        pairs = Array(repeating: Moments(), count: (self.channelCount + 1) / 2)
    }

    /// The DC offset of each channel: the mean of its samples, −1…1, where 1 is full scale; 0 without samples.
    public var dcOffsets: [Double] {
        (0..<channelCount).map { channel in
            let pair = pairs[channel / 2]
            return frameCount > 0 ? (channel.isMultiple(of: 2) ? pair.x : pair.y) / Double(frameCount) : 0
        }
    }

    /// The largest DC offset of all channels by magnitude, with its sign; `nil` without samples.
    public var dcOffset: Double? { frameCount > 0 ? dcOffsets.max { abs($0) < abs($1) } : nil }

    /// The correlation of the first two channels: 1 if they are equal, 0 if they are unrelated, −1 if they are equal
    /// with opposite signs.
    ///
    /// It is Pearson's coefficient, the covariance divided by both standard deviations. Gains and DC offsets do not
    /// change it. `nil` for a single channel, or if one of the two channels is constant.
    public var correlation: Double? {
        guard channelCount > 1, frameCount > 0, let sums = pairs.first else { return nil }
        let count = Double(frameCount)
        let (xx, yy) = (sums.xx - sums.x * sums.x / count, sums.yy - sums.y * sums.y / count)
        // A smaller variance is a rounding error.
        guard xx > sums.xx * 1e-12, yy > sums.yy * 1e-12 else { return nil }
        return min(max((sums.xy - sums.x * sums.y / count) / (xx.squareRoot() * yy.squareRoot()), -1), 1)
    }

    /// Adds samples, one pointer for each channel.
    public mutating func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        var done = 0
        while done < frameCount {
            let count = min(frameCount - done, PeakKernel.blockFrames)
            let blocks = pairs.indices.map { pair in
                let right = min(2 * pair + 1, channelCount - 1)
                return Self.moments(channels[2 * pair] + done, channels[right] + done, count)
            }
            if blocks.allSatisfy({ ($0.xx + $0.yy).isFinite }) {
                for pair in pairs.indices { pairs[pair].add(blocks[pair]) }
                self.frameCount += Int64(count)
            }
            done += count
        }
    }

    private static func moments(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ count: Int) -> Moments {
        typealias Lanes = SIMD4<Double>
        var (x, y, xx, yy, xy) = (Lanes(), Lanes(), Lanes(), Lanes(), Lanes())
        let (first, second) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
        var index = 0
        while index &+ 4 <= count {
            let a = Lanes(first.loadUnaligned(fromByteOffset: index &* 4, as: SIMD4<Float>.self))
            let b = Lanes(second.loadUnaligned(fromByteOffset: index &* 4, as: SIMD4<Float>.self))
            x += a
            y += b
            xx += a * a
            yy += b * b
            xy += a * b
            index &+= 4
        }
        var sums = Moments(x: x.sum(), y: y.sum(), xx: xx.sum(), yy: yy.sum(), xy: xy.sum())
        while index < count {
            let (a, b) = (Double(left[index]), Double(right[index]))
            sums.add(Moments(x: a, y: b, xx: a * a, yy: b * b, xy: a * b))
            index &+= 1
        }
        return sums
    }
}
