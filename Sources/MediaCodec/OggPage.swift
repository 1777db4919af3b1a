/// The header of a page of Ogg (RFC 3533, 6).
struct OggPage {
    let serial: ArraySlice<UInt8>
    /// Where the page ends, counted as its start was.
    let end: Int
    /// Whether it begins with the rest of a packet of the page before.
    let isContinued: Bool
    /// Whether it is the first of its stream.
    let isBeginning: Bool
    /// Whether it is the last of its stream.
    let isLast: Bool
    /// The granule position: of sound, how many samples end with the last packet that ends here; `nil` if none does.
    let position: Int64?

    /// A header with all 255 segments.
    static let largestHeader = 282
    static let mark = Array("OggS".utf8)

    /// - Returns: `nil` if no header, or not all of it, is at `start`.
    init?(_ bytes: [UInt8], at start: Int = 0) {
        // The version, of which there is one only, makes five of what all pages begin with.
        guard start + 27 <= bytes.count, bytes[start...].starts(with: Self.mark), bytes[start + 4] == 0 else {
            return nil
        }
        let segmentEnd = start + 27 + Int(bytes[start + 26])
        guard segmentEnd <= bytes.count else { return nil }
        serial = bytes[start + 14..<start + 18]
        end = segmentEnd + bytes[start + 27..<segmentEnd].reduce(0) { $0 + Int($1) }
        isContinued = bytes[start + 5] & 1 != 0
        isBeginning = bytes[start + 5] & 2 != 0
        isLast = bytes[start + 5] & 4 != 0
        let position = bytes[start + 6..<start + 14].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // All ones mean none; nor is there one beyond what can be reckoned with.
        self.position = position < 1 << 60 ? Int64(position) : nil
    }

    /// The pages that follow each other from the start of `bytes` on, as far as their headers are there.
    static func pages(from bytes: [UInt8]) -> some Sequence<OggPage> {
        sequence(state: 0) { (place: inout Int) -> OggPage? in
            guard let page = OggPage(bytes, at: place) else { return nil }
            place = page.end
            return page
        }
    }
}
