/// Finds the numbers in the pages of Ogg (RFC 3533) and in the headers of what they hold, and in FLAC (RFC 9639).
enum OggFields {
    private struct Page {
        var start: Int
        var body: Int
        var end: Int
    }

    private static func pages(_ bytes: [UInt8]) -> [Page] {
        var pages: [Page] = []
        var place = 0
        let reader = FieldReader(bytes: bytes)
        while place + 27 <= bytes.count, reader.has("OggS", at: place) {
            let body = place + 27 + Int(bytes[place + 26])
            let end = body + bytes[place + 27..<body].reduce(0) { $0 + Int($1) }
            pages.append(Page(start: place, body: body, end: end))
            place = end
        }
        return pages
    }

    static func ogg(_ bytes: [UInt8]) -> [NumberField] {
        let pages = pages(bytes)
        let reader = FieldReader(bytes: bytes)
        var fields: [NumberField] = []
        for index in Set([0, 1, 2, 3, pages.count / 2, pages.count - 2, pages.count - 1]).sorted()
        where pages.indices.contains(index) {
            let start = pages[index].start
            fields += [
                NumberField("page\(index).type", at: start + 5, 1),
                NumberField("page\(index).position", at: start + 6, 8, .little),
                NumberField("page\(index).serial", at: start + 14, 4, .little),
                NumberField("page\(index).number", at: start + 18, 4, .little),
                NumberField("page\(index).segments", at: start + 26, 1),
                NumberField("page\(index).lacing", at: start + 27, 1),
            ]
        }
        if let first = pages.first { fields += head(at: first.body, reader) }
        if pages.count > 1 { fields += comments(at: pages[1].body, reader) }
        return fields
    }

    private static func head(at body: Int, _ reader: FieldReader) -> [NumberField] {
        if reader.has("OpusHead", at: body) {
            return [
                NumberField("opus.version", at: body + 8, 1), NumberField("opus.channels", at: body + 9, 1),
                NumberField("opus.preSkip", at: body + 10, 2, .little),
                NumberField("opus.rate", at: body + 12, 4, .little, isRate: true),
                NumberField("opus.gain", at: body + 16, 2, .little), NumberField("opus.mapping", at: body + 18, 1),
            ]
        }
        if reader.has("\u{1}vorbis", at: body) {
            return [
                NumberField("vorbis.version", at: body + 7, 4, .little),
                NumberField("vorbis.channels", at: body + 11, 1),
                NumberField("vorbis.rate", at: body + 12, 4, .little, isRate: true),
                NumberField("vorbis.maximum", at: body + 16, 4, .little),
                NumberField("vorbis.nominal", at: body + 20, 4, .little),
                NumberField("vorbis.minimum", at: body + 24, 4, .little),
                NumberField("vorbis.blocks", at: body + 28, 1),
            ]
        }
        if reader.has("\u{7F}FLAC", at: body) {
            return [NumberField("flac.headers", at: body + 7, 2)] + streamInfo(at: body + 17)
        }
        if reader.has("Speex   ", at: body) {
            let names = [
                "rate", "mode", "bits", "channels", "bitRate", "frameSize", "vbr", "framesPerPacket", "headers",
            ]
            return names.enumerated().map { index, name in
                NumberField("speex.\(name)", at: body + 36 + 4 * index, 4, .little, isRate: name == "rate")
            }
        }
        return []
    }

    private static func comments(at body: Int, _ reader: FieldReader) -> [NumberField] {
        let skip = reader.has("OpusTags", at: body) ? 8 : reader.has("\u{3}vorbis", at: body) ? 7 : 4
        let vendor = reader.little(at: body + skip, 4)
        let count = body + skip + 4 + vendor
        guard vendor < 200, count + 8 < reader.bytes.count else { return [] }
        return [
            NumberField("comments.vendor", at: body + skip, 4, .little),
            NumberField("comments.count", at: count, 4, .little),
            NumberField("comments.first", at: count + 4, 4, .little),
        ]
    }

    private static func streamInfo(at place: Int) -> [NumberField] {
        let bit = place * 8
        return [
            NumberField("info.smallestBlock", bit: bit, 16), NumberField("info.largestBlock", bit: bit + 16, 16),
            NumberField("info.smallestFrame", bit: bit + 32, 24), NumberField("info.largestFrame", bit: bit + 56, 24),
            NumberField("info.rate", bit: bit + 80, 20, isRate: true), NumberField("info.channels", bit: bit + 100, 3),
            NumberField("info.bits", bit: bit + 103, 5), NumberField("info.frames", bit: bit + 108, 36),
        ]
    }

    static func flac(_ bytes: [UInt8]) -> [NumberField] {
        let reader = FieldReader(bytes: bytes)
        var fields = streamInfo(at: 8)
        var place = 4
        while place + 4 <= bytes.count {
            let kind = bytes[place] & 0x7F
            fields.append(NumberField("block\(kind).header", at: place, 1))
            fields.append(NumberField("block\(kind).size", at: place + 1, 3))
            let body = place + 4
            if kind == 3 {
                for point in 0..<2 {
                    fields += [
                        NumberField("point\(point).frame", at: body + 18 * point, 8),
                        NumberField("point\(point).offset", at: body + 18 * point + 8, 8),
                        NumberField("point\(point).count", at: body + 18 * point + 16, 2),
                    ]
                }
            }
            if kind == 4 {
                let vendor = reader.little(at: body, 4)
                fields += [
                    NumberField("comments.vendor", at: body, 4, .little),
                    NumberField("comments.count", at: body + 4 + vendor, 4, .little),
                    NumberField("comments.first", at: body + 8 + vendor, 4, .little),
                ]
            }
            let isLast = bytes[place] & 0x80 != 0
            place = body + reader.big(at: place + 1, 3)
            if isLast { break }
        }
        // The first frame: its sizes and rate, and its number.
        fields += [
            NumberField("frame.size", bit: place * 8 + 16, 4), NumberField("frame.rate", bit: place * 8 + 20, 4),
            NumberField("frame.form", at: place + 3, 1), NumberField("frame.number", at: place + 4, 1),
        ]
        return fields
    }

    // MARK: Checksums

    /// Makes the checksums of all pages right: readers leave out pages whose sums are wrong.
    static func mended(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        var place = 0
        while place + 27 <= bytes.count, bytes[place...].starts(with: "OggS".utf8) {
            let body = min(place + 27 + Int(bytes[place + 26]), bytes.count)
            let end = min(body + bytes[place + 27..<body].reduce(0) { $0 + Int($1) }, bytes.count)
            for index in 22..<26 { bytes[place + index] = 0 }
            let sum = bytes[place..<end].reduce(UInt32(0)) { $0 << 8 ^ table[Int($0 >> 24) ^ Int($1)] }
            for index in 0..<4 { bytes[place + 22 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index)) }
            place = end
        }
        return bytes
    }

    /// CRC-32 with the polynomial 0x04C11DB7, the highest bit first (RFC 3533, 6).
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { sum, _ in sum & 1 << 31 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
}
