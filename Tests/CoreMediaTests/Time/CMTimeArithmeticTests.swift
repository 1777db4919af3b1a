import CoreMedia
import Testing

/// The arithmetic of times, against whole numbers of any size.
@Suite struct CMTimeArithmeticTests {
    /// The time of `numerator / denominator` at a timescale that is halved until the value fits.
    private func expected(_ numerator: BigNumber, over denominator: BigNumber, at scale: Int32) -> [Int64] {
        var scale = scale
        while true {
            let (value, isExact) = (numerator * BigNumber(Int64(scale))).nearest(over: denominator)
            if let value = value.int64 { return [value, Int64(scale), isExact ? 1 : 3, 0] }
            if scale == 1 {
                return (numerator.isNegative ? CMTime.negativeInfinity : .positiveInfinity).fields
            }
            scale /= 2
        }
    }

    private func commonScale(_ a: Int32, _ b: Int32) -> Int64 {
        var (x, y) = (Int64(a), Int64(b))
        while y != 0 { (x, y) = (y, x % y) }
        return Int64(a) / x * Int64(b)
    }

    @Test("Sums and differences are exact or rounded once, at the timescale that the rules give")
    func sums() {
        var random = RandomTimes(seed: 1)
        for _ in 0..<3000 {
            let (a, b) = (random.number(), random.number())
            let left = BigNumber(a.value) * BigNumber(Int64(b.timescale))
            let right = BigNumber(b.value) * BigNumber(Int64(a.timescale))
            let denominator = BigNumber(Int64(a.timescale)) * BigNumber(Int64(b.timescale))
            let scale = Int32(clamping: commonScale(a.timescale, b.timescale))
            #expect(CMTimeAdd(a, b).fields == expected(left + right, over: denominator, at: scale), "\(a) + \(b)")
            #expect((a - b).fields == expected(left - right, over: denominator, at: scale), "\(a) - \(b)")
        }
    }

    @Test("Products with whole numbers keep the timescale as long as the value fits")
    func products() {
        var random = RandomTimes(seed: 2)
        for _ in 0..<3000 {
            let (time, factor) = (random.number(), random.factor())
            let product = BigNumber(time.value) * BigNumber(Int64(factor))
            let expected = expected(product, over: BigNumber(Int64(time.timescale)), at: time.timescale)
            #expect(CMTimeMultiply(time, multiplier: factor).fields == expected, "\(time) * \(factor)")
        }
    }

    @Test("Products with fractions are exact where a timescale holds them, and else off by half a part at most")
    func ratios() {
        var random = RandomTimes(seed: 3)
        var exact = 0
        for _ in 0..<3000 {
            let (time, multiplier, divisor) = (random.number(), random.factor(), random.factor())
            guard divisor != 0 else { continue }
            let result = CMTimeMultiplyByRatio(time, multiplier: multiplier, divisor: divisor)
            let numerator = BigNumber(time.value) * BigNumber(Int64(multiplier)) * BigNumber(divisor < 0 ? -1 : 1)
            let denominator = BigNumber(Int64(time.timescale)) * BigNumber(Int64(divisor)).magnitude
            guard result.isNumeric else {
                #expect((numerator.magnitude).nearest(over: denominator).value.int64 == nil)
                #expect(result.isNegativeInfinity == numerator.isNegative)
                continue
            }
            let error =
                (BigNumber(result.value) * denominator - numerator * BigNumber(Int64(result.timescale))).magnitude
            #expect(result.hasBeenRounded == !error.isZero)
            #expect(error + error <= denominator, "\(time) * \(multiplier) / \(divisor)")
            exact += error.isZero ? 1 : 0
        }
        #expect(exact > 500)
        #expect(
            CMTimeMultiplyByRatio(CMTimeMake(value: 2, timescale: 30), multiplier: 2, divisor: 4).fields == [
                2, 60, 1, 0,
            ]
        )
        let long = CMTimeMake(value: 1 << 62, timescale: 1 << 30)
        #expect(CMTimeMultiplyByRatio(long, multiplier: 3, divisor: 1 << 30).seconds == 12)
    }

    @Test("Products with floating-point numbers are rounded once")
    func floatProducts() {
        var random = RandomTimes(seed: 4)
        for _ in 0..<400 {
            let (time, multiplier) = (random.number(), random.multiplier())
            let exponent = Int(multiplier.exponentBitPattern == 0 ? 1 : multiplier.exponentBitPattern) - 1075
            let hidden: UInt64 = multiplier.exponentBitPattern == 0 ? 0 : 1 << 52
            let significand = BigNumber(multiplier.significandBitPattern | hidden, isNegative: multiplier < 0)
            let numerator = BigNumber(time.value) * significand * BigNumber.power(max(exponent, 0))
            let denominator = BigNumber(Int64(time.timescale)) * BigNumber.power(max(-exponent, 0))
            var scale = time.timescale
            while scale < 65536 { scale *= 2 }
            let result = CMTimeMultiplyByFloat64(time, multiplier: multiplier)
            #expect(result.fields == expected(numerator, over: denominator, at: scale), "\(time) * \(multiplier)")
        }
    }

    @Test(
        "A conversion rounds as its method says",
        arguments: [
            CMTimeRoundingMethod.default, .roundTowardZero, .roundAwayFromZero, .quickTime,
            .roundTowardPositiveInfinity, .roundTowardNegativeInfinity,
        ]
    )
    func conversions(_ method: CMTimeRoundingMethod) {
        var random = RandomTimes(seed: 5)
        for _ in 0..<1000 {
            let (time, scale) = (random.number(), random.scale())
            let (quotient, rest) = (BigNumber(time.value) * BigNumber(Int64(scale)))
                .divided(by: BigNumber(Int64(time.timescale)))
            let isAway =
                switch method {
                case .roundTowardZero: false
                case .roundAwayFromZero: true
                case .roundTowardPositiveInfinity: time.value > 0
                case .roundTowardNegativeInfinity: time.value < 0
                case .quickTime: scale > time.timescale || time.value < 0 && quotient.isZero
                default: rest.magnitude + rest.magnitude >= BigNumber(Int64(time.timescale))
                }
            let step = BigNumber(rest.isZero || !isAway ? 0 : time.value < 0 ? -1 : 1)
            let result = time.convertScale(scale, method: method)
            guard let value = (quotient + step).int64 else {
                #expect(result == (time.value < 0 ? .negativeInfinity : .positiveInfinity))
                continue
            }
            #expect(result.fields == [value, Int64(scale), rest.isZero ? 1 : 3, 0], "\(time) at \(scale)")
        }
    }

    @Test("Infinite, indefinite and invalid times prevail in that order")
    func otherKinds() {
        let (plus, minus, second) = (
            CMTime.positiveInfinity, CMTime.negativeInfinity, CMTimeMake(value: 1, timescale: 1)
        )
        #expect(plus + plus == plus && minus + minus == minus)
        #expect(!(plus + minus).isValid && !(minus + plus).isValid && !(plus - plus).isValid)
        #expect(plus - minus == plus && minus - plus == minus)
        #expect(plus + second == plus && second - plus == minus && second - minus == plus)
        #expect(plus + .indefinite == plus && (second + .indefinite).isIndefinite)
        #expect(!(plus + .invalid).isValid && !(CMTime.invalid - second).isValid)
        #expect(CMTimeMultiply(plus, multiplier: -2) == minus && CMTimeMultiply(minus, multiplier: -1) == plus)
        #expect(CMTimeMultiplyByFloat64(.indefinite, multiplier: 2).isIndefinite)
        #expect(!CMTimeMultiplyByFloat64(second, multiplier: .nan).isValid)
        #expect(CMTimeMultiplyByFloat64(second, multiplier: -.infinity) == minus)
        #expect(!CMTimeMultiplyByFloat64(.zero, multiplier: .infinity).isValid)
        #expect(CMTimeMultiplyByRatio(second, multiplier: -1, divisor: 0) == minus)
        #expect(!CMTimeMultiplyByRatio(.zero, multiplier: 1, divisor: 0).isValid)
        #expect(CMTimeAbsoluteValue(minus) == plus)
        #expect(CMTimeAbsoluteValue(CMTimeMake(value: .min, timescale: 2)).fields == [1 << 62, 1, 1, 0])
    }

    @Test("Epochs that differ cannot be added, and two of one give a duration")
    func epochs() {
        func time(_ value: Int64, _ epoch: Int64) -> CMTime {
            CMTimeMakeWithEpoch(value: value, timescale: 1, epoch: epoch)
        }
        #expect((time(5, 3) - time(2, 3)).fields == [3, 1, 1, 0])
        #expect((time(5, 3) + time(2, 0)).fields == [7, 1, 1, 3])
        #expect((time(5, 0) + time(2, 3)).fields == [7, 1, 1, 3])
        #expect(!(time(5, 1) + time(2, 3)).isValid)
        #expect(time(0, 1) > time(.max, 0))
    }

    @Test("Rounding sticks to what is made of a rounded time")
    func roundedFlag() {
        let third = CMTime(seconds: 1 / 3, preferredTimescale: 10)
        #expect(third.hasBeenRounded)
        #expect((third + .zero).hasBeenRounded && CMTimeMultiply(third, multiplier: 2).hasBeenRounded)
        #expect(!CMTimeMake(value: 1, timescale: 3).hasBeenRounded)
        #expect(!CMTime.positiveInfinity.hasBeenRounded)
    }

    @Test("Nothing that a time can hold ends the process")
    func anything() {
        var random = RandomTimes(seed: 6)
        for _ in 0..<3000 {
            let (a, b, factor) = (random.anything(), random.anything(), random.factor())
            let ranges = (CMTimeRange(start: a, duration: b), CMTimeRange(start: b, end: a))
            let results = [
                a + b, a - b, CMTimeMultiply(a, multiplier: factor), CMTimeAbsoluteValue(a),
                CMTimeMultiplyByRatio(a, multiplier: factor, divisor: b.timescale),
                CMTimeMultiplyByFloat64(a, multiplier: random.multiplier()),
                a.convertScale(factor, method: .default), CMTimeFoldIntoRange(a, foldRange: ranges.1),
                ranges.0.end, ranges.0.union(ranges.1).end, ranges.0.intersection(ranges.1).start,
                CMTimeMapTimeFromRangeToRange(a, fromRange: ranges.0, toRange: ranges.1),
                CMTimeClampToRange(b, range: ranges.0),
            ]
            // What is no number has no timescale that anything could be divided by.
            for result in results where result.isNumeric { #expect(result.timescale > 0 || result.fields == a.fields) }
            #expect(CMTimeCopyDescription(allocator: nil, time: a)?.isEmpty == false)
            _ = (a < b, a.hashValue, ranges.0.containsTime(a), ranges.0 == ranges.1)
        }
    }
}
