import Glibc

/// The values of a band-limited signal between its samples: a sinc under a Kaiser window, kept as a table of rows.
///
/// A row holds the weights for one place between two frames; between two rows it is interpolated in a straight line, whose
/// error is (π / phases)² / 8 of full scale (−94 dB at 256 rows, −106 dB at 512). For reading faster than 1 the sinc is
/// widened by as much, so that nothing folds back. Each row sums to one, so a constant stays what it is.
struct InterpolationBank: ~Copyable {
    /// How the sinc is cut off.
    struct Shape {
        /// Zero crossings kept on either side.
        var halfWidth: Int
        /// Rows per frame at ratios up to 1.
        var phaseCount: Int
        /// Kaiser's β: the stop band lies at about −(β / 0.1102 + 8.7) dB (Kaiser 1974).
        var beta: Double
        /// The middle of the transition band, as a share of the Nyquist frequency.
        var cutoff: Double
    }

    /// Points of the prototype per zero crossing; interpolated in a straight line too.
    private static var resolution: Int { 2048 }

    private let shape: Shape
    private let prototype: FloatStore
    private let rows: FloatStore
    private var tunedScale = 0.0
    private(set) var tapCount = 0
    private var phaseCount = 0

    /// A bank for ratios up to `maximumRatio`, tuned to 1.
    init(shape: Shape, maximumRatio: Double) {
        self.shape = shape
        prototype = FloatStore(count: shape.halfWidth * Self.resolution + 2)
        let widest = 2 * Double(shape.halfWidth) * max(maximumRatio, 1) + 16
        rows = FloatStore(count: (2 * shape.halfWidth + 16) * (shape.phaseCount + 1) + 32 * Int(widest))
        let norm = Self.bessel(shape.beta)
        for index in 0..<shape.halfWidth * Self.resolution {
            let t = Double(index) / Double(Self.resolution)
            let x = t / Double(shape.halfWidth)
            let angle = Double.pi * t * shape.cutoff
            let sinc = index == 0 ? 1 : sin(angle) / angle
            let window = Self.bessel(shape.beta * (1 - x * x).squareRoot()) / norm
            prototype.pointer[index] = Float(shape.cutoff * sinc * window)
        }
        tune(ratio: 1)
    }

    /// How many frames on either side of a position its value is made from.
    @_noLocks @_noAllocation
    static func reach(shape: Shape, ratio: Double) -> Int {
        // A multiple of eight taps fills whole vectors.
        (Int(2 * Double(shape.halfWidth) * max(ratio, 1) + 7.999) / 8 * 8) / 2
    }

    /// Makes the rows for reading `ratio` frames a step.
    ///
    /// Costs nothing where the rows stay the same; else about 20 µs.
    @_noLocks @_noAllocation
    mutating func tune(ratio: Double) {
        let scale = max(ratio, 1)
        guard scale != tunedScale else { return }
        tunedScale = scale
        tapCount = 2 * Self.reach(shape: shape, ratio: ratio)
        phaseCount = max(Int(Double(shape.phaseCount) / scale), 16)
        let step = Float(Double(Self.resolution) / scale)
        let limit = Float(shape.halfWidth * Self.resolution)
        for phase in 0...phaseCount {
            let row = rows.pointer + phase * tapCount
            let offset = Float(phase) / Float(phaseCount) + Float(tapCount / 2 - 1)
            var sum: Float = 0
            for tap in 0..<tapCount {
                let place = min((Float(tap) - offset).magnitude * step, limit)
                let index = Int(place)
                let low = prototype.pointer[index]
                let weight = low + (place - Float(index)) * (prototype.pointer[index + 1] - low)
                row[tap] = weight
                sum += weight
            }
            let gain = 1 / sum
            for tap in 0..<tapCount { row[tap] *= gain }
        }
    }

    /// Reads `count` values, `step` apart.
    ///
    /// The first lies `fraction` · 2⁻⁶⁴ past the frame `source[tapCount / 2 - 1]`.
    @_noLocks @_noAllocation
    func read(
        _ source: UnsafePointer<Float>,
        fraction: UInt64,
        step: FixedPosition,
        into target: UnsafeMutablePointer<Float>,
        count: Int
    ) {
        var place = FixedPosition(whole: 0, fraction: fraction)
        for index in 0..<count {
            target[index] = value(source + place.whole, fraction: Float(place.fractionValue))
            place = place + step
        }
    }

    /// The value `fraction` of a frame past the frame whose first tap is `samples`.
    ///
    /// `samples[tapCount / 2 - 1]` is the frame at or before the position.
    @inline(__always)
    @_noLocks @_noAllocation
    private func value(_ samples: UnsafePointer<Float>, fraction: Float) -> Float {
        let place = fraction * Float(phaseCount)
        let phase = min(Int(place), phaseCount - 1)
        let share = place - Float(phase)
        let low = rows.pointer + phase * tapCount
        let high = low + tapCount
        // Eight sums side by side are one vector when optimised, and without optimisation far faster than `SIMD8`.
        var (sum0, sum1, sum2, sum3): (Float, Float, Float, Float) = (0, 0, 0, 0)
        var (sum4, sum5, sum6, sum7): (Float, Float, Float, Float) = (0, 0, 0, 0)
        var tap = 0
        while tap < tapCount {
            let x = samples + tap
            let a = low + tap
            let b = high + tap
            sum0 += x[0] * (a[0] + share * (b[0] - a[0]))
            sum1 += x[1] * (a[1] + share * (b[1] - a[1]))
            sum2 += x[2] * (a[2] + share * (b[2] - a[2]))
            sum3 += x[3] * (a[3] + share * (b[3] - a[3]))
            sum4 += x[4] * (a[4] + share * (b[4] - a[4]))
            sum5 += x[5] * (a[5] + share * (b[5] - a[5]))
            sum6 += x[6] * (a[6] + share * (b[6] - a[6]))
            sum7 += x[7] * (a[7] + share * (b[7] - a[7]))
            tap &+= 8
        }
        return ((sum0 + sum4) + (sum1 + sum5)) + ((sum2 + sum6) + (sum3 + sum7))
    }

    /// The modified Bessel function of the first kind, order 0, by its power series.
    private static func bessel(_ x: Double) -> Double {
        var sum = 1.0
        var term = 1.0
        var index = 1.0
        while term > sum * 1e-17 {
            term *= (x / (2 * index)) * (x / (2 * index))
            sum += term
            index += 1
        }
        return sum
    }
}
