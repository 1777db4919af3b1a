internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// A packet source for WAVE files with a block codec, such as ADPCM or GSM, in which all blocks have the same size.
///
/// libavformat computes positions from the header's bytes per second, which are rounded.
final class WAVEBlockSource: PacketSource {
    private let blockSize: Int64
    private let framesPerBlock: Int64
    /// The file offset of the first block.
    private let origin: Int64

    /// - Parameter first: The first packet, which may contain several blocks.
    /// - Returns: `nil` if the codec does not use blocks of one size.
    static func open(
        _ reader: LibavPacketReader,
        _ first: UnsafePointer<AVPacket>?
    ) throws(SyrinxError) -> WAVEBlockSource? {
        guard let first, first.pointee.pos >= 0, let parameters = reader.format.stream.pointee.codecpar,
            parameters.pointee.block_align > 1,
            case let codec = String(cString: avcodec_get_name(parameters.pointee.codec_id)),
            codec.hasPrefix("adpcm_") || codec == "gsm_ms"
        else { return nil }
        let blockSize = Int64(parameters.pointee.block_align)
        let blocks = Int64(first.pointee.size) / blockSize
        let duration = first.pointee.duration
        guard blocks > 0, Int64(first.pointee.size) % blockSize == 0, duration > 0, duration % blocks == 0,
            case let base = reader.format.stream.pointee.time_base, base.num == 1,
            base.den == parameters.pointee.sample_rate
        else { return nil }
        return try WAVEBlockSource(reader, first, blockSize, duration / blocks)
    }

    private init(
        _ reader: LibavPacketReader,
        _ first: UnsafePointer<AVPacket>,
        _ blockSize: Int64,
        _ framesPerBlock: Int64
    ) throws(SyrinxError) {
        (self.blockSize, self.framesPerBlock, origin) = (blockSize, framesPerBlock, first.pointee.pos)
        try super.init(reader, first: first)
    }

    override func take() throws(SyrinxError) -> MediaPacket? {
        let packet = reader.packet
        if case let ahead = packet.pointee.pos.subtractingClamped(origin), ahead >= 0, ahead % blockSize == 0 {
            packet.pointee.pts = timing.origin.addingClamped((ahead / blockSize).multipliedClamped(by: framesPerBlock))
        }
        return try super.take()
    }

    override func go(toFrame frame: Int64) throws(SyrinxError) {
        let block = max(frame, 0) / framesPerBlock
        try jump(toOffset: origin.addingClamped(block.multipliedClamped(by: blockSize)))
        timing.breakOff()
        _ = try peek()
    }
}
