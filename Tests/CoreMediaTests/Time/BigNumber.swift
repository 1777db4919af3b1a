/// A whole number of any size, worked out by schoolbook on words of 32 bits: nothing in common with the code that it checks.
struct BigNumber: Comparable {
    /// The lowest word first, without zeros at the end.
    private var words: [UInt32]
    private(set) var isNegative: Bool

    init(_ value: Int64) {
        self.init(value.magnitude, isNegative: value < 0)
    }

    init(_ magnitude: UInt64, isNegative: Bool = false) {
        self.init(words: [UInt32(truncatingIfNeeded: magnitude), UInt32(magnitude >> 32)], isNegative: isNegative)
    }

    private init(words: [UInt32], isNegative: Bool) {
        self.words = words
        while self.words.last == 0 { self.words.removeLast() }
        self.isNegative = isNegative && !self.words.isEmpty
    }

    var isZero: Bool { words.isEmpty }
    var magnitude: BigNumber { BigNumber(words: words, isNegative: false) }
    /// The value, if 64 bits hold it.
    var int64: Int64? {
        guard words.count <= 2 else { return nil }
        let value = words.reversed().reduce(UInt64(0)) { $0 << 32 | UInt64($1) }
        if isNegative { return value <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- value) : nil }
        return Int64(exactly: value)
    }

    static prefix func - (a: BigNumber) -> BigNumber { BigNumber(words: a.words, isNegative: !a.isNegative) }

    static func + (a: BigNumber, b: BigNumber) -> BigNumber {
        if a.isNegative == b.isNegative { return BigNumber(words: sum(a.words, b.words), isNegative: a.isNegative) }
        if isLess(a.words, b.words) {
            return BigNumber(words: difference(b.words, a.words), isNegative: b.isNegative)
        }
        return BigNumber(words: difference(a.words, b.words), isNegative: a.isNegative)
    }

    static func - (a: BigNumber, b: BigNumber) -> BigNumber { a + -b }

    static func * (a: BigNumber, b: BigNumber) -> BigNumber {
        var result = [UInt32](repeating: 0, count: a.words.count + b.words.count + 1)
        for (i, x) in a.words.enumerated() {
            var carry: UInt64 = 0
            for (j, y) in b.words.enumerated() {
                let sum = UInt64(x) * UInt64(y) + UInt64(result[i + j]) + carry
                result[i + j] = UInt32(truncatingIfNeeded: sum)
                carry = sum >> 32
            }
            result[i + b.words.count] = UInt32(carry)
        }
        return BigNumber(words: result, isNegative: a.isNegative != b.isNegative)
    }

    static func < (a: BigNumber, b: BigNumber) -> Bool { (a - b).isNegative }

    /// 2 to the power of `exponent`.
    static func power(_ exponent: Int) -> BigNumber {
        var words = [UInt32](repeating: 0, count: exponent / 32 + 1)
        words[exponent / 32] = 1 << UInt32(exponent % 32)
        return BigNumber(words: words, isNegative: false)
    }

    /// The quotient towards zero and the remainder, bit by bit.
    func divided(by divisor: BigNumber) -> (quotient: BigNumber, remainder: BigNumber) {
        var quotient = [UInt32](repeating: 0, count: words.count)
        var rest = BigNumber(0)
        for bit in stride(from: 32 * words.count - 1, through: 0, by: -1) {
            let next = words[bit / 32] >> UInt32(bit % 32) & 1
            rest = rest + rest + BigNumber(Int64(next))
            if rest >= divisor.magnitude {
                rest = rest - divisor.magnitude
                quotient[bit / 32] |= 1 << UInt32(bit % 32)
            }
        }
        return (BigNumber(words: quotient, isNegative: isNegative != divisor.isNegative), isNegative ? -rest : rest)
    }

    private static func isLess(_ a: [UInt32], _ b: [UInt32]) -> Bool {
        guard a.count == b.count else { return a.count < b.count }
        for (x, y) in zip(a.reversed(), b.reversed()) where x != y { return x < y }
        return false
    }

    private static func sum(_ a: [UInt32], _ b: [UInt32]) -> [UInt32] {
        var result: [UInt32] = []
        var carry: UInt64 = 0
        for index in 0..<max(a.count, b.count) {
            let sum = (index < a.count ? UInt64(a[index]) : 0) + (index < b.count ? UInt64(b[index]) : 0) + carry
            result.append(UInt32(truncatingIfNeeded: sum))
            carry = sum >> 32
        }
        return result + [UInt32(carry)]
    }

    private static func difference(_ a: [UInt32], _ b: [UInt32]) -> [UInt32] {
        var result: [UInt32] = []
        var borrow: Int64 = 0
        for index in 0..<a.count {
            var difference = Int64(a[index]) - (index < b.count ? Int64(b[index]) : 0) - borrow
            borrow = difference < 0 ? 1 : 0
            if difference < 0 { difference += 1 << 32 }
            result.append(UInt32(difference))
        }
        return result
    }
}

extension BigNumber {
    /// The quotient rounded to the nearest whole number, halves away from zero, and whether nothing was left.
    func nearest(over divisor: BigNumber) -> (value: BigNumber, isExact: Bool) {
        let (quotient, remainder) = divided(by: divisor)
        let isAway = remainder.magnitude + remainder.magnitude >= divisor.magnitude
        let step = BigNumber(isNegative != divisor.isNegative ? -1 : 1)
        return (isAway ? quotient + step : quotient, remainder.isZero)
    }
}
