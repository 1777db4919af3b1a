internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// The header of a page of Ogg (RFC 3533, 6).
struct OggPage {
    let serial: ArraySlice<UInt8>
    /// Its number among those of its stream.
    let number: UInt32
    /// The end of the page, counted as its start.
    let end: Int
    /// Whether it begins with the rest of a packet of the page before.
    let isContinued: Bool
    /// Whether it is the first of its stream.
    let isBeginning: Bool
    /// Whether it is the last of its stream.
    let isLast: Bool
    /// The granule position: of sound, how many samples end with the last packet that ends here; `nil` if none does.
    let position: Int64?
    /// The number of packets that end in the page.
    let packetCount: Int

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
        number = bytes[start + 18..<start + 22].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        end = segmentEnd + bytes[start + 27..<segmentEnd].reduce(0) { $0 + Int($1) }
        packetCount = bytes[start + 27..<segmentEnd].count { $0 < 255 }
        isContinued = bytes[start + 5] & 1 != 0
        isBeginning = bytes[start + 5] & 2 != 0
        isLast = bytes[start + 5] & 4 != 0
        let position = bytes[start + 6..<start + 14].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // All ones mean none; nor is there one beyond what can be reckoned with.
        self.position = position < 1 << 60 ? Int64(position) : nil
    }

    /// Whether `bytes` are all of a page, and its checksum is right.
    static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard let page = OggPage(bytes), page.end == bytes.count else { return false }
        var unsummed = bytes
        unsummed.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        let sum = av_crc(av_crc_get_table(AV_CRC_32_IEEE), 0, unsummed, unsummed.count)
        // FFmpeg has the first of its bytes last.
        return bytes[22..<26].reversed().reduce(0) { $0 << 8 | UInt32($1) } == sum.byteSwapped
    }

    /// The packets that begin and end in a page, if all of it is there; not those without a byte, with which some end a stream.
    static func wholePackets(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        guard let page = OggPage(bytes), page.end <= bytes.count else { return [] }
        let segmentEnd = 27 + Int(bytes[26])
        var packets: [ArraySlice<UInt8>] = []
        var (first, place) = (segmentEnd, segmentEnd)
        for length in bytes[27..<segmentEnd] {
            place += Int(length)
            guard length < 255 else { continue }
            packets.append(bytes[first..<place])
            first = place
        }
        return packets.dropFirst(page.isContinued ? 1 : 0).filter { !$0.isEmpty }
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
