/// Encodes any bytes as text, for interfaces that accept text only.
///
/// Valid UTF-8 is kept as it is. Every other byte is represented by one character of the private range U+10FE80 to
/// U+10FEFF. Characters of that range in the input are encoded as their four bytes. The encoding is therefore unique
/// and reversible.
package enum ByteText {
    /// The character for byte 0.
    private static let base: UInt32 = 0x10_FE00
    private static let range: ClosedRange<UInt32> = 0x10_FE80...0x10_FEFF

    /// Returns the text that encodes `bytes`.
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

    /// Returns the bytes that `text` encodes: its UTF-8, for ordinary text.
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

    /// Returns the text for display: each byte that is not UTF-8 as `\xE9`.
    package static func readable(_ text: String) -> String { escaped(text, mark: "\\x") }

    /// Returns the text for a URL: each byte that is not UTF-8 as `%E9`.
    package static func percentEncoded(_ text: String) -> String { escaped(text, mark: "%") }

    /// Returns the text with `mark` and two hexadecimal digits for each encoded byte.
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

    /// Returns whether text encodes a byte that is not UTF-8.
    package static func carriesBytes(_ text: String) -> Bool {
        // The UTF-8 of the private range starts with this byte.
        text.utf8.contains(0xF4) && text.unicodeScalars.contains { range.contains($0.value) }
    }

    /// Returns the first character of `bytes`, and its width in bytes.
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
