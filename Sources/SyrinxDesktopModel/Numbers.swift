extension Double {
    /// The number, or `replacement` where it is infinite or no number.
    func finite(or replacement: Double) -> Double { isFinite ? self : replacement }

    /// The number brought into a range; the lower bound for what is no number.
    func clamped(to range: ClosedRange<Double>) -> Double {
        self > range.lowerBound ? Swift.min(self, range.upperBound) : range.lowerBound
    }
}

extension Int {
    /// The nearest integer; the bounds for numbers beyond them, 0 for what is no number.
    init(nearest value: Double) {
        if value.isNaN {
            self = 0
        } else {
            // Bounded: 2^53 on either side.
            self = Int(Swift.min(Swift.max(value.rounded(), -9_007_199_254_740_992), 9_007_199_254_740_992))
        }
    }

    /// The greatest integer that is not above `value`; the bounds for numbers beyond them, 0 for what is no number.
    init(floor value: Double) { self.init(nearest: value.rounded(.down)) }

    /// The number brought into a range.
    func clamped(to range: ClosedRange<Int>) -> Int { Swift.min(Swift.max(self, range.lowerBound), range.upperBound) }
}
