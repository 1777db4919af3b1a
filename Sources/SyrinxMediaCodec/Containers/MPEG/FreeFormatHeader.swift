/// The header of a free-format frame of MPEG audio, layer 3 (ISO/IEC 11172-3, 2.4.2.3).
///
/// Such frames have equal sizes, except for a padding byte, and the header does not state the size.
struct FreeFormatHeader: Equatable {
    let isVersion1: Bool
    let sampleRate: Int
    let isMono: Bool
    /// Whether a checksum of two bytes follows the header.
    let hasChecksum: Bool
    let isPadded: Bool

    static let byteCount = 4
    /// The bit rate code that replaces that of free format: 128 or 80 kbit/s.
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

    /// The number of audio frames in one frame of the stream.
    var framesPerPacket: Int { isVersion1 ? 1152 : 576 }

    /// The size of the side information in bytes.
    var sideInfoSize: Int { isVersion1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17) }

    /// Returns whether a frame with the other header may belong to the same stream.
    func isSameKind(_ other: FreeFormatHeader) -> Bool {
        (isVersion1, sampleRate, isMono) == (other.isVersion1, other.sampleRate, other.isMono)
    }

    /// Returns the four bytes of a header that decoders accept, with another bit rate and without a checksum.
    static func usual(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let first = bytes.startIndex
        return [bytes[first], bytes[first + 1] | 1, bytes[first + 2] | usualBitRate, bytes[first + 3]]
    }
}

/// The common properties of a stream of free-format frames.
struct FreeFormatStream: Equatable {
    /// The first header.
    let header: FreeFormatHeader
    /// Bytes of a frame without padding.
    let frameSize: Int

    /// The range of frame sizes: from the minimum that decoders must support to twice the usual maximum, 640 kbit/s at
    /// 8 kHz.
    private static let sizes = 24...5760
    /// The number of consecutive frames that rule out a chance match.
    private static let enough = 4

    /// Detects such a stream at `offset`.
    /// - Parameter bytes: Reads up to `count` bytes at an offset of the file; fewer if they are unavailable.
    init?(at offset: Int64, bytes: (_ offset: Int64, _ count: Int) -> [UInt8]) {
        let head = bytes(offset, FreeFormatHeader.byteCount)
        guard let first = FreeFormatHeader(head[...]) else { return nil }
        // Four frames, and the header of the next one.
        let window = bytes(offset, (Self.enough + 1) * (Self.sizes.upperBound + 1))
        let padding = first.isPadded ? 1 : 0
        for size in Self.sizes where Self.leads(window, first, size: size, by: size + padding) {
            header = first
            frameSize = size
            return
        }
        return nil
    }

    /// Returns the size in bytes of the frame that starts with `header`.
    func size(of header: FreeFormatHeader) -> Int { frameSize + (header.isPadded ? 1 : 0) }

    /// Bits per second.
    // Bounded: a frame of at most a few thousand bytes, and a rate of the standard.
    var bitRate: Int { frameSize * 8 * header.sampleRate / header.framesPerPacket }

    /// Returns whether frames of this size follow each other, up to the required number or the end.
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
