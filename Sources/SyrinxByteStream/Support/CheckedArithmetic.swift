// Arithmetic on numbers from outside: from a file, a server, a cache or a command line.
//
// Swift's own operators end the process when a result does not fit. These give `nil`, or the nearest number that fits. Use the
// checked ones where a result that does not fit means that the input is wrong, and the clamped ones where any large number
// does: both compare and print like any other. `scripts/check-arithmetic` looks for Swift's own in the files that parse.

extension FixedWidthInteger {
    /// The sum; `nil` if it does not fit.
    @inlinable package func addingChecked(_ other: Self) -> Self? {
        let (result, overflow) = addingReportingOverflow(other)
        return overflow ? nil : result
    }

    /// The product; `nil` if it does not fit.
    @inlinable package func multipliedChecked(by other: Self) -> Self? {
        let (result, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? nil : result
    }

    /// The sum, or the nearest number that fits.
    @inlinable package func addingClamped(_ other: Self) -> Self {
        let (result, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : result
    }

    /// The difference, or the nearest number that fits.
    @inlinable package func subtractingClamped(_ other: Self) -> Self {
        let (result, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : result
    }

    /// The product, or the nearest number that fits.
    @inlinable package func multipliedClamped(by other: Self) -> Self {
        let (result, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : result
    }

    /// The quotient, rounded up; a divisor below 1 counts as 1.
    @inlinable package func dividedRoundingUp(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: Swift.max(divisor, 1))
        return remainder > 0 ? quotient.addingClamped(1) : quotient
    }

    /// The whole number of `value` towards zero, or the nearest number that fits; 0 for what is not a number.
    @inlinable package init(clamped value: Double) {
        if let exact = Self(exactly: value.rounded(.towardZero)) {
            self = exact
        } else {
            self = value.isNaN ? 0 : value < 0 ? .min : .max
        }
    }
}
