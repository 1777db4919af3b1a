// Arithmetic on untrusted numbers: from a file, a server, a cache or a command line.
//
// Swift's own operators trap on overflow. These methods return `nil` or clamp the result. Use the checked methods if an
// overflow means that the input is invalid, and the clamped ones if any large number will do.
// `scripts/check-arithmetic` finds Swift's own operators in files that parse input.

extension FixedWidthInteger {
    /// Returns the sum; `nil` on overflow.
    @inlinable package func addingChecked(_ other: Self) -> Self? {
        let (result, overflow) = addingReportingOverflow(other)
        return overflow ? nil : result
    }

    /// Returns the product; `nil` on overflow.
    @inlinable package func multipliedChecked(by other: Self) -> Self? {
        let (result, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? nil : result
    }

    /// Returns the sum, clamped on overflow.
    @inlinable package func addingClamped(_ other: Self) -> Self {
        let (result, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : result
    }

    /// Returns the difference, clamped on overflow.
    @inlinable package func subtractingClamped(_ other: Self) -> Self {
        let (result, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : result
    }

    /// Returns the product, clamped on overflow.
    @inlinable package func multipliedClamped(by other: Self) -> Self {
        let (result, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : result
    }

    /// Returns the quotient, rounded up; a divisor below 1 counts as 1.
    @inlinable package func dividedRoundingUp(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: Swift.max(divisor, 1))
        return remainder > 0 ? quotient.addingClamped(1) : quotient
    }

    /// Truncates `value` to an integer and clamps it; NaN becomes 0.
    @inlinable package init(clamped value: Double) {
        if let exact = Self(exactly: value.rounded(.towardZero)) {
            self = exact
        } else {
            self = value.isNaN ? 0 : value < 0 ? .min : .max
        }
    }
}
