/// Parses the text of an HTML tag.
enum HTMLTag {
    /// Returns the value of a quoted or unquoted attribute, in linear time.
    static func attribute(_ name: String, of tag: Substring) -> Substring? {
        let bytes = tag.utf8
        var place = bytes.startIndex
        // Skip the name of the element; attributes follow, with or without values.
        skip(while: { !isSpace($0) && $0 != UInt8(ascii: ">") })
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte || byte == UInt8(ascii: "/") }
        func skip(while isSkipped: (UInt8) -> Bool) {
            while place < bytes.endIndex, isSkipped(bytes[place]) { bytes.formIndex(after: &place) }
        }
        while true {
            skip(while: isSpace)
            guard place < bytes.endIndex, bytes[place] != UInt8(ascii: ">") else { return nil }
            let start = place
            bytes.formIndex(after: &place)
            skip(while: { !isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") })
            let key = tag[start..<place].lowercased()
            skip(while: isSpace)
            guard place < bytes.endIndex, bytes[place] == UInt8(ascii: "=") else { continue }
            bytes.formIndex(after: &place)
            skip(while: { $0 == 0x20 || 0x09...0x0D ~= $0 })
            guard place < bytes.endIndex else { return nil }
            let quote = bytes[place]
            let value: Substring
            if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                bytes.formIndex(after: &place)
                let first = place
                skip(while: { $0 != quote })
                value = tag[first..<place]
                if place < bytes.endIndex { bytes.formIndex(after: &place) }
            } else {
                let first = place
                skip(while: { !(0x09...0x0D ~= $0) && $0 != 0x20 && $0 != UInt8(ascii: ">") })
                value = tag[first..<place]
            }
            if key == name { return value }
        }
    }
}
