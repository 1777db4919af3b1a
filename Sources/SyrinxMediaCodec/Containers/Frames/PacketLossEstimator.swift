internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Estimates the number of missing packets of a damaged stream without timestamps.
///
/// libavformat returns the bytes between two valid frames as one oversized packet (MP3), or drops them silently (ADTS),
/// after which its offsets lag behind. The number of missing packets is computed from the mean packet size.
struct PacketLossEstimator: Equatable {
    /// The maximum packet size of the codec in bytes.
    private let largestPacket: Int64
    /// The number of bytes by which libavformat's offsets lag behind.
    private(set) var lag: Int64 = 0
    /// Packets that are missing before the next.
    private var missing: Int64 = 0
    /// The number of bytes that libavformat had read beyond the previous packet.
    private var ahead: Int64?
    /// Whether libavformat's initial lookahead is used up: from then on, it does not read ahead.
    private var isSettled = false
    /// Whether libavformat reads packet by packet, so that dropped bytes are visible.
    private let readsPackets: Bool

    /// The largest unit of a free-format frame: four times 4095 bits, and the data before them.
    private static let largestUnit = 2100
    /// The minimum number of packets for a mean.
    private static let fewest: Int64 = 8

    private init(largestPacket: Int64, readsPackets: Bool = false) {
        self.largestPacket = largestPacket
        self.readsPackets = readsPackets
    }

    /// Creates an estimator: an MP3 frame has at most 1,441 bytes, an AAC frame 768 for each channel.
    /// - Parameter frameSize: The size in bytes of a free-format frame without padding.
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

    /// Notes packet `number`, which starts `start` bytes after the first one and has `size` bytes.
    /// - Parameters:
    ///   - beyond: The number of bytes that libavformat has read after the packet.
    ///   - isTag: Returns whether a tag or unknown bytes start at a position, in bytes after the first packet; then no
    ///     audio was lost there.
    mutating func note(packet number: Int64, start: Int64, size: Int64, beyond: Int64, isTag: (Int64) -> Bool) {
        if size > largestPacket, !isTag(start) {
            // The oversized packet itself was counted as one.
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
    /// Bytes that were held back temporarily, as if they were dropped, shorten the next gap.
    mutating func takeMissing() -> Int64 {
        guard missing > 0 else { return 0 }
        defer { missing = 0 }
        return missing
    }

    /// Notes a discontinuity before the next packet, whose offset is correct.
    mutating func breakOff() {
        self = PacketLossEstimator(largestPacket: largestPacket, readsPackets: readsPackets)
    }

    private func count(in bytes: Int64, after packets: Int64, of total: Int64) -> Int64 {
        guard packets >= Self.fewest, total > 0 else { return 0 }
        return Int64(clamped: (Double(bytes) * Double(packets) / Double(total)).rounded())
    }

    /// Returns whether these bytes are the start of a tag.
    static func isTag(_ bytes: some Sequence<UInt8>) -> Bool {
        [Array("ID3".utf8), Array("TAG".utf8), Array("APETAGEX".utf8)].contains { bytes.starts(with: $0) }
    }
}
