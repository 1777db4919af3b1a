import Foundation

/// A band of the equalizer, in the terms of `AVAudioUnitEQFilterParameters`.
public struct EqualizerBand: Sendable, Equatable, Codable {
    /// The shape of a band; raw values are those of `AVAudioUnitEQFilterType`.
    public enum Shape: Int, Sendable, CaseIterable, Codable {
        /// A bell.
        case parametric = 0
        /// A Butterworth filter of second order.
        case lowPass, highPass
        /// A pass with a resonance.
        case resonantLowPass, resonantHighPass
        /// A band of 0 dB, or a notch.
        case bandPass, bandStop
        /// A shelf without a bump.
        case lowShelf, highShelf
        /// A shelf whose slope follows from the bandwidth.
        case resonantLowShelf, resonantHighShelf

        /// Whether the gain counts.
        public var hasGain: Bool {
            switch self {
            case .parametric, .lowShelf, .highShelf, .resonantLowShelf, .resonantHighShelf: true
            default: false
            }
        }

        /// Whether the bandwidth counts.
        public var hasBandwidth: Bool {
            switch self {
            case .lowPass, .highPass, .lowShelf, .highShelf: false
            default: true
            }
        }
    }

    /// Hertz that a band can have.
    public static let frequencies = 20.0...20_000
    /// Octaves that a band can have.
    public static let bandwidths = 0.05...5.0
    /// Decibels that a drag can set.
    public static let gains = -24.0...24.0

    /// The shape.
    public var shape: Shape
    /// Hertz.
    public var frequency: Double
    /// Decibels.
    public var gain: Double
    /// Octaves.
    public var bandwidth: Double
    /// Whether the band lets all pass.
    public var isBypassed: Bool

    /// Creates a band; numbers beyond their ranges are clamped.
    /// - Parameters:
    ///   - shape: The shape; a bell by default.
    ///   - frequency: Hertz, 20 … 20 000.
    ///   - gain: Decibels, −24 … 24; 0 by default.
    ///   - bandwidth: Octaves, 0.05 … 5; 1 by default.
    ///   - isBypassed: Whether the band lets all pass; not by default.
    public init(
        _ shape: Shape = .parametric,
        frequency: Double,
        gain: Double = 0,
        bandwidth: Double = 1,
        isBypassed: Bool = false
    ) {
        self.shape = shape
        self.frequency = frequency.finite(or: 1000).clamped(to: Self.frequencies)
        self.gain = gain.finite(or: 0).clamped(to: Self.gains)
        self.bandwidth = bandwidth.finite(or: 1).clamped(to: Self.bandwidths)
        self.isBypassed = isBypassed
    }
}

/// The coefficients of a filter of second order.
///
/// The filters are those of R. Bristow-Johnson's "Cookbook formulae for audio EQ biquad filter coefficients".
struct Biquad {
    private let b: SIMD3<Double>
    private let a: SIMD3<Double>

    init(_ band: EqualizerBand, sampleRate: Double) {
        let sampleRate = sampleRate.isFinite && sampleRate > 0 ? sampleRate : 44_100
        let w = 2 * Double.pi * min(max(band.frequency, 1), 0.499 * sampleRate) / sampleRate
        let (cosine, sine) = (cos(w), sin(w))
        let quality: Double
        if band.shape.hasBandwidth {
            let exponent = min(0.5 * log(2.0) * band.bandwidth * w / sine, 20)
            quality = 1 / (2 * sinh(max(exponent, 1e-4)))
        } else {
            quality = 0.5.squareRoot()
        }
        let alpha = sine / (2 * quality)
        let amplitude = pow(10, band.gain / 40)
        let root = 2 * amplitude.squareRoot() * alpha
        let (more, less) = (amplitude + 1, amplitude - 1)
        switch band.shape {
        case .parametric:
            b = [1 + alpha * amplitude, -2 * cosine, 1 - alpha * amplitude]
            a = [1 + alpha / amplitude, -2 * cosine, 1 - alpha / amplitude]
        case .lowPass, .resonantLowPass:
            b = [(1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2]
            a = [1 + alpha, -2 * cosine, 1 - alpha]
        case .highPass, .resonantHighPass:
            b = [(1 + cosine) / 2, -(1 + cosine), (1 + cosine) / 2]
            a = [1 + alpha, -2 * cosine, 1 - alpha]
        case .bandPass:
            b = [alpha, 0, -alpha]
            a = [1 + alpha, -2 * cosine, 1 - alpha]
        case .bandStop:
            b = [1, -2 * cosine, 1]
            a = [1 + alpha, -2 * cosine, 1 - alpha]
        case .lowShelf, .resonantLowShelf:
            b = [
                amplitude * (more - less * cosine + root), 2 * amplitude * (less - more * cosine),
                amplitude * (more - less * cosine - root),
            ]
            a = [more + less * cosine + root, -2 * (less + more * cosine), more + less * cosine - root]
        case .highShelf, .resonantHighShelf:
            b = [
                amplitude * (more + less * cosine + root), -2 * amplitude * (less + more * cosine),
                amplitude * (more + less * cosine - root),
            ]
            a = [more - less * cosine + root, 2 * (less - more * cosine), more - less * cosine - root]
        }
    }

    /// Returns the gain at a frequency in decibels.
    func decibels(at hertz: Double, sampleRate: Double) -> Double {
        let w = 2 * Double.pi * hertz / sampleRate
        let ratio = Self.power(b, w) / Self.power(a, w)
        return ratio.isFinite ? max(10 * log10(max(ratio, 1e-300)), -120) : 0
    }

    /// The squared magnitude of a polynomial at an angle.
    ///
    /// In this form it keeps its digits at low frequencies, where the plain sum of cosines cancels.
    private static func power(_ c: SIMD3<Double>, _ w: Double) -> Double {
        let s = sin(w / 2) * sin(w / 2)
        let sum = c[0] + c[1] + c[2]
        let cross = c[0] * c[1] + 4 * c[0] * c[2] + c[1] * c[2]
        return max(sum * sum - 4 * cross * s + 16 * c[0] * c[2] * s * s, 0)
    }
}
