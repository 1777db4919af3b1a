#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The shape of a second-order filter.
///
/// The raw values are those of `AVAudioUnitEQFilterType`.
package enum FilterType: Int, Sendable, CaseIterable {
    /// A peak filter of `gain` dB at `frequency`. `bandwidth` is measured at half the gain in dB.
    case parametric
    /// A Butterworth filter of second order, −3 dB at `frequency`.
    case lowPass, highPass
    /// A low-pass or high-pass filter with a resonance given by `bandwidth`.
    case resonantLowPass, resonantHighPass
    /// A band of 0 dB at its centre, or a notch, with edges of −3 dB.
    case bandPass, bandStop
    /// A shelf of `gain` dB, half of it at `frequency`, with the steepest slope without overshoot.
    case lowShelf, highShelf
    /// A shelf with a slope given by `bandwidth`.
    case resonantLowShelf, resonantHighShelf
}

/// The settings of a filter.
package struct FilterSettings: Equatable, Sendable {
    package var type: FilterType
    /// Hertz; at least 1, at most 0.499 of the sample rate.
    package var frequency: Double
    /// Octaves.
    package var bandwidth: Double
    /// Decibels.
    package var gain: Double
    /// The quality; `nil` is that of the type and the bandwidth.
    package var fixedQuality: Double?

    package init(
        _ type: FilterType,
        frequency: Double,
        bandwidth: Double = 0.5,
        gain: Double = 0,
        quality: Double? = nil
    ) {
        self.type = type
        self.frequency = frequency
        self.bandwidth = bandwidth
        self.gain = gain
        fixedQuality = quality
    }

    /// The quality of a Butterworth filter, 1/√2: a literal, since a computed constant is initialised under a lock.
    package static let butterworthQuality = 0.7071067811865476

    /// Returns the quality factor of the filter at `sampleRate`, computed from the bandwidth if the type has one.
    ///
    /// The bandwidth is that of the digital filter: 1/Q = 2 sinh(ln 2/2 · b · w/sin w), w = 2π f/fs (R.
    /// Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter coefficients").
    package func quality(sampleRate: Double) -> Double {
        if let fixedQuality { return fixedQuality }
        switch type {
        case .lowPass, .highPass, .lowShelf, .highShelf: return Self.butterworthQuality
        default: break
        }
        let w = 2 * Double.pi * Self.bounded(frequency, sampleRate) / sampleRate
        // Beyond it the filter is all pass, and the exponential would overflow.
        let exponent = min(0.5 * log(2.0) * bandwidth * w / sin(w), 20)
        return 1 / (2 * sinh(max(exponent, 1e-4)))
    }

    /// Returns a frequency that a filter at `sampleRate` can have.
    package static func bounded(_ frequency: Double, _ sampleRate: Double) -> Double {
        min(max(frequency, 1), 0.499 * sampleRate)
    }
}
