internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Finds out how many packets of a stream without timestamps are missing where its bytes are damaged.
///
/// What lies between two good frames libavformat passes on as a packet too large to be one (MP3), or drops without a word
/// (ADTS), after which its offsets lag behind. The mean size of the packets before tells how many there were.
struct PacketLossEstimator: Equatable {
    /// More bytes than the codec can put into one packet.
    private let largestPacket: Int64
    /// By so many bytes libavformat's offsets lag behind.
    private(set) var lag: Int64 = 0
    /// Packets that are missing before the next.
    private var missing: Int64 = 0
    /// The number of bytes that libavformat had read beyond the previous packet.
    private var ahead: Int64?
    /// Whether what libavformat had read to look at the stream is used up: from there on it reads no further ahead.
    private var isSettled = false
    /// Whether libavformat reads packet by packet, so that it shows what it drops.
    private let readsPackets: Bool

    /// The largest unit of a free-format frame: four times 4095 bits, and the data before them.
    private static let largestUnit = 2100
    /// Fewer packets than this tell no mean.
    private static let fewest: Int64 = 8

    private init(largestPacket: Int64, readsPackets: Bool = false) {
        self.largestPacket = largestPacket
        self.readsPackets = readsPackets
    }

    /// For a stream of this kind: a frame of MP3 has at most 1,441 bytes, one of AAC 768 for each channel.
    /// - Parameter frameSize: Bytes of a frame of a free bit rate, without padding.
    init(_ parameters: AVCodecParameters?, frameSize: Int? = nil) {
        if let frameSize {
            self.init(largestPacket: Int64(max(frameSize + 1, Self.largestUnit)))
            return
        }
        switch parameters?.codec_id {
        case AV_CODEC_ID_MP3: self.init(largestPacket: 1441)
        case AV_CODEC_ID_AAC:
            let channelCount = Int64(max(parameters?.ch_layout.nb_channels ?? 0, 1))
            self.init(largestPacket: 768 * channelCount + 7, readsPackets: true)
        default: self.init(largestPacket: .max)
        }
    }

    /// Takes note of packet `number`, which begins `start` bytes behind the first and has `size`.
    /// - Parameters:
    ///   - beyond: By so many bytes libavformat has read on behind it.
    ///   - isTag: Says of a place, in bytes behind the first packet, whether what begins there is a tag or unknown: then it
    ///     is no sound that was lost.
    mutating func note(packet number: Int64, start: Int64, size: Int64, beyond: Int64, isTag: (Int64) -> Bool) {
        if size > largestPacket, !isTag(start) {
            // It has been counted as one.
            missing = missing.addingClamped(max(count(in: size, after: number, of: start) - 1, 0))
        }
        guard readsPackets else { return }
        defer { ahead = beyond }
        guard let ahead, beyond != ahead else {
            isSettled = ahead != nil
            return
        }
        isSettled = isSettled || beyond > ahead
        guard isSettled else { return }
        let (end, dropped) = (start.addingClamped(size), beyond.subtractingClamped(ahead))
        if !isTag(end) { missing = missing.addingClamped(count(in: dropped, after: number.addingClamped(1), of: end)) }
        lag = lag.addingClamped(dropped)
    }

    /// Returns the number of packets missing before the next one, and resets it.
    ///
    /// What it held back for a while, as if it were dropped, makes the next gap shorter.
    mutating func takeMissing() -> Int64 {
        guard missing > 0 else { return 0 }
        defer { missing = 0 }
        return missing
    }

    /// Records that the next packet does not follow the last one, and that its offset is right.
    mutating func breakOff() {
        self = PacketLossEstimator(largestPacket: largestPacket, readsPackets: readsPackets)
    }

    private func count(in bytes: Int64, after packets: Int64, of total: Int64) -> Int64 {
        guard packets >= Self.fewest, total > 0 else { return 0 }
        return Int64(clamped: (Double(bytes) * Double(packets) / Double(total)).rounded())
    }

    /// Whether what begins with these bytes is a tag.
    static func isTag(_ bytes: some Sequence<UInt8>) -> Bool {
        [Array("ID3".utf8), Array("TAG".utf8), Array("APETAGEX".utf8)].contains { bytes.starts(with: $0) }
    }
}
