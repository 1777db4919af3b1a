import Foundation

/// An equalizer band, with the parameters of `AVAudioUnitEQFilterParameters`.
public struct EqualizerBand: Sendable, Equatable, Codable {
    /// The filter type of a band; raw values are those of `AVAudioUnitEQFilterType`.
    public enum Shape: Int, Sendable, CaseIterable, Codable {
        /// A bell filter.
        case parametric = 0
        /// A second-order Butterworth filter.
        case lowPass, highPass
        /// A pass filter with resonance.
        case resonantLowPass, resonantHighPass
        /// A band-pass filter with 0 dB gain, or a notch filter.
        case bandPass, bandStop
        /// A shelf filter without resonance.
        case lowShelf, highShelf
        /// A shelf filter whose slope depends on the bandwidth.
        case resonantLowShelf, resonantHighShelf

        /// Whether the filter uses the gain.
        public var hasGain: Bool {
            switch self {
            case .parametric, .lowShelf, .highShelf, .resonantLowShelf, .resonantHighShelf: true
            default: false
            }
        }

        /// Whether the filter uses the bandwidth.
        public var hasBandwidth: Bool {
            switch self {
            case .lowPass, .highPass, .lowShelf, .highShelf: false
            default: true
            }
        }
    }

    /// The valid frequencies, in hertz.
    public static let frequencies = 20.0...20_000
    /// The valid bandwidths, in octaves.
    public static let bandwidths = 0.05...5.0
    /// The gains that can be set by dragging, in decibels.
    public static let gains = -24.0...24.0

    /// The filter type.
    public var shape: Shape
    /// The frequency, in hertz.
    public var frequency: Double
    /// The gain, in decibels.
    public var gain: Double
    /// The bandwidth, in octaves.
    public var bandwidth: Double
    /// Whether the band is bypassed.
    public var isBypassed: Bool

    /// Creates a band; values out of range are clamped.
    /// - Parameters:
    ///   - shape: The filter type (default: `parametric`).
    ///   - frequency: The frequency, 20…20,000 Hz.
    ///   - gain: The gain, −24…24 dB (default: 0).
    ///   - bandwidth: The bandwidth, 0.05…5 octaves (default: 1).
    ///   - isBypassed: Whether the band is bypassed (default: `false`).
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

/// The coefficients of a second-order filter.
///
/// The formulas are from R. Bristow-Johnson's "Cookbook formulae for audio EQ biquad filter coefficients".
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

    /// Returns the squared magnitude of a polynomial at an angle.
    ///
    /// This form is precise at low frequencies, where a plain sum of cosines suffers from cancellation.
    private static func power(_ c: SIMD3<Double>, _ w: Double) -> Double {
        let s = sin(w / 2) * sin(w / 2)
        let sum = c[0] + c[1] + c[2]
        let cross = c[0] * c[1] + 4 * c[0] * c[2] + c[1] * c[2]
        return max(sum * sum - 4 * cross * s + 16 * c[0] * c[2] * s * s, 0)
    }
}
