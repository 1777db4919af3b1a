internal import ByteStream

/// The four bytes that begin each frame of MPEG audio (ISO/IEC 11172-3 and 13818-3).
struct MPEGFrameHeader: Equatable {
    let isVersion1: Bool
    let layer: Int
    let bitRate: Int
    let sampleRate: Int
    let isMono: Bool
    private let isPadded: Bool

    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 4 else { return nil }
        let start = bytes.startIndex
        let two = bytes[start + 1]
        let three = bytes[start + 2]
        guard bytes[start] == 0xFF, two & 0xE0 == 0xE0 else { return nil }
        let version = Int(two >> 3 & 3)
        let layerCode = Int(two >> 1 & 3)
        let rateIndex = Int(three >> 4)
        let frequency = Int(three >> 2 & 3)
        // Version 1 and layer 0 are reserved; a bit rate of 0 is "free format", which nothing makes.
        guard version != 1, layerCode != 0, rateIndex != 0, rateIndex != 15, frequency != 3 else { return nil }
        isVersion1 = version == 3
        layer = 4 - layerCode
        sampleRate = [44100, 48000, 32000][frequency] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
        bitRate = Self.bitRates(isVersion1: isVersion1, layer: layer)[rateIndex - 1] * 1000
        isMono = bytes[start + 3] >> 6 == 3
        isPadded = three & 2 != 0
    }

    /// Frames of sound in one frame of the stream.
    var framesPerPacket: Int { layer == 1 ? 384 : layer == 3 && !isVersion1 ? 576 : 1152 }

    /// Bytes of a frame on average: the padding makes up for the fraction.
    var bytesPerPacket: Double { Double(framesPerPacket) / 8 * Double(bitRate) / Double(sampleRate) }

    /// Bytes of this very frame.
    var byteCount: Int {
        let slot = layer == 1 ? 4 : 1
        // Bounded: rates of the tables of the standard.
        return (framesPerPacket / 8 / slot * bitRate / sampleRate + (isPadded ? 1 : 0)) * slot
    }

    private static func bitRates(isVersion1: Bool, layer: Int) -> [Int] {
        switch (isVersion1, layer) {
        case (true, 1): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
        case (true, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
        case (true, _): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
        case (false, 1): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
        default: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
        }
    }
}

/// An encoder's note in the first frame of an MP3: its length, and how much of it is delay and padding.
///
/// The frame is silent and carries a tag `Xing` (variable bit rate) or `Info` (constant), and behind it what LAME adds; or
/// a tag `VBRI`, by Fraunhofer's encoders.
struct XingHeader: Equatable {
    let frame: MPEGFrameHeader
    /// Whether the bit rate is the same throughout.
    let isConstant: Bool
    /// MPEG frames, without this one.
    private(set) var packetCount: Int64?
    /// Bytes from the start of this frame to the end of the last.
    private(set) var byteCount: Int64?
    /// The position of each hundredth of the time, in 256ths of the bytes.
    private(set) var table: [UInt8]?
    /// Frames of sound to drop at the start, decoder's delay included; 0 if nothing is said.
    let startSkip: Int64
    /// Frames of sound to drop at the end, less the decoder's delay.
    private(set) var endPadding: Int64

    /// A decoder of layer 3 is this much late: 528 frames of its filters, and one.
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
        // Without either, it is not told from a frame of music.
        guard packetCount ?? 0 > 0 || byteCount ?? 0 > 0 else { return nil }
        self.frame = frame
        // Only these encoders are known to fill in what follows.
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

    /// The header as it counts for a stream of `size` bytes: of one made of several recordings it is that of the first.
    func inStream(of size: Int64?) -> XingHeader {
        // As libavformat has it: a sixteenth more is no tag.
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
