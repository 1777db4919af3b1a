/// The stream formats that consist only of frames, each of which states its length.
package enum FrameSyntax: Sendable {
    /// MPEG audio of layers 1 to 3.
    case mpeg
    /// AAC with ADTS headers (ISO/IEC 13818-7).
    case adts
    /// AC-3 (ATSC A/52).
    case ac3
    /// AAC in LATM with LOAS headers (ISO/IEC 14496-3).
    case loas

    /// The number of header bytes that determine the length of a frame.
    var headSize: Int {
        switch self {
        case .mpeg: 4
        case .adts: 7
        case .ac3: 6
        case .loas: 3
        }
    }

    /// Returns the header at the start of `bytes`; `nil` if there is none.
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
        // Version, layer and sample rate are constant in a stream; bit rate, padding and mode can change with every
        // frame.
        let kind = UInt32(bytes[start + 1] & 0x1E) << 8 | UInt32(bytes[start + 2] & 0x0C)
        return FrameHead(byteCount: frame.byteCount, kind: kind)
    }

    private static func adtsHead(_ bytes: ArraySlice<UInt8>) -> FrameHead? {
        guard let size = FormatProbe.adtsLength(Array(bytes.prefix(7))) else { return nil }
        let start = bytes.startIndex
        // The version and the sample rate are constant in a stream.
        let kind = UInt32(bytes[start + 1] & 0x08) << 8 | UInt32(bytes[start + 2] & 0x3C)
        return FrameHead(byteCount: size, kind: kind)
    }

    /// The bit rates in kbit/s (ATSC A/52, table 5.18).
    private static let ac3BitRates = [
        32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
    ]

    private static func ac3Head(_ bytes: ArraySlice<UInt8>) -> FrameHead? {
        let start = bytes.startIndex
        let (rate, size) = (Int(bytes[start + 4] >> 6), Int(bytes[start + 4] & 0x3F))
        let version = bytes[start + 5] >> 3
        // Versions from 11 are E-AC-3, in which a packet may consist of several frames.
        guard bytes[start] == 0x0B, bytes[start + 1] == 0x77, rate < 3, size < 2 * ac3BitRates.count, version <= 10
        else { return nil }
        let bitRate = ac3BitRates[size / 2]
        // A frame has 1,536 samples, and its size is in 16-bit words; at 44.1 kHz odd codes have one more word.
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

/// The fields of a frame header that are needed to find the next frame.
struct FrameHead: Equatable {
    /// The size of the frame including its header, in bytes; larger than the header.
    let byteCount: Int
    /// The header fields that are equal in all frames of a stream.
    let kind: UInt32
}
