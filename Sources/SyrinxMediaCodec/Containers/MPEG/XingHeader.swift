internal import SyrinxByteStream

/// The encoder's header in the first frame of an MP3: its length, encoder delay and padding.
///
/// The frame is silent and contains a tag `Xing` (variable bit rate) or `Info` (constant bit rate) with LAME's
/// additions, or a tag `VBRI` of Fraunhofer's encoders.
struct XingHeader: Equatable {
    let frame: MPEGFrameHeader
    /// Whether the bit rate is the same throughout.
    let isConstant: Bool
    /// The number of MPEG frames, without this one.
    private(set) var packetCount: Int64?
    /// Bytes from the start of this frame to the end of the last.
    private(set) var byteCount: Int64?
    /// The position of each hundredth of the time, in 256ths of the bytes.
    private(set) var table: [UInt8]?
    /// The number of audio frames to drop at the start, including the decoder delay; 0 if not stated.
    let startSkip: Int64
    /// The number of audio frames to drop at the end, minus the decoder delay.
    private(set) var endPadding: Int64

    /// The delay of a layer 3 decoder: 528 frames of its filters, and one.
    static let decoderDelay: Int64 = 529

    /// Reads the header from the first frame of the stream.
    init?(_ bytes: [UInt8]) {
        guard let frame = MPEGFrameHeader(bytes[...]), frame.layer == 3 else { return nil }
        if let vbri = VBRIHeader(bytes) {
            self.frame = frame
            isConstant = false
            packetCount = vbri.packetCount
            byteCount = vbri.byteCount
            table = vbri.table
            startSkip = 0
            endPadding = 0
            return
        }
        let sideInfo = frame.isVersion1 ? (frame.isMono ? 17 : 32) : (frame.isMono ? 9 : 17)
        var reader = Reader(bytes: bytes, position: 4 + sideInfo)
        guard let tag = reader.take(4) else { return nil }
        isConstant = tag.elementsEqual("Info".utf8)
        guard isConstant || tag.elementsEqual("Xing".utf8), let flags = reader.number(4) else { return nil }
        packetCount = flags & 1 != 0 ? reader.number(4) : nil
        byteCount = flags & 2 != 0 ? reader.number(4) : nil
        table = flags & 4 != 0 ? reader.take(100).map(Array.init) : nil
        if flags & 8 != 0 { _ = reader.take(4) }
        // Without either, it cannot be distinguished from a frame of music.
        guard packetCount ?? 0 > 0 || byteCount ?? 0 > 0 else { return nil }
        self.frame = frame
        // Only these encoders are known to write the following fields.
        let encoder = reader.take(4).map { String(decoding: $0, as: UTF8.self) } ?? ""
        _ = reader.take(17)
        if ["LAME", "Lavf", "Lavc"].contains(encoder), let delays = reader.number(3) {
            startSkip = delays >> 12 + Self.decoderDelay
            endPadding = max(delays & 0xFFF - Self.decoderDelay, 0)
        } else {
            startSkip = 0
            endPadding = 0
        }
    }

    /// Returns the header as it applies to a stream of `size` bytes; in concatenated recordings, it describes the first
    /// only.
    func inStream(of size: Int64?) -> XingHeader {
        // As in libavformat, the header is ignored if the stream is larger by more than a sixteenth.
        guard let size, let byteCount, size.subtractingClamped(byteCount) > byteCount / 16 else { return self }
        var header = self
        header.packetCount = nil
        header.byteCount = nil
        header.table = nil
        header.endPadding = 0
        return header
    }

    struct Reader {
        let bytes: [UInt8]
        var position: Int

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard position + count <= bytes.count else { return nil }
            defer { position += count }
            return bytes[position..<position + count]
        }

        mutating func number(_ count: Int) -> Int64? {
            take(count)?.reduce(0) { $0 << 8 | Int64($1) }
        }
    }
}
