import Testing

@testable import ByteStream

@Suite("Checked arithmetic") struct CheckedArithmeticTests {
    @Test("A result that does not fit is nil, or the nearest number")
    func sums() {
        #expect(Int64.max.addingChecked(1) == nil && Int64(40).addingChecked(2) == 42)
        #expect(Int64.max.multipliedChecked(by: 2) == nil && Int64(-6).multipliedChecked(by: 7) == -42)
        #expect(Int64.max.addingClamped(1) == .max && Int64.min.addingClamped(-1) == .min)
        #expect(Int64.min.subtractingClamped(1) == .min && Int64(0).subtractingClamped(.min) == .max)
        #expect(Int64.max.multipliedClamped(by: -2) == .min && Int64.min.multipliedClamped(by: -1) == .max)
        #expect(UInt64(3).subtractingClamped(4) == 0 && UInt8(200).addingClamped(100) == 255)
    }

    @Test("A quotient is rounded up, whatever the divisor")
    func quotients() {
        #expect(Int64(7).dividedRoundingUp(by: 2) == 4 && Int64(8).dividedRoundingUp(by: 2) == 4)
        #expect(Int64(-7).dividedRoundingUp(by: 2) == -3)
        #expect(Int64(7).dividedRoundingUp(by: 0) == 7 && Int64.max.dividedRoundingUp(by: 1) == .max)
    }

    @Test("A floating-point number becomes the nearest whole number towards zero")
    func conversions() {
        #expect(Int64(clamped: 2.9) == 2 && Int64(clamped: -2.9) == -2)
        #expect(Int64(clamped: 1e300) == .max && Int64(clamped: -.infinity) == .min && Int64(clamped: .nan) == 0)
        #expect(Int64(clamped: 9.3e18) == .max && UInt32(clamped: -1) == 0)
    }
}
