/// The pages of an Ogg file, to be changed (RFC 3533, section 6).
struct OggPages {
    struct Page {
        var bytes: [UInt8]

        var position: Int64 {
            Int64(bitPattern: bytes[6..<14].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }

        func with(position: Int64) -> Page {
            var page = self
            for index in 0..<8 { page.bytes[6 + index] = UInt8(truncatingIfNeeded: position >> (8 * index)) }
            page.bytes.replaceSubrange(22..<26, with: [0, 0, 0, 0])
            var sum: UInt32 = 0
            for byte in page.bytes {
                sum ^= UInt32(byte) << 24
                for _ in 0..<8 { sum = sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
            }
            for index in 0..<4 { page.bytes[22 + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(index))) }
            return page
        }
    }

    /// Returns one page with the packets of several whole ones.
    static func joined(_ pages: [Page], number: Int, position: Int64, isLast: Bool) -> Page {
        let tables = pages.map { $0.bytes[27..<27 + Int($0.bytes[26])] }
        let bodies = zip(pages, tables).map { $0.bytes[$1.endIndex...] }
        var head = pages[0].bytes[..<26] + [UInt8(tables.joined().count)]
        if isLast { head[5] |= 4 }
        for index in 0..<4 { head[18 + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        return Page(bytes: Array(head + tables.joined() + bodies.joined())).with(position: position)
    }

    var pages: [Page] = []

    /// The file with other positions.
    static func changed(_ bytes: [UInt8], position: (Int64) -> Int64) -> [UInt8] {
        OggPages(bytes).pages.flatMap { page in
            page.position > 0 ? page.with(position: position(page.position)).bytes : page.bytes
        }
    }

    init(_ bytes: [UInt8]) {
        var place = 0
        while place + 27 <= bytes.count {
            let body = place + 27 + Int(bytes[place + 26])
            let end = body + bytes[place + 27..<body].reduce(0) { $0 + Int($1) }
            pages.append(Page(bytes: Array(bytes[place..<end])))
            place = end
        }
    }
}
