#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The K-weighting filter of a loudness measurement: a shelf that models the head, and a high-pass (ITU-R BS.1770-5,
/// annex 1).
///
/// It processes two channels at a time. The standard specifies coefficients only for 48 kHz. For other rates, the same
/// analog filters are converted with the bilinear transform. At 48 kHz the result agrees with the standard to ten
/// digits.
package struct KWeighting: Sendable {
    package typealias Pair = SIMD2<Double>

    /// b₀, b₁, b₂, a₁, a₂ of a filter of second order.
    package struct Coefficients: Sendable, Equatable {
        package var b0: Double
        package var b1: Double
        package var b2: Double
        package var a1: Double
        package var a2: Double
    }

    package let shelf: Coefficients
    package let highPass: Coefficients
    private var shelfState = (Pair.zero, Pair.zero)
    private var highPassState = (Pair.zero, Pair.zero)

    package init(sampleRate: Double) {
        shelf = Self.shelf(sampleRate)
        highPass = Self.highPass(sampleRate)
    }

    /// The shelf: 4 dB above 1.7 kHz.
    package static func shelf(_ sampleRate: Double) -> Coefficients {
        // Below 3.7 kHz of sample rate there is no room for the shelf: it moves to the upper end.
        let k = tan(.pi * min(1681.974450955533 / sampleRate, 0.45))
        let gain = pow(10, 3.999843853973347 / 20)
        let middle = pow(gain, 0.4996667741545416)
        let q = 0.7071752369554196
        let scale = 1 / (1 + k / q + k * k)
        return Coefficients(
            b0: (gain + middle * k / q + k * k) * scale,
            b1: 2 * (k * k - gain) * scale,
            b2: (gain - middle * k / q + k * k) * scale,
            a1: 2 * (k * k - 1) * scale,
            a2: (1 - k / q + k * k) * scale
        )
    }

    /// The high-pass at 38 Hz; its zeros are not scaled, as in the standard.
    package static func highPass(_ sampleRate: Double) -> Coefficients {
        let k = tan(.pi * 38.13547087602444 / sampleRate)
        let q = 0.5003270373238773
        let scale = 1 / (1 + k / q + k * k)
        return Coefficients(b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) * scale, a2: (1 - k / q + k * k) * scale)
    }

    /// Forgets the input.
    package mutating func reset() {
        shelfState = (.zero, .zero)
        highPassState = (.zero, .zero)
    }

    /// Filters `count` frames of two channels, or of one if there is no second, and returns the sum of squares of each.
    @_noLocks @_noAllocation
    package mutating func energy(
        _ first: UnsafePointer<Float>,
        _ second: UnsafePointer<Float>?,
        count: Int
    ) -> Pair {
        var (other, share) = (first, 0.0)
        if let second { (other, share) = (second, 1) }
        let one = shelf
        let two = highPass
        var (s1, s2) = shelfState
        var (h1, h2) = highPassState
        var sum = Pair.zero
        var index = 0
        while index < count {
            let x = Pair(Double(first[index]), Double(other[index]) * share)
            let y = one.b0 * x + s1
            s1 = one.b1 * x - one.a1 * y + s2
            s2 = one.b2 * x - one.a2 * y
            let z = y + h1
            h1 = h2 - 2 * y - two.a1 * z
            h2 = y - two.a2 * z
            sum += z * z
            index &+= 1
        }
        shelfState = (Self.settled(s1), Self.settled(s2))
        highPassState = (Self.settled(h1), Self.settled(h2))
        return sum
    }

    /// Returns a state without denormal numbers, which are slow, and without values that are not numbers.
    @_noLocks @_noAllocation
    private static func settled(_ state: Pair) -> Pair {
        Pair(settled(state.x), settled(state.y))
    }

    @_noLocks @_noAllocation
    private static func settled(_ value: Double) -> Double {
        let size = value.magnitude
        return size > 1e-30 && size < .infinity ? value : 0
    }

    /// Returns the channel weights for a usual layout in FFmpeg's order: 0 for LFE, 1.41 for the side channels, 1 for
    /// others.
    package static func usualWeights(channelCount: Int) -> [Double] {
        let side = 1.41
        switch channelCount {
        case 4: return [1, 1, side, side]
        case 5: return [1, 1, 1, side, side]
        case 6: return [1, 1, 1, 0, side, side]
        case 7: return [1, 1, 1, 0, 1, side, side]
        case 8: return [1, 1, 1, 0, 1, 1, side, side]
        default: return Array(repeating: 1, count: max(channelCount, 0))
        }
    }
}
