#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Up to four values that approach their targets smoothly.
///
/// Each value passes four one-pole low-pass filters, so that its first three derivatives are continuous. Even a jump
/// of 120 dB causes no sound above 10 kHz. The value covers 99 % of the distance in ten time constants, 20 ms.
package struct ParameterGlide {
    /// Seconds.
    private static let timeConstant = 0.002
    /// The distance from the target, in logarithmic units, at which a value has arrived: −160 dB of a change.
    private static let arrival = 1e-8

    private let share: Double
    private var (first, second, third) = (SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>())
    private var target = SIMD4<Double>()
    /// The values of the frame.
    package private(set) var current = SIMD4<Double>()
    /// Whether a value has not arrived yet.
    package private(set) var isMoving = false

    package init(sampleRate: Double) {
        share = 1 - exp(-1 / (Self.timeConstant * sampleRate))
    }

    /// Sets the values at once.
    package mutating func jump(to values: SIMD4<Double>) {
        (first, second, third, current, target) = (values, values, values, values, values)
        isMoving = false
    }

    /// Sets the values to approach.
    package mutating func move(to values: SIMD4<Double>) {
        target = values
        if current != target { isMoving = true }
    }

    /// Moves on by a frame.
    @inline(__always)
    package mutating func advance() {
        first += share * (target - first)
        second += share * (first - second)
        third += share * (second - third)
        current += share * (third - current)
        // All four filters are tested, because a value that crosses its target has not arrived.
        if isNear(first), isNear(second), isNear(third), isNear(current) { jump(to: target) }
    }

    @inline(__always)
    private func isNear(_ values: SIMD4<Double>) -> Bool {
        abs(values[0] - target[0]) < Self.arrival && abs(values[1] - target[1]) < Self.arrival
            && abs(values[2] - target[2]) < Self.arrival && abs(values[3] - target[3]) < Self.arrival
    }
}
