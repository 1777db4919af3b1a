internal import Foundation

/// The filter before loudness: a shelf for the head, and a high-pass (ITU-R BS.1770-5, annex 1).
///
/// Two channels at a time. The standard gives coefficients for 48 kHz alone; for other rates the same analogue filters are
/// brought over by the bilinear transform. What is made at 48 kHz agrees with the standard's numbers to ten digits.
struct KWeighting: Sendable {
    typealias Pair = SIMD2<Double>

    /// b₀, b₁, b₂, a₁, a₂ of a filter of second order.
    struct Coefficients: Sendable, Equatable {
        var b0: Double
        var b1: Double
        var b2: Double
        var a1: Double
        var a2: Double
    }

    let shelf: Coefficients
    let highPass: Coefficients
    private var shelfState = (Pair.zero, Pair.zero)
    private var highPassState = (Pair.zero, Pair.zero)

    init(sampleRate: Double) {
        shelf = Self.shelf(sampleRate)
        highPass = Self.highPass(sampleRate)
    }

    /// The shelf: 4 dB above 1.7 kHz.
    static func shelf(_ sampleRate: Double) -> Coefficients {
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
    static func highPass(_ sampleRate: Double) -> Coefficients {
        let k = tan(.pi * 38.13547087602444 / sampleRate)
        let q = 0.5003270373238773
        let scale = 1 / (1 + k / q + k * k)
        return Coefficients(b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) * scale, a2: (1 - k / q + k * k) * scale)
    }

    /// Filters `count` frames of two channels, and returns the sum of squares of each.
    mutating func energy(_ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>?, count: Int) -> Pair {
        let one = shelf
        let two = highPass
        var (s1, s2) = shelfState
        var (h1, h2) = highPassState
        var sum = Pair.zero
        var index = 0
        while index < count {
            let x = Pair(Double(first[index]), second.map { Double($0[index]) } ?? 0)
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
    private static func settled(_ state: Pair) -> Pair {
        var state = state
        for lane in 0..<2 where !(abs(state[lane]) > 1e-30 && state[lane].isFinite) { state[lane] = 0 }
        return state
    }
}
