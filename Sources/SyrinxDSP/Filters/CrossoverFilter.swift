#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A filter of second order with the poles of a Butterworth low pass, as a part of Linkwitz–Riley crossovers.
///
/// The structure is the trapezoidal state-variable filter: A. Simper, "Solving the continuous SVF equations using
/// trapezoidal integration and equivalent currents", 2011.
struct CrossoverStage {
    /// The values that depend on the frequency.
    struct Coefficients {
        private(set) var (a1, a2, a3) = (1.0, 0.0, 0.0)

        /// - Parameter frequency: In hertz, kept below 0.49 of the rate.
        init(frequency: Double, sampleRate: Double) {
            let g = tan(.pi * min(max(frequency / sampleRate, 1e-6), 0.49))
            a1 = 1 / (1 + g * (g + CrossoverStage.damping))
            a2 = g * a1
            a3 = g * a2
        }
    }

    /// 1/Q of a Butterworth filter.
    private static let damping = 2.0.squareRoot()
    /// The level, 300 dB below full scale, below which the state is set to 0.
    private static let floor = 1e-15

    private var (first, second) = (0.0, 0.0)

    /// Returns the outputs for a sample: low pass, high pass, and all pass of the same phase as the sum of a crossover.
    @inline(__always)
    mutating func next(_ input: Double, _ c: Coefficients) -> (low: Double, high: Double, all: Double) {
        let v3 = input - second
        let band = c.a1 * first + c.a2 * v3
        let low = second + c.a2 * first + c.a3 * v3
        first = 2 * band - first
        second = 2 * low - second
        return (low, input - Self.damping * band - low, input - 2 * Self.damping * band)
    }

    /// Sets tiny states to 0, so that silence is exact.
    @inline(__always)
    mutating func settle() {
        if abs(first) < Self.floor, abs(second) < Self.floor { (first, second) = (0, 0) }
    }
}

/// A fourth-order crossover into two bands, whose sum has a flat magnitude.
///
/// S. Linkwitz, "Active crossover networks for noncoincident drivers", J. Audio Eng. Soc. 24, 1976.
struct Crossover {
    private var (both, low, high) = (CrossoverStage(), CrossoverStage(), CrossoverStage())

    @inline(__always)
    mutating func next(_ input: Double, _ c: CrossoverStage.Coefficients) -> (low: Double, high: Double) {
        let split = both.next(input, c)
        return (low.next(split.low, c).low, high.next(split.high, c).high)
    }

    @inline(__always)
    mutating func settle() {
        both.settle()
        low.settle()
        high.settle()
    }
}

/// Splits a channel into four bands, whose sum has a flat magnitude.
struct FourBandSplitter {
    private var (middle, lower, upper) = (Crossover(), Crossover(), Crossover())
    /// These give the lower bands the phase of the upper crossover, and the upper bands that of the lower one.
    private var (lowerPhase, upperPhase) = (CrossoverStage(), CrossoverStage())

    /// - Parameter c: The coefficients of the three crossovers, from the lowest up.
    @inline(__always)
    mutating func next(
        _ input: Double,
        _ c: (CrossoverStage.Coefficients, CrossoverStage.Coefficients, CrossoverStage.Coefficients)
    ) -> SIMD4<Double> {
        let halves = middle.next(input, c.1)
        let low = lower.next(lowerPhase.next(halves.low, c.2).all, c.0)
        let high = upper.next(upperPhase.next(halves.high, c.0).all, c.2)
        return SIMD4(low.low, low.high, high.low, high.high)
    }

    mutating func settle() {
        middle.settle()
        lower.settle()
        upper.settle()
        lowerPhase.settle()
        upperPhase.settle()
    }
}
