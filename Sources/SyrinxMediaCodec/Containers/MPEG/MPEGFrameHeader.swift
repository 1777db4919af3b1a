/// The four header bytes of an MPEG audio frame (ISO/IEC 11172-3 and 13818-3).
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
        // Version 1 and layer 0 are reserved; a bit rate of 0 is "free format".
        guard version != 1, layerCode != 0, rateIndex != 0, rateIndex != 15, frequency != 3 else { return nil }
        isVersion1 = version == 3
        layer = 4 - layerCode
        sampleRate = [44100, 48000, 32000][frequency] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
        bitRate = Self.bitRates(isVersion1: isVersion1, layer: layer)[rateIndex - 1] * 1000
        isMono = bytes[start + 3] >> 6 == 3
        isPadded = three & 2 != 0
    }

    /// The number of audio frames in one frame of the stream.
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
