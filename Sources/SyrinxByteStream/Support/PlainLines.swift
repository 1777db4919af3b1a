/// The trimmed, non-empty lines of a UTF-8 text; CR, LF or CR LF end a line.
package struct PlainLines: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var place = 0

    /// Creates a sequence of the lines of a text; a byte order mark is skipped.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    /// Returns the next line.
    package mutating func next() -> ArraySlice<UInt8>? {
        while place < bytes.count {
            let start = place
            while place < bytes.count, bytes[place] != 0x0A, bytes[place] != 0x0D { place += 1 }
            let line = Self.trimmed(bytes[start..<place])
            place += 1
            if !line.isEmpty { return line }
        }
        return nil
    }

    /// Returns text without leading and trailing spaces and tabs.
    package static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text
        while let first = text.first, isSpace(first) { text = text.dropFirst() }
        while let last = text.last, isSpace(last) { text = text.dropLast() }
        return text
    }

    /// Returns whether a byte is a space or a tab.
    package static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension ArraySlice<UInt8> {
    /// Returns whether the line starts with a name, ignoring case; the name consists of ASCII capitals, `#` and `:`.
    package func begins(withAnyCaseOf name: StaticString) -> Bool {
        count >= name.utf8CodeUnitCount
            && name.withUTF8Buffer { name in
                zip(self, name).allSatisfy { byte, letter in
                    byte == letter || byte == letter | 0x20 && 0x41...0x5A ~= letter
                }
            }
    }

    /// Returns whether the line starts with a name.
    package func begins(with name: StaticString) -> Bool { name.withUTF8Buffer { starts(with: $0) } }

    /// The line as text, with invalid UTF-8 replaced.
    package var text: String { String(decoding: self, as: UTF8.self) }
}
