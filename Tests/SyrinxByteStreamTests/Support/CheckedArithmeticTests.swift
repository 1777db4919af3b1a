import SyrinxByteStream
import Testing

@Suite("Arithmetic on foreign numbers")
struct CheckedArithmeticTests {
    /// Every number of 8 bits, because all of them can be tried.
    private static let all = Array(Int8.min...Int8.max)

    private static func nearest(_ exact: Int) -> Int8 { Int8(clamping: exact) }

    @Test("Checked arithmetic gives the exact number, or nothing where it does not fit")
    func checked() {
        for a in Self.all {
            for b in Self.all {
                #expect(a.addingChecked(b) == Int8(exactly: Int(a) + Int(b)))
                #expect(a.multipliedChecked(by: b) == Int8(exactly: Int(a) * Int(b)))
            }
        }
    }

    @Test("Clamped arithmetic gives the nearest number that fits")
    func clamped() {
        for a in Self.all {
            for b in Self.all {
                #expect(a.addingClamped(b) == Self.nearest(Int(a) + Int(b)))
                #expect(a.subtractingClamped(b) == Self.nearest(Int(a) - Int(b)))
                #expect(a.multipliedClamped(by: b) == Self.nearest(Int(a) * Int(b)))
            }
        }
    }

    @Test("A clamped number without a sign stops at 0")
    func unsigned() {
        #expect((3 as UInt8).subtractingClamped(4) == 0)
        #expect((200 as UInt8).addingClamped(100) == 255)
        #expect((200 as UInt8).multipliedClamped(by: 2) == 255)
    }

    @Test("A quotient is rounded up, and a divisor below 1 counts as 1")
    func quotient() {
        for a in Self.all {
            for b in Self.all {
                let divisor = Double(max(b, 1))
                #expect(a.dividedRoundingUp(by: b) == Self.nearest(Int((Double(a) / divisor).rounded(.up))))
            }
        }
    }

    @Test("A floating-point number becomes the nearest whole number towards 0 that fits")
    func conversion() {
        #expect(Int8(clamped: 1.9) == 1)
        #expect(Int8(clamped: -1.9) == -1)
        #expect(Int8(clamped: 127.9) == 127)
        #expect(Int8(clamped: 128) == 127)
        #expect(Int8(clamped: -128.9) == -128)
        #expect(Int8(clamped: -1e300) == -128)
        #expect(Int64(clamped: 0x1p63) == .max)
        #expect(Int64(clamped: -0x1p63) == .min)
        #expect(Int64(clamped: .infinity) == .max)
        #expect(Int64(clamped: -.infinity) == .min)
        #expect(Int64(clamped: .nan) == 0)
        #expect(UInt32(clamped: -0.5) == 0)
        #expect(UInt32(clamped: -1) == 0)
    }
}
