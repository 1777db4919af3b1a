import SyrinxPlayback

/// Looking for the parts of XML in bytes, and writing text.
extension XMLRepair {
    /// Returns the characters of a reference and the place behind it; an ampersand if it is none, `nil` if its end has not come.
    static func reference(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ start: Int,
        _ isFinal: Bool
    ) -> (characters: [UInt8], next: Int)? {
        let end = min(start + 33, bytes.count)
        let name = bytes[(start + 1)..<end].prefix { isNameByte($0) || $0 == UInt8(ascii: "#") }
        if name.endIndex == bytes.count, name.count < 32, !isFinal { return nil }
        guard name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: ";"),
            let characters = HTMLEntities.characters(Substring(String(decoding: name, as: UTF8.self)))
        else { return ([UInt8(ascii: "&")], start + 1) }
        return (Array(characters.utf8), name.endIndex + 1)
    }

    static func escape(_ bytes: some Collection<UInt8>, _ output: inout [UInt8]) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "<"): output += "&lt;".utf8
            case UInt8(ascii: ">"): output += "&gt;".utf8
            case UInt8(ascii: "&"): output += "&amp;".utf8
            case UInt8(ascii: "\""): output += "&quot;".utf8
            default: append(byte, &output)
            }
        }
    }

    /// Appends a byte, unless it is one of a character that XML does not have.
    static func append(_ byte: UInt8, _ output: inout [UInt8]) {
        switch byte {
        case 0..<9, 11, 12, 14..<32: break
        case 0xBE, 0xBF:
            // The last of U+FFFE and U+FFFF: U+FFFD stands for them.
            output.append(output.suffix(2).elementsEqual([0xEF, 0xBF]) ? 0xBD : byte)
        default: output.append(byte)
        }
    }

    /// Returns the place of the `>` that ends a tag; quotation marks behind `=` hide one.
    static func endOfTag(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
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

    /// Looks for `text`, and returns its range; without it an empty range where it may begin, or at the end.
    static func find(
        _ text: StaticString,
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ start: Int,
        _ isFinal: Bool
    ) -> (start: Int, end: Int) {
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
