/// Finds the numbers in the boxes of an MP4 file (ISO/IEC 14496-12).
enum BoxFields {
    /// Boxes that hold boxes, and the bytes before the first of them.
    private static let masters: [String: Int] = [
        "moov": 0, "trak": 0, "mdia": 0, "minf": 0, "stbl": 0, "edts": 0, "udta": 0, "dinf": 0, "mvex": 0, "moof": 0,
        "traf": 0, "ilst": 0, "mfra": 0, "meta": 4, "stsd": 8, "mp4a": 28, "alac": 28, "Opus": 28, "fLaC": 28,
        "sowt": 28, "wave": 0, "dref": 8, "----": 0, "©too": 0, "©nam": 0,
    ]
    private static let wideVersions: Set = ["mvhd", "mdhd", "tkhd", "elst", "tfdt", "sidx"]
    /// More words of a box than these repeat themselves.
    private static let mostWords = 14

    static func mp4(_ bytes: [UInt8]) -> [NumberField] {
        boxes(FieldReader(bytes: bytes), 0..<bytes.count, "", isInside: false)
    }

    private static func boxes(
        _ reader: FieldReader,
        _ range: Range<Int>,
        _ path: String,
        isInside: Bool
    ) -> [NumberField] {
        var fields: [NumberField] = []
        var place = range.lowerBound
        while place + 8 <= range.upperBound {
            var size = reader.big(at: place, 4)
            let kind = reader.text(at: place + 4)
            let name = path + "/" + kind
            var body = place + 8
            fields.append(NumberField("\(name).size", at: place, 4))
            if size == 1, place + 16 <= range.upperBound {
                size = reader.big(at: place + 8, 8)
                body = place + 16
                fields.append(NumberField("\(name).largeSize", at: place + 8, 8))
            }
            if size == 0 { size = range.upperBound - place }
            guard size >= 8, place + size <= range.upperBound else { break }
            let content = body..<place + size
            if let skip = masters[kind], kind != "alac" || content.count > 60 {
                fields += words(name, content.lowerBound..<min(content.lowerBound + skip, content.upperBound), reader)
                let inner = min(content.lowerBound + skip, content.upperBound)..<content.upperBound
                fields += boxes(reader, inner, name, isInside: true)
            } else if kind != "mdat", kind != "ftyp" {
                fields += words(name, content, reader)
            }
            place += size
        }
        return fields
    }

    private static func words(_ name: String, _ range: Range<Int>, _ reader: FieldReader) -> [NumberField] {
        let kind = String(name.suffix(4))
        var fields: [NumberField] = []
        for (index, place) in stride(from: range.lowerBound, to: range.upperBound - 3, by: 4).enumerated() {
            guard index < mostWords else { break }
            fields.append(NumberField("\(name).\(index)", at: place, 4))
        }
        guard !range.isEmpty, range.count >= 24 else { return fields }
        let isWide = wideVersions.contains(kind) && reader.bytes[range.lowerBound] == 1
        if isWide {
            for place in stride(from: range.lowerBound + 4, to: min(range.lowerBound + 44, range.upperBound - 7), by: 4)
            {
                fields.append(NumberField("\(name).long\(place - range.lowerBound)", at: place, 8))
            }
        }
        switch kind {
        case "mdhd", "mvhd":
            fields.append(NumberField("\(name).rate", at: range.lowerBound + (isWide ? 20 : 12), 4, isRate: true))
        case "mp4a", "alac", "Opus", "fLaC", "sowt":
            fields.append(NumberField("\(name).channels", at: range.lowerBound + 16, 2))
            fields.append(NumberField("\(name).rate", at: range.lowerBound + 24, 2, isRate: true))
        default: break
        }
        return fields
    }

    // MARK: Wider numbers

    /// The file with the numbers of 64 bits that it may have: the sizes of `mdat`, and the times in its headers.
    static func widened(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let reader = FieldReader(bytes: bytes)
        var place = 0
        // libavformat puts an empty box before `mdat`, for this.
        while place + 16 <= bytes.count {
            let size = reader.big(at: place, 4)
            if size == 8, reader.text(at: place + 4) == "free", reader.text(at: place + 12) == "mdat" {
                let whole = reader.big(at: place + 8, 4) + 8
                let header = number(1, 4) + Array("mdat".utf8) + number(whole, 8)
                bytes.replaceSubrange(place..<place + 16, with: header)
                place += whole
                continue
            }
            guard size >= 8 else { break }
            if reader.text(at: place + 4) == "moov" {
                let movie = Array(bytes[place..<place + size])
                return Array(bytes[..<place]) + widenedBox(movie) + Array(bytes[(place + size)...])
            }
            place += size
        }
        return bytes
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func widenedBox(_ box: [UInt8]) -> [UInt8] {
        let reader = FieldReader(bytes: box)
        let kind = reader.text(at: 4)
        var body = Array(box[8...])
        func long(_ place: Int) -> [UInt8] { number(reader.big(at: 8 + place, 4), 8) }
        switch kind {
        case "mvhd", "mdhd": body = [1] + body[1..<4] + long(4) + long(8) + body[12..<16] + long(16) + body[20...]
        case "elst":
            body = [1] + body[1..<8] + long(8) + long(12) + body[16...]
        case "moov", "trak", "mdia", "edts":
            body = []
            var place = 8
            while place + 8 <= box.count {
                let size = reader.big(at: place, 4)
                body += widenedBox(Array(box[place..<place + size]))
                place += size
            }
        default: return box
        }
        return number(body.count + 8, 4) + Array(kind.utf8) + body
    }
}
