internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// The header of a page of Ogg (RFC 3533, 6).
struct OggPage {
    let serial: ArraySlice<UInt8>
    /// The sequence number of the page within its stream.
    let number: UInt32
    /// The index of the first byte after the page, in the array that was parsed.
    let end: Int
    /// Whether the page starts with the remainder of a packet from the previous page.
    let isContinued: Bool
    /// Whether the page is the first of its stream.
    let isBeginning: Bool
    /// Whether the page is the last of its stream.
    let isLast: Bool
    /// The granule position; `nil` if no packet ends in the page.
    ///
    /// For audio, it is the number of samples up to the end of the last packet that ends in the page.
    let position: Int64?
    /// The number of packets that end in the page.
    let packetCount: Int

    /// The largest size of a header, with 255 segments, in bytes.
    static let largestHeader = 282
    static let mark = Array("OggS".utf8)

    /// - Returns: `nil` if `bytes` contain no complete header at `start`.
    init?(_ bytes: [UInt8], at start: Int = 0) {
        // The version is always 0; with the capture pattern, every page starts with the same five bytes.
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
        // All ones mean no position. Larger values than 2^60 are nonsense, and could overflow later.
        self.position = position < 1 << 60 ? Int64(position) : nil
    }

    /// Whether `bytes` are a complete page with a correct checksum.
    static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard let page = OggPage(bytes), page.end == bytes.count else { return false }
        var unsummed = bytes
        unsummed.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        let sum = av_crc(av_crc_get_table(AV_CRC_32_IEEE), 0, unsummed, unsummed.count)
        // FFmpeg's checksum has the opposite byte order.
        return bytes[22..<26].reversed().reduce(0) { $0 << 8 | UInt32($1) } == sum.byteSwapped
    }

    /// Returns the packets that start and end in a complete page, except for empty ones, which end some streams.
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

    /// Returns the consecutive pages from the start of `bytes`, up to the first incomplete header.
    static func pages(from bytes: [UInt8]) -> some Sequence<OggPage> {
        sequence(state: 0) { (place: inout Int) -> OggPage? in
            guard let page = OggPage(bytes, at: place) else { return nil }
            place = page.end
            return page
        }
    }
}
