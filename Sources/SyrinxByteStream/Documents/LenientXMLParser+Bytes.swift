/// Functions that search bytes for parts of XML.
extension LenientXMLParser {
    /// Parses a reference such as `&amp;`.
    /// - Returns: Its characters, or an ampersand if it is not a reference, and the index after it; `nil` if its end has
    ///   not arrived.
    static func reference(_ bytes: Bytes, _ start: Int, _ isFinal: Bool) -> (characters: [UInt8], next: Int)? {
        let end = min(start + 33, bytes.count)
        let name = bytes[(start + 1)..<end].prefix { isNameByte($0) || $0 == UInt8(ascii: "#") }
        if name.endIndex == bytes.count, name.count < 32, !isFinal { return nil }
        guard name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: ";"),
            let characters = HTMLEntities.characters(Substring(String(decoding: name, as: UTF8.self)))
        else { return ([UInt8(ascii: "&")], start + 1) }
        return (Array(characters.utf8), name.endIndex + 1)
    }

    /// Appends text without characters that XML forbids, and with line feeds in place of CR LF and CR.
    ///
    /// - Parameters:
    ///   - bytes: The text, as UTF-8.
    ///   - last: The byte before `bytes`, which is replaced with the last byte of `bytes`.
    ///   - output: The text to append to.
    static func append(_ bytes: some Collection<UInt8>, after last: inout UInt8, to output: inout [UInt8]) {
        for byte in bytes {
            switch byte {
            case 0..<9, 11, 12, 14..<32: continue
            case 10 where last == 13: break
            case 13: output.append(10)
            case 0xBE, 0xBF:
                // The last byte of U+FFFE or U+FFFF, which are replaced with U+FFFD.
                output.append(output.suffix(2).elementsEqual([0xEF, 0xBF]) ? 0xBD : byte)
            default: output.append(byte)
            }
            last = byte
        }
    }

    /// Returns the index of the `>` that ends a tag, ignoring those in quoted values.
    static func endOfTag(_ bytes: Bytes) -> Int? {
        var quote: UInt8?
        var isValue = false
        for (place, byte) in bytes.enumerated() {
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                return place
            } else if isValue, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
                isValue = false
            } else if !isSpace(byte) {
                isValue = byte == UInt8(ascii: "=")
            }
        }
        return nil
    }

    /// Returns the range of `text`; if it is not found, an empty range at its possible start or at the end.
    static func find(_ text: StaticString, _ bytes: Bytes, _ start: Int, _ isFinal: Bool) -> (start: Int, end: Int) {
        text.withUTF8Buffer { text in
            var place = start
            while let first = bytes[place...].firstIndex(of: text[0]) {
                let rest = bytes[first...].prefix(text.count)
                if rest.elementsEqual(text) { return (first, first + text.count) }
                if !isFinal, rest.endIndex == bytes.count, text.starts(with: rest) { return (first, first) }
                place = first + 1
            }
            return (bytes.count, bytes.count)
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    static func isNameStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: false
        }
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: isNameStart(byte)
        }
    }
}
