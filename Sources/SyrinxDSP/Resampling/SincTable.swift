import Glibc
import Synchronization

/// The window of a sinc filter.
struct SincShape: Hashable {
    /// Zero crossings kept on either side.
    var halfWidth: Int
    /// Rows per frame at ratios up to 1.
    var phaseCount: Int
    /// Kaiser's β: the stop band attenuation is about β / 0.1102 + 8.7 dB (Kaiser 1974).
    var beta: Double
    /// The middle of the transition band, as a share of the Nyquist frequency.
    var cutoff: Double

    /// Points of the `SincTable` per zero crossing; between them it is interpolated in a straight line.
    static var resolution: Int {
        @_noLocks @_noAllocation get { 2048 }
    }

    /// Returns the number of frames that contribute to a value when `ratio` frames are read for each step.
    @_noLocks @_noAllocation
    func tapCount(ratio: Double) -> Int {
        // A multiple of eight taps fills whole vectors.
        Int(2 * Double(halfWidth) * max(ratio, 1) + 7.999) / 8 * 8
    }
}

/// One half of a finely sampled Kaiser-windowed sinc, from which a `PolyphaseFilterBank` takes its weights.
///
/// Computed once for each shape and kept forever: there are few shapes, and each needs half a million Bessel terms.
final class SincTable: @unchecked Sendable {
    // Unchecked: constant after `init`.

    private static let known = Mutex<[SincShape: SincTable]>([:])

    let values: AlignedFloatBuffer

    static func shared(_ shape: SincShape) -> SincTable {
        known.withLock { known in
            if let table = known[shape] { return table }
            let table = SincTable(shape)
            known[shape] = table
            return table
        }
    }

    private init(_ shape: SincShape) {
        values = AlignedFloatBuffer(count: shape.halfWidth * SincShape.resolution + 2)
        let norm = Self.bessel(shape.beta)
        for index in 0..<shape.halfWidth * SincShape.resolution {
            let t = Double(index) / Double(SincShape.resolution)
            let x = t / Double(shape.halfWidth)
            let angle = Double.pi * t * shape.cutoff
            let sinc = index == 0 ? 1 : sin(angle) / angle
            let window = Self.bessel(shape.beta * (1 - x * x).squareRoot()) / norm
            values.pointer[index] = Float(shape.cutoff * sinc * window)
        }
    }

    /// The modified Bessel function of the first kind, order 0, by its power series.
    static func bessel(_ x: Double) -> Double {
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
