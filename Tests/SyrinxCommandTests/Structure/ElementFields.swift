/// Finds the numbers in the elements of Matroska and WebM (RFC 8794, RFC 9559).
enum ElementFields {
    /// Elements that hold elements.
    private static let masters: Set = [
        0x1A45_DFA3, 0x1853_8067, 0x1549_A966, 0x1654_AE6B, 0xAE, 0xE1, 0x1F43_B675, 0x1C53_BB6B, 0xBB, 0xB7,
        0x114D_9B74,
        0x4DBB, 0x1254_C367, 0x7373, 0x67C8, 0x63C0, 0x1043_A770, 0x45B9, 0xB6, 0x80, 0xA0,
    ]
    private static let floats: Set = [0xB5, 0x78B5, 0x4489]
    private static let rates: Set = [0xB5, 0x78B5]
    private static let blocks: Set = [0xA3, 0xA1]
    /// So many of the same kind in one place are enough.
    private static let mostAlike = 2

    static func matroska(_ bytes: [UInt8]) -> [NumberField] {
        elements(FieldReader(bytes: bytes), 0..<bytes.count, "")
    }

    private static func elements(_ reader: FieldReader, _ range: Range<Int>, _ path: String) -> [NumberField] {
        var fields: [NumberField] = []
        var seen: [Int: Int] = [:]
        var place = range.lowerBound
        while place < range.upperBound {
            let first = reader.bytes[place]
            let idWidth = first.leadingZeroBitCount + 1
            guard idWidth <= 4, place + idWidth < range.upperBound else { break }
            let id = reader.big(at: place, idWidth)
            let sizePlace = place + idWidth
            let sizeWidth = reader.bytes[sizePlace].leadingZeroBitCount + 1
            guard sizeWidth <= 8, sizePlace + sizeWidth <= range.upperBound else { break }
            let size = reader.big(at: sizePlace, sizeWidth) & (1 << (7 * sizeWidth) - 1)
            let body = sizePlace + sizeWidth
            let end = min(body.advanced(by: min(size, range.upperBound)), range.upperBound)
            let name = path + "/" + String(id, radix: 16)
            seen[id, default: 0] += 1
            if seen[id, default: 0] <= mostAlike {
                fields.append(NumberField("\(name).size", at: sizePlace, sizeWidth, .vint))
                if masters.contains(id) {
                    fields += elements(reader, body..<end, name)
                } else if floats.contains(id) {
                    fields.append(NumberField(name, at: body, end - body, .float, isRate: rates.contains(id)))
                } else if blocks.contains(id) {
                    fields += [
                        NumberField("\(name).track", at: body, 1), NumberField("\(name).time", at: body + 1, 2),
                        NumberField("\(name).flags", at: body + 3, 1),
                    ]
                } else if 1...8 ~= end - body {
                    fields.append(NumberField(name, at: body, end - body))
                }
            }
            place = end
        }
        return fields
    }
}
