extension Double {
    /// Returns the number, or `replacement` if it is infinite or NaN.
    func finite(or replacement: Double) -> Double { isFinite ? self : replacement }

    /// Returns the number clamped to a range; NaN becomes the lower bound.
    func clamped(to range: ClosedRange<Double>) -> Double {
        self > range.lowerBound ? Swift.min(self, range.upperBound) : range.lowerBound
    }
}

extension Int {
    /// Creates the nearest integer within ±2^53; NaN becomes 0.
    init(nearest value: Double) {
        if value.isNaN {
            self = 0
        } else {
            // Bounded: 2^53 on either side.
            self = Int(Swift.min(Swift.max(value.rounded(), -9_007_199_254_740_992), 9_007_199_254_740_992))
        }
    }

    /// Creates the largest integer not greater than `value`, within ±2^53; NaN becomes 0.
    init(floor value: Double) { self.init(nearest: value.rounded(.down)) }

    /// Returns the number clamped to a range.
    func clamped(to range: ClosedRange<Int>) -> Int { Swift.min(Swift.max(self, range.lowerBound), range.upperBound) }
}
