import SyrinxByteStream

/// The attribute list of a playlist's tag: `BANDWIDTH=64000,CODECS="mp4a.40.2"` (RFC 8216, 4.2).
struct HLSAttributes {
    private var values: [String: String] = [:]

    /// More attributes than any tag has.
    private static let maximumCount = 64

    /// Parses an attribute list; of duplicate names, the first counts, and malformed attributes are ignored.
    init(_ text: Substring) {
        var rest = text[...]
        while !rest.isEmpty, values.count < Self.maximumCount {
            rest = rest.drop { $0 == "," || $0 == " " || $0 == "\t" }
            guard let equals = rest.firstIndex(of: "=") else { return }
            let name = Self.trimmed(rest[..<equals])
            rest = rest[rest.index(after: equals)...].drop { $0 == " " || $0 == "\t" }
            let value: Substring
            if rest.first == "\"" {
                let inner = rest.dropFirst()
                let end = inner.firstIndex(of: "\"") ?? inner.endIndex
                value = inner[..<end]
                rest = inner[end...].drop { $0 != "," }
            } else {
                let end = rest.firstIndex(of: ",") ?? rest.endIndex
                value = Self.trimmed(rest[..<end])
                rest = rest[end...]
            }
            if !name.isEmpty, values[String(name)] == nil { values[String(name)] = String(value) }
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    /// The text of an attribute, without quotation marks.
    subscript(name: String) -> String? { values[name] }

    /// Whether an attribute is `YES`.
    func isYes(_ name: String) -> Bool { values[name] == "YES" }

    /// A whole number that is not negative.
    func integer(_ name: String) -> Int64? {
        values[name].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Returns an attribute in seconds, which may be negative.
    func seconds(_ name: String) -> Double? {
        values[name].flatMap { HLSNumber.seconds(of: $0[...]) }
    }

    /// The bytes of a hexadecimal sequence, `0x…`, of at most 32 digits.
    func hexadecimal(_ name: String) -> [UInt8]? {
        guard let text = values[name], text.hasPrefix("0x") || text.hasPrefix("0X") else { return nil }
        var digits = Array(text.utf8.dropFirst(2))
        guard (1...32).contains(digits.count) else { return nil }
        if !digits.count.isMultiple(of: 2) { digits.insert(UInt8(ascii: "0"), at: 0) }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }
}

/// Numbers as playlists write them.
enum HLSNumber {
    /// Nothing in a playlist lasts longer, in seconds: about 31 years.
    static let longest = 1e9

    /// Parses a finite number of seconds whose magnitude is at most `longest`; returns `nil` for other text.
    static func seconds(of text: Substring) -> Double? {
        Double(text).flatMap { abs($0) <= longest ? $0 : nil }
    }

    /// Parses `length[@offset]` as a byte range; without an offset, the range starts at `next`.
    static func byteRange(_ text: String, after next: Int64?) -> Range<Int64>? {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let length = parts.first.flatMap({ Int64(Substring($0)) }), length > 0 else { return nil }
        let start: Int64? = parts.count > 1 ? Int64(Substring(parts[1])) : next
        guard let start, start >= 0, let end = start.addingChecked(length) else { return nil }
        return start..<end
    }
}
