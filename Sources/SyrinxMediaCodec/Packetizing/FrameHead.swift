/// The streams of frames with nothing around them, each of which says how long it is.
package enum FrameSyntax: Sendable {
    /// MPEG audio of layers 1 to 3.
    case mpeg
    /// AAC with the heads of ADTS (ISO/IEC 13818-7).
    case adts
    /// AC-3 (ATSC A/52).
    case ac3
    /// AAC in LATM with the heads of LOAS (ISO/IEC 14496-3).
    case loas

    /// The bytes of a head that tell how long its frame is.
    var headSize: Int {
        switch self {
        case .mpeg: 4
        case .adts: 7
        case .ac3: 6
        case .loas: 3
        }
    }

    /// The head that `bytes` begin with.
    func head(_ bytes: ArraySlice<UInt8>) -> FrameHead? {
        guard bytes.count >= headSize else { return nil }
        switch self {
        case .mpeg: return Self.mpegHead(bytes)
        case .adts: return Self.adtsHead(bytes)
        case .ac3: return Self.ac3Head(bytes)
        case .loas: return Self.loasHead(bytes)
        }
    }

    private static func mpegHead(_ bytes: ArraySlice<UInt8>) -> FrameHead? {
        guard let frame = MPEGFrameHeader(bytes), frame.byteCount > 4 else { return nil }
        let start = bytes.startIndex
        // Version, layer and sample rate stay; bit rate, padding and mode change from frame to frame.
        let kind = UInt32(bytes[start + 1] & 0x1E) << 8 | UInt32(bytes[start + 2] & 0x0C)
        return FrameHead(byteCount: frame.byteCount, kind: kind)
    }

    private static func adtsHead(_ bytes: ArraySlice<UInt8>) -> FrameHead? {
        guard let size = FormatProbe.adtsLength(Array(bytes.prefix(7))) else { return nil }
        let start = bytes.startIndex
        // The version and the sample rate stay.
        let kind = UInt32(bytes[start + 1] & 0x08) << 8 | UInt32(bytes[start + 2] & 0x3C)
        return FrameHead(byteCount: size, kind: kind)
    }

    /// Kilobits per second (ATSC A/52, table 5.18).
    private static let ac3BitRates = [
        32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
    ]

    private static func ac3Head(_ bytes: ArraySlice<UInt8>) -> FrameHead? {
        let start = bytes.startIndex
        let (rate, size) = (Int(bytes[start + 4] >> 6), Int(bytes[start + 4] & 0x3F))
        let version = bytes[start + 5] >> 3
        // From 11 on it is E-AC-3, where several frames may make a packet.
        guard bytes[start] == 0x0B, bytes[start + 1] == 0x77, rate < 3, size < 2 * ac3BitRates.count, version <= 10
        else { return nil }
        let bitRate = ac3BitRates[size / 2]
        // 1,536 frames in words of 16 bits; at 44.1 kHz the odd sizes have one more.
        // Bounded: a rate of the table, at most 640.
        let words = [bitRate * 2, bitRate * 320 / 147 + size % 2, bitRate * 3][rate]
        // Bounded: at most 1,920 words.
        return FrameHead(byteCount: 2 * words, kind: UInt32(rate) << 8 | UInt32(version))
    }

    private static func loasHead(_ bytes: ArraySlice<UInt8>) -> FrameHead? {
        let start = bytes.startIndex
        guard bytes[start] == 0x56, bytes[start + 1] & 0xE0 == 0xE0 else { return nil }
        let size = Int(bytes[start + 1] & 0x1F) << 8 | Int(bytes[start + 2])
        // Bounded: the size has 13 bits.
        return size > 0 ? FrameHead(byteCount: size + 3, kind: 0) : nil
    }
}

/// The head of a frame, as far as it matters for finding the next one.
struct FrameHead: Equatable {
    /// The bytes of the frame, with its head: more than the head has.
    let byteCount: Int
    /// The fields that are the same in all frames of a stream.
    let kind: UInt32
}
