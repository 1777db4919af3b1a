/// A number in a file: where it lies, and how it is written.
struct NumberField: Sendable {
    enum Coding: Sendable {
        case big, little
        /// Seven bits in each byte, as in ID3.
        case syncsafe
        /// A size of EBML: a mark of its width, then the number.
        case vint
        /// The float of 80 bits of AIFF.
        case extended
        /// Floats of 4 or 8 bytes, big-endian.
        case float
        /// Hexadecimal digits.
        case hexadecimal
    }

    /// The name in a report.
    var name: String
    /// The first bit, counted from the start of the file.
    var bit: Int
    var bitCount: Int
    var coding = Coding.big
    /// Whether it is frames, or ticks, per second.
    var isRate = false

    /// A field of whole bytes.
    init(_ name: String, at byte: Int, _ byteCount: Int, _ coding: Coding = .big, isRate: Bool = false) {
        self.init(name, bit: byte * 8, byteCount * 8, coding, isRate: isRate)
    }

    /// A field of bits, the highest first.
    init(_ name: String, bit: Int, _ bitCount: Int, _ coding: Coding = .big, isRate: Bool = false) {
        self.name = name
        self.bit = bit
        self.bitCount = bitCount
        self.coding = coding
        self.isRate = isRate
    }

    /// The numbers that are put into every field, as far as they fit.
    private static let lies: [Int64] = [0, 1, -1, 1 << 31 - 1, 1 << 32, 1 << 62, .max]
    private static let rates: [Int64] = [1, 100, 8_000, 1 << 31 - 1]

    /// The bits that count.
    private var width: Int {
        switch coding {
        case .syncsafe, .vint: bitCount / 8 * 7
        case .hexadecimal: bitCount / 2
        case .extended, .float: 64
        case .big, .little: bitCount
        }
    }

    /// The numbers to put there: of those that do not fit in, the largest that does.
    var values: [Int64] {
        var values: [Int64] = []
        let largest = width >= 64 ? Int64.max : 1 << (width - 1) - 1
        for value in Self.lies + (isRate ? Self.rates : []) {
            let fitting = value > largest ? largest : value
            if !values.contains(fitting) { values.append(fitting) }
        }
        return values
    }

    /// The rates that may stand in this field.
    var rateValues: [Int64] { isRate ? Self.rates.filter { width >= 64 || $0 < 1 << (width - 1) } : [] }

    /// Puts a number there, as much of it as the field has bits.
    func put(_ value: Int64, into bytes: inout [UInt8]) {
        let bits = UInt64(bitPattern: value)
        let first = bit / 8
        let count = bitCount / 8
        switch coding {
        case .big:
            for index in 0..<bitCount {
                let place = bit + bitCount - 1 - index
                let mask = UInt8(0x80) >> UInt8(place % 8)
                let isSet = index < 64 ? bits >> UInt64(index) & 1 == 1 : value < 0
                if isSet { bytes[place / 8] |= mask } else { bytes[place / 8] &= ~mask }
            }
        case .little:
            for index in 0..<count { bytes[first + index] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * index)) }
        case .syncsafe:
            for index in 0..<count {
                bytes[first + count - 1 - index] = UInt8(truncatingIfNeeded: bits >> UInt64(7 * index)) & 0x7F
            }
        case .vint:
            for index in 0..<count {
                bytes[first + count - 1 - index] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * index))
            }
            let mark = UInt8(0x80) >> UInt8(count - 1)
            bytes[first] = bytes[first] & (mark - 1) | mark
        case .extended: putExtended(value, into: &bytes[first..<first + 10])
        case .float:
            let number = value == -1 ? .nan : Double(value)
            let pattern = count == 8 ? number.bitPattern : UInt64(Float(number).bitPattern)
            for index in 0..<count {
                bytes[first + count - 1 - index] = UInt8(truncatingIfNeeded: pattern >> UInt64(8 * index))
            }
        case .hexadecimal:
            let digits = Array(String(bits, radix: 16).utf8.suffix(count))
            let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: count - digits.count)
            bytes.replaceSubrange(first..<first + count, with: zeros + digits)
        }
    }

    private func putExtended(_ value: Int64, into bytes: inout ArraySlice<UInt8>) {
        var result = [UInt8](repeating: 0, count: 10)
        if value != 0 {
            let magnitude = value.magnitude
            let shift = magnitude.leadingZeroBitCount
            let exponent = UInt16(16_383 + 63 - shift) | (value < 0 ? 0x8000 : 0)
            let mantissa = magnitude << UInt64(shift)
            result = [UInt8(exponent >> 8), UInt8(exponent & 0xFF)]
            result += (0..<8).reversed().map { UInt8(truncatingIfNeeded: mantissa >> UInt64(8 * $0)) }
        }
        bytes.replaceSubrange(bytes.startIndex..<bytes.startIndex + 10, with: result)
    }
}

/// Reads numbers while fields are looked for.
struct FieldReader {
    let bytes: [UInt8]

    func has(_ mark: String, at place: Int) -> Bool {
        place >= 0 && place + mark.utf8.count <= bytes.count && bytes[place...].starts(with: mark.utf8)
    }

    func text(at place: Int) -> String { String(decoding: bytes[place..<place + 4], as: UTF8.self) }

    func big(at place: Int, _ count: Int) -> Int {
        bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    func little(at place: Int, _ count: Int) -> Int {
        bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
