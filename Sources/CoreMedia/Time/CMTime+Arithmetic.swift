public import CSyrinxCoreMedia

// Sums and products are computed as 128-bit fractions, which hold every intermediate result, and are rounded once.

/// Converts `time` to a timescale, with a rounding method.
///
/// A time that is not numeric is returned unchanged. The result is `invalid` if the timescale is not positive, and
/// infinite if its value overflows.
public func CMTimeConvertScale(_ time: CMTime, timescale newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
    guard time.isNumeric else { return time }
    guard time.timescale > 0, newTimescale > 0 else { return .invalid }
    guard newTimescale != time.timescale else { return time }
    let fraction = TimeFraction(time)
    guard let scaled = fraction.value(at: newTimescale, method, from: time.timescale) else { return fraction.infinity }
    return CMTime(scaled, timescale: newTimescale, from: time.flags, epoch: time.epoch)
}

/// Returns the sum of two times.
///
/// The timescale is the least common multiple of both timescales, at most `kCMTimeMaxTimescale`. It is halved until the
/// value fits; at timescale 1, the result becomes infinite.
///
/// An infinite time takes precedence over an indefinite time, and that over a numeric time. The result is `invalid` if
/// either time is invalid, for opposite infinities, and for numeric times of different epochs unless one of them is 0.
/// The sum of numeric times of the same epoch has epoch 0.
///
/// ```swift
/// let end = CMTime(value: 1, timescale: 2) + CMTime(value: 1, timescale: 3) // 5/6 s
/// ```
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs.sum(rhs, isDifference: false) }

/// Returns the difference of two times, by the rules of `CMTimeAdd`.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs.sum(rhs, isDifference: true) }

/// Returns `time` multiplied by an integer, with the same timescale.
///
/// The timescale is halved until the value fits; at timescale 1, the result becomes infinite. An infinite time gets the
/// sign of the product. An indefinite or invalid time is returned unchanged.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
    switch time.kind {
    case .invalid: return .invalid
    case .indefinite: return .indefinite
    case .positiveInfinity, .negativeInfinity: return time.signedInfinity(isNegated: multiplier < 0)
    case .number:
        let product = TimeFraction(Int128(time.value) * Int128(multiplier), over: Int128(time.timescale))
        return CMTime(product, timescale: time.timescale, from: time.flags, epoch: time.epoch)
    }
}

/// Returns `time` multiplied by `multiplier / divisor`.
///
/// The result is exact if a timescale exists for it; otherwise it is rounded with the largest possible timescale.
/// Division by zero returns an infinity with the sign of the other factors, or `invalid` if one of them is 0.
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
    switch time.kind {
    case .invalid: return .invalid
    case .indefinite: return .indefinite
    case .positiveInfinity, .negativeInfinity:
        guard multiplier != 0 || divisor != 0 else { return .invalid }
        return time.signedInfinity(isNegated: (multiplier < 0) != (divisor < 0))
    case .number:
        guard divisor != 0 else {
            guard time.value != 0, multiplier != 0 else { return .invalid }
            return (time.value < 0) != (multiplier < 0) ? .negativeInfinity : .positiveInfinity
        }
        return time.product(with: TimeFraction(Int128(multiplier), over: Int128(divisor)).reduced)
    }
}

/// Returns `time` multiplied by a floating-point number, rounded once, half away from zero.
///
/// The timescale is that of `time`, doubled until it is at least 65 536, and halved until the value fits. A multiplier
/// that is NaN, and the product of zero and infinity, result in `invalid`.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Float64) -> CMTime {
    switch time.kind {
    case .invalid: return .invalid
    case .indefinite: return multiplier.isNaN ? .invalid : .indefinite
    case .positiveInfinity, .negativeInfinity:
        return multiplier.isNaN ? .invalid : time.signedInfinity(isNegated: multiplier < 0)
    case .number:
        guard !multiplier.isNaN, multiplier.isFinite || time.value != 0 else { return .invalid }
        let infinity: CMTime = (time.value < 0) != (multiplier < 0) ? .negativeInfinity : .positiveInfinity
        guard multiplier.isFinite else { return infinity }
        return FloatProduct(time, multiplier).time ?? infinity
    }
}

/// Returns the absolute value of `time`; with half the timescale if the value would overflow.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
    switch time.kind {
    case .negativeInfinity: return .positiveInfinity
    case .number where time.value < 0:
        let fraction = TimeFraction(-Int128(time.value), over: Int128(time.timescale))
        return CMTime(fraction, timescale: time.timescale, from: time.flags, epoch: time.epoch)
    default: return time
    }
}

extension CMTime {
    /// Returns the sum of two times; see `CMTimeAdd`.
    public static func + (addend1: CMTime, addend2: CMTime) -> CMTime { CMTimeAdd(addend1, addend2) }

    /// Returns the difference of two times; see `CMTimeSubtract`.
    public static func - (minuend: CMTime, subtrahend: CMTime) -> CMTime { CMTimeSubtract(minuend, subtrahend) }
}

extension CMTime {
    /// Creates a numeric time that keeps the rounding flag of its source.
    init(_ scaled: TimeFraction.Scaled, timescale: Int32, from flags: CMTimeFlags, epoch: CMTimeEpoch) {
        var result: CMTimeFlags = .valid
        if !scaled.isExact || flags.contains(.hasBeenRounded) { result.insert(.hasBeenRounded) }
        self.init(value: scaled.value, timescale: timescale, flags: result, epoch: epoch)
    }

    /// Creates a time from a fraction; the timescale is halved until the value fits, otherwise the time is infinite.
    init(_ fraction: TimeFraction, timescale: Int32, from flags: CMTimeFlags, epoch: CMTimeEpoch) {
        var scale = timescale
        while true {
            if let scaled = fraction.value(at: scale) {
                self.init(scaled, timescale: scale, from: flags, epoch: epoch)
                return
            }
            guard scale > 1 else {
                self = fraction.infinity
                return
            }
            scale /= 2
        }
    }

    fileprivate func signedInfinity(isNegated: Bool) -> CMTime {
        isPositiveInfinity == isNegated ? .negativeInfinity : .positiveInfinity
    }

    fileprivate func sum(_ other: CMTime, isDifference: Bool) -> CMTime {
        guard kind != .invalid, other.kind != .invalid else { return .invalid }
        let second = other.kind.negated(isDifference)
        let isPositive = kind == .positiveInfinity || second == .positiveInfinity
        let isNegative = kind == .negativeInfinity || second == .negativeInfinity
        if isPositive || isNegative {
            return isPositive && isNegative ? .invalid : isPositive ? .positiveInfinity : .negativeInfinity
        }
        guard kind == .number, second == .number else { return .indefinite }
        guard epoch == other.epoch || epoch == 0 || other.epoch == 0 else { return .invalid }
        let divisor = Int64(TimeFraction.greatestCommonDivisor(UInt128(timescale), UInt128(other.timescale)))
        let factor = Int64(other.timescale) / divisor
        let otherFactor = Int64(timescale) / divisor
        let left = Int128(value) * Int128(factor)
        let right = Int128(other.value) * Int128(otherFactor)
        // Below 2^62.
        let common = Int64(timescale) * factor
        return CMTime(
            TimeFraction(isDifference ? left - right : left + right, over: Int128(common)),
            timescale: Int32(clamping: common),
            from: flags.union(other.flags),
            epoch: epoch == other.epoch ? 0 : epoch != 0 ? epoch : other.epoch
        )
    }

    /// Returns the product with a reduced fraction of 32-bit numbers.
    fileprivate func product(with ratio: TimeFraction) -> CMTime {
        let numerator = Int128(value) * ratio.numerator
        let denominator = Int128(timescale) * ratio.denominator
        let fraction = TimeFraction(numerator, over: denominator)
        for candidate in [fraction, fraction.reduced] {
            if let scale = Int32(exactly: candidate.denominator), let exact = Int64(exactly: candidate.numerator) {
                let scaled = TimeFraction.Scaled(value: exact, isExact: true)
                return CMTime(scaled, timescale: scale, from: flags, epoch: epoch)
            }
        }
        return CMTime(fraction, timescale: kCMTimeMaxTimescale, from: flags, epoch: epoch)
    }
}
