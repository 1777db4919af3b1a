/// A position in frames with 64 fractional bits.
///
/// A `Double` of at least 1/2048 has no bit below 2⁻⁶⁴. Multiples of a rate are therefore exact, and small steps add
/// up to exactly the same result as large ones.
package struct FixedPosition: Comparable, Sendable {
    /// The frame at or before the position.
    package var whole: Int
    /// The distance from that frame, in units of 2⁻⁶⁴ frame.
    package var fraction: UInt64

    @_noLocks @_noAllocation
    package init(whole: Int, fraction: UInt64) {
        self.whole = whole
        self.fraction = fraction
    }

    /// The position of a frame itself.
    @_noLocks @_noAllocation
    package init(whole: Int) {
        self.whole = whole
        fraction = 0
    }

    /// Creates a position from a finite number within the range of `Int`.
    @_noLocks @_noAllocation
    package init(_ value: Double) {
        let truncated = Int(value)
        whole = Double(truncated) > value ? truncated - 1 : truncated
        let scaled = (value - Double(whole)) * 0x1p64
        fraction = scaled >= 0x1p64 ? .max : UInt64(scaled)
    }

    package var value: Double {
        @_noLocks @_noAllocation get { Double(whole) + fractionValue }
    }

    /// The fraction as a number from 0 up to (by rounding) 1.
    package var fractionValue: Double {
        @_noLocks @_noAllocation get { Double(fraction) * 0x1p-64 }
    }

    /// The nearest frame.
    package var rounded: Int {
        @_noLocks @_noAllocation get { fraction >= 0x8000_0000_0000_0000 ? whole + 1 : whole }
    }

    @_noLocks @_noAllocation
    package static func < (a: Self, b: Self) -> Bool {
        a.whole < b.whole || (a.whole == b.whole && a.fraction < b.fraction)
    }

    @_noLocks @_noAllocation
    package static func == (a: Self, b: Self) -> Bool {
        a.whole == b.whole && a.fraction == b.fraction
    }

    @_noLocks @_noAllocation
    package static func + (a: Self, b: Self) -> Self {
        let (sum, carried) = a.fraction.addingReportingOverflow(b.fraction)
        return Self(whole: a.whole &+ b.whole &+ (carried ? 1 : 0), fraction: sum)
    }

    @_noLocks @_noAllocation
    package static prefix func - (a: Self) -> Self {
        Self(whole: a.fraction == 0 ? -a.whole : -a.whole - 1, fraction: 0 &- a.fraction)
    }

    @_noLocks @_noAllocation
    package static func - (a: Self, b: Self) -> Self { a + -b }

    @_noLocks @_noAllocation
    package static func * (a: Self, count: Int) -> Self {
        let (carry, low) = a.fraction.multipliedFullWidth(by: UInt64(count.magnitude))
        let product = Self(whole: a.whole &* Int(count.magnitude) &+ Int(carry), fraction: low)
        return count < 0 ? -product : product
    }
}
