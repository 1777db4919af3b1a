/// Text that carries any bytes, for what takes nothing but text on the way.
///
/// Bytes that are valid UTF-8 become the characters that they are. Every other byte becomes one character of a private range,
/// U+10FE80 to U+10FEFF, which stands for it; characters of that range themselves are taken for four such bytes. So every row of
/// bytes has one text, and the text gives the very bytes back.
package enum ByteText {
    /// The character that stands for byte 0.
    private static let base: UInt32 = 0x10_FE00
    private static let range: ClosedRange<UInt32> = 0x10_FE80...0x10_FEFF

    /// The text that carries `bytes`.
    package static func text(carrying bytes: some Collection<UInt8>) -> String {
        let bytes = Array(bytes)
        if let text = String(validating: bytes, as: UTF8.self), !carriesBytes(text) { return text }
        var scalars = String.UnicodeScalarView()
        var place = 0
        while place < bytes.count {
            if let (scalar, width) = scalar(in: bytes[place...]), !range.contains(scalar.value) {
                scalars.append(scalar)
                place += width
            } else {
                scalars.append(Unicode.Scalar(base + UInt32(bytes[place])) ?? "\u{FFFD}")
                place += 1
            }
        }
        return String(scalars)
    }

    /// The bytes that `text` carries: its UTF-8, if it is ordinary text.
    package static func bytes(of text: String) -> [UInt8] {
        guard carriesBytes(text) else { return Array(text.utf8) }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if range.contains(scalar.value) {
                bytes.append(UInt8(scalar.value - base))
            } else {
                bytes += UTF8.encode(scalar).map(Array.init) ?? []
            }
        }
        return bytes
    }

    /// The text for people: each byte that is not UTF-8 written as `\xE9`.
    package static func readable(_ text: String) -> String { escaped(text, mark: "\\x") }

    /// The text in a URL: each byte that is not UTF-8 written as `%E9`.
    package static func percentEncoded(_ text: String) -> String { escaped(text, mark: "%") }

    /// The text with `mark` and two digits in the place of each byte that it carries.
    private static func escaped(_ text: String, mark: String) -> String {
        guard carriesBytes(text) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if range.contains(scalar.value) {
                result.append(
                    contentsOf: (mark + String(scalar.value - base, radix: 16, uppercase: true)).unicodeScalars
                )
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Whether text carries a byte that is no part of UTF-8.
    package static func carriesBytes(_ text: String) -> Bool {
        // The UTF-8 of the range begins with this byte.
        text.utf8.contains(0xF4) && text.unicodeScalars.contains { range.contains($0.value) }
    }

    /// The character that `bytes` begin with, and how many bytes it takes.
    private static func scalar(in bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
        for width in 1...4 where width <= bytes.count {
            guard let text = String(validating: bytes.prefix(width), as: UTF8.self),
                let scalar = text.unicodeScalars.first
            else { continue }
            return (scalar, width)
        }
        return nil
    }
}
