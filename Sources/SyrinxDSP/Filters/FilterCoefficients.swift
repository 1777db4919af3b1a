#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The coefficients of a state-variable filter with trapezoidal integration.
///
/// Its response is that of the bilinear transform, so that of the biquad of the same name; unlike a biquad it keeps
/// its precision at low frequencies and stays stable while it is modulated (A. Simper, "Solving the continuous SVF
/// equations using trapezoidal integration and equivalent currents", 2013).
package struct FilterCoefficients: Equatable, Sendable {
    /// a1, a2, a3 of the integrators and m0, m1, m2 of the mix.
    package var values: SIMD8<Double>

    /// The filter that lets all pass.
    package static let identity = FilterCoefficients(g: 0, k: 1, mix: (1, 0, 0))

    package init(values: SIMD8<Double>) { self.values = values }

    private init(g: Double, k: Double, mix: (Double, Double, Double)) {
        let a1 = 1 / (1 + g * (g + k))
        values = SIMD8(a1, g * a1, g * g * a1, mix.0, mix.1, mix.2, 0, 0)
    }

    /// The coefficients of `settings` at `sampleRate`.
    package init(_ settings: FilterSettings, sampleRate: Double) {
        self.init(
            settings.type,
            frequency: settings.frequency,
            quality: settings.quality(sampleRate: sampleRate),
            gain: settings.gain,
            sampleRate: sampleRate
        )
    }

    /// Creates the coefficients of a filter with a given quality factor (Q).
    package init(_ type: FilterType, frequency: Double, quality: Double, gain: Double, sampleRate: Double) {
        let g = tan(Double.pi * FilterSettings.bounded(frequency, sampleRate) / sampleRate)
        let k = 1 / quality
        // The root of the gain, as amplitudes.
        let a = exp(gain * (log(10.0) / 40))
        switch type {
        case .parametric: self.init(g: g, k: k / a, mix: (1, k / a * (a * a - 1), 0))
        case .lowPass, .resonantLowPass: self.init(g: g, k: k, mix: (0, 0, 1))
        case .highPass, .resonantHighPass: self.init(g: g, k: k, mix: (1, -k, -1))
        case .bandPass: self.init(g: g, k: k, mix: (0, k, 0))
        case .bandStop: self.init(g: g, k: k, mix: (1, -k, 0))
        case .lowShelf, .resonantLowShelf:
            self.init(g: g / a.squareRoot(), k: k, mix: (1, k * (a - 1), a * a - 1))
        case .highShelf, .resonantHighShelf:
            self.init(g: g * a.squareRoot(), k: k, mix: (a * a, k * (1 - a) * a, 1 - a * a))
        }
    }

    /// Returns the time in seconds in which the filter's response decays by 180 dB after the end of the input.
    package func tailTime(sampleRate: Double) -> Double {
        // The poles are the roots of (1 + gk + g²) z² + 2 (g² − 1) z + (1 − gk + g²).
        let g = values[0] == 0 ? 0 : values[1] / values[0]
        guard g > 0 else { return 0 }
        let k = (1 / values[0] - 1) / g - g
        let (a, b, c) = (1 + g * k + g * g, 2 * (g * g - 1), 1 - g * k + g * g)
        let discriminant = b * b - 4 * a * c
        let radius =
            discriminant < 0
            ? (c / a).squareRoot() : (abs(b) + discriminant.squareRoot()) / (2 * a)
        guard radius > 0, radius < 1 else { return 0 }
        // 20 dB more for resonance above full scale, plus the interval of the checks for tiny states.
        return (log(1e-10) / log(radius) + 32) / sampleRate
    }
}
