/// The header of a frame of MPEG audio, layer 3, of a free bit rate (ISO/IEC 11172-3, 2.4.2.3).
///
/// Such frames are all of one size, but for a byte of padding, and no header tells it.
struct FreeFormatHeader: Equatable {
    let isVersion1: Bool
    let sampleRate: Int
    let isMono: Bool
    /// Whether a checksum of two bytes stands behind the header.
    let hasChecksum: Bool
    let isPadded: Bool

    static let byteCount = 4
    /// The header with any bit rate but the free one: that of 128 or 80 kbit/s.
    private static let usualBitRate: UInt8 = 0x90

    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.byteCount, bytes.first == 0xFF else { return nil }
        let (two, three, four) = (
            bytes[bytes.startIndex + 1], bytes[bytes.startIndex + 2], bytes[bytes.startIndex + 3]
        )
        let version = two >> 3 & 3
        let frequency = Int(three >> 2 & 3)
        guard two & 0xE6 == 0xE2, version != 1, three >> 4 == 0, frequency != 3, four & 3 != 2 else { return nil }
        isVersion1 = version == 3
        sampleRate = [44100, 48000, 32000][frequency] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
        isMono = four >> 6 == 3
        hasChecksum = two & 1 == 0
        isPadded = three & 2 != 0
    }

    /// Frames of sound in one frame of the stream.
    var framesPerPacket: Int { isVersion1 ? 1152 : 576 }

    /// Bytes of what tells how the bits behind it are to be read.
    var sideInfoSize: Int { isVersion1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17) }

    /// Whether a frame with the other header may belong to the same stream.
    func isSameKind(_ other: FreeFormatHeader) -> Bool {
        (isVersion1, sampleRate, isMono) == (other.isVersion1, other.sampleRate, other.isMono)
    }

    /// The four bytes of a header that decoders accept, which states another bit rate and no checksum.
    static func usual(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let first = bytes.startIndex
        return [bytes[first], bytes[first + 1] | 1, bytes[first + 2] | usualBitRate, bytes[first + 3]]
    }
}

/// A stream of frames of a free bit rate: what they have in common.
struct FreeFormatStream: Equatable {
    /// The first header.
    let header: FreeFormatHeader
    /// Bytes of a frame without padding.
    let frameSize: Int

    /// The sizes of frames: from the smallest that decoders have to read to twice what encoders make, 640 kbit/s at 8 kHz.
    private static let sizes = 24...5760
    /// Frames in a row that are no chance hit.
    private static let enough = 4

    /// Finds out whether such a stream begins at `offset`.
    /// - Parameter bytes: Reads up to `count` bytes at an offset of the file, or fewer where they cannot be had.
    init?(at offset: Int64, bytes: (_ offset: Int64, _ count: Int) -> [UInt8]) {
        let head = bytes(offset, FreeFormatHeader.byteCount)
        guard let first = FreeFormatHeader(head[...]) else { return nil }
        // Four frames, and the head of the one behind them.
        let window = bytes(offset, (Self.enough + 1) * (Self.sizes.upperBound + 1))
        let padding = first.isPadded ? 1 : 0
        for size in Self.sizes where Self.leads(window, first, size: size, by: size + padding) {
            header = first
            frameSize = size
            return
        }
        return nil
    }

    /// Bytes of the frame that begins with `header`.
    func size(of header: FreeFormatHeader) -> Int { frameSize + (header.isPadded ? 1 : 0) }

    /// Bits per second.
    // Bounded: a frame of at most a few thousand bytes, and a rate of the standard.
    var bitRate: Int { frameSize * 8 * header.sampleRate / header.framesPerPacket }

    /// Whether frames of that size follow each other, as many as are enough or as there are.
    private static func leads(_ bytes: [UInt8], _ first: FreeFormatHeader, size: Int, by distance: Int) -> Bool {
        var place = distance
        for number in 1..<enough {
            guard place + FreeFormatHeader.byteCount <= bytes.count else { return number > 2 && place == bytes.count }
            guard let header = FreeFormatHeader(bytes[place...]), header.isSameKind(first) else { return false }
            place += size + (header.isPadded ? 1 : 0)
        }
        return true
    }
}
