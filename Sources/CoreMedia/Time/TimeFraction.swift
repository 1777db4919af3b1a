internal import CSyrinxCoreMedia

/// A fraction of seconds that can hold sums and products of times.
///
/// A time is a 63-bit number over a 31-bit number, its product with a 32-bit ratio 94 bits over 62 bits. Computing the
/// value at a timescale needs 31 more bits than the numerator, which fit into 128.
struct TimeFraction {
    /// The value at a timescale.
    struct Scaled: Equatable {
        var value: Int64
        var isExact: Bool
    }

    let numerator: Int128
    /// Always positive.
    let denominator: Int128

    /// Creates a fraction; `denominator` must not be 0.
    init(_ numerator: Int128, over denominator: Int128) {
        self.numerator = denominator < 0 ? -numerator : numerator
        self.denominator = denominator < 0 ? -denominator : denominator
    }

    /// Creates the fraction of a time with a positive timescale.
    init(_ time: CMTime) {
        self.init(Int128(time.value), over: Int128(time.timescale))
    }

    var reduced: TimeFraction {
        let divisor = Int128(Self.greatestCommonDivisor(numerator.magnitude, denominator.magnitude))
        return TimeFraction(numerator / divisor, over: denominator / divisor)
    }

    /// The infinity with the sign of the fraction.
    var infinity: CMTime { numerator < 0 ? .negativeInfinity : .positiveInfinity }

    /// Returns the value at a timescale; `nil` if it overflows.
    /// - Parameter previous: The original timescale, on which QuickTime's rounding depends.
    func value(
        at scale: Int32,
        _ method: CMTimeRoundingMethod = .roundHalfAwayFromZero,
        from previous: Int32 = 1
    ) -> Scaled? {
        let (quotient, remainder) = (numerator * Int128(scale)).quotientAndRemainder(dividingBy: denominator)
        let isNegative = numerator < 0
        let isAway =
            switch method {
            case .roundTowardZero: false
            case .roundAwayFromZero: true
            case .roundTowardPositiveInfinity: !isNegative
            case .roundTowardNegativeInfinity: isNegative
            case .quickTime: scale > previous || isNegative && quotient == 0
            default: remainder.magnitude >= denominator.magnitude - remainder.magnitude
            }
        let step: Int128 = remainder == 0 || !isAway ? 0 : isNegative ? -1 : 1
        return Int64(exactly: quotient + step).map { Scaled(value: $0, isExact: remainder == 0) }
    }

    /// Returns the greatest common divisor of two numbers, at least one of which is not 0.
    static func greatestCommonDivisor(_ a: UInt128, _ b: UInt128) -> UInt128 {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}

/// The exact product of a time and a finite floating-point number.
struct FloatProduct {
    private let factor: CMTime
    /// The value times the significand: below 2^116.
    private let product: UInt128
    /// The exponent of the power of two by which the product is multiplied.
    private let exponent: Int
    private let isNegative: Bool

    init(_ time: CMTime, _ multiplier: Double) {
        factor = time
        isNegative = (time.value < 0) != (multiplier < 0)
        let bits = UInt128(multiplier.significandBitPattern)
        let biased = Int(multiplier.exponentBitPattern)
        product = UInt128(time.value.magnitude) * (biased == 0 ? bits : bits | 1 << 52)
        exponent = max(biased, 1) - 1075
    }

    /// The product as a time; `nil` if it overflows at timescale 1.
    var time: CMTime? {
        var scale = factor.timescale
        var doublings = 0
        while scale < 65536 {
            scale *= 2
            doublings += 1
        }
        while scale >= 1 {
            let scaled =
                doublings >= 0
                ? shifted(product, by: exponent + doublings, isExact: true) : divided(at: scale)
            if let scaled { return CMTime(scaled, timescale: scale, from: factor.flags, epoch: factor.epoch) }
            scale /= 2
            doublings -= 1
        }
        return nil
    }

    /// Returns the value at a timescale that is smaller than that of the time.
    private func divided(at scale: Int32) -> TimeFraction.Scaled? {
        // A number that overflows 128 bits before the division overflows 63 bits after it.
        let left = max(exponent, 0)
        guard left <= product.leadingZeroBitCount else { return nil }
        // The product has up to 159 bits; the quotient fits into 128, because the scale is smaller than the divisor.
        let parts = (product << UInt128(left)).multipliedFullWidth(by: UInt128(scale))
        let divisor = UInt128(factor.timescale)
        let (quotient, remainder) = divisor.dividingFullWidth(parts)
        if exponent < 0 { return shifted(quotient, by: exponent, isExact: remainder == 0) }
        return signed(quotient + (remainder >= divisor - remainder ? 1 : 0), isExact: remainder == 0)
    }

    /// Multiplies by a power of two and rounds half away from zero; returns `nil` if the result overflows.
    private func shifted(_ number: UInt128, by power: Int, isExact: Bool) -> TimeFraction.Scaled? {
        guard number != 0 else { return TimeFraction.Scaled(value: 0, isExact: isExact) }
        if power >= 0 {
            guard power <= number.leadingZeroBitCount else { return nil }
            return signed(number << UInt128(power), isExact: isExact)
        }
        guard power > -128 else { return TimeFraction.Scaled(value: 0, isExact: false) }
        let whole = number >> UInt128(-power)
        let rest = number - whole << UInt128(-power)
        let isHalf = rest >> UInt128(-power - 1) != 0
        return signed(whole + (isHalf ? 1 : 0), isExact: isExact && rest == 0)
    }

    private func signed(_ magnitude: UInt128, isExact: Bool) -> TimeFraction.Scaled? {
        guard let magnitude = Int128(exactly: magnitude) else { return nil }
        return Int64(exactly: isNegative ? -magnitude : magnitude)
            .map { TimeFraction.Scaled(value: $0, isExact: isExact) }
    }
}
