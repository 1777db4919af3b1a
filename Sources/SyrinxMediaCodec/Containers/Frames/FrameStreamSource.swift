internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// The packets of a stream of bare frames, which are counted, because they have no timestamps.
final class FrameStreamSource: PacketSource {
    /// The Xing header of an MP3.
    let xing: XingHeader?
    var index = PacketIndex()
    /// The samples of a variable bit rate, once a seek has needed them.
    var survey: BitRateSampler?
    private var lost: PacketLossEstimator
    /// The statements of the encoder about its delay.
    private let delay: EncoderDelay

    /// Packets between two estimates of the duration: 1.7 s of an MP3.
    private static let estimateInterval: Int64 = 64

    /// Reads the first packet.
    /// - Throws: `.corrupt` if there is no audio, or the stream's error.
    init(_ reader: LibavPacketReader) throws(SyrinxError) {
        let first = try reader.readFirst()
        let (format, parameters) = (reader.format, reader.format.stream.pointee.codecpar?.pointee)
        let soundEnd = format.soundEnd ?? format.bridge.stream.length
        let soundSize = soundEnd.map { $0.subtractingClamped(format.soundOffset) }
        xing = XingHeader(format.bridge.watched)?.inStream(of: soundSize)
        lost = PacketLossEstimator(parameters, frameSize: format.freeSplitter?.stream.frameSize)
        var statement = ContainerStatement()
        statement.delay = EncoderDelay(
            xing,
            ContainerStatement.gapless(format),
            isLayer3: parameters?.codec_id == AV_CODEC_ID_MP3 || parameters?.codec_id == AV_CODEC_ID_MP3ADU
        )
        if let xing, !xing.isConstant, let bytes = xing.byteCount, let packets = xing.packetCount, packets > 0 {
            statement.average = (bytes, packets)
        }
        delay = statement.delay
        try super.init(reader, first: first, statement)
    }

    override var traits: RecordingTraits {
        var traits = super.traits
        traits.isCutAtStatedEnd = delay.soundFrames != nil
        traits.statesLengthRoughly = xing != nil
        return traits
    }

    override var statedPacketCount: Int64? { xing?.packetCount }

    override func isShort(_ last: Int64, of stated: Int64) -> Bool {
        guard last < stated else { return false }
        guard let xing else { return true }
        // MP3 headers are often wrong by a frame or two; if all bytes exist, nothing is missing.
        if let size = stream.length, let bytes = xing.byteCount {
            return size < format.soundOffset.addingClamped(bytes)
        }
        return stated.subtractingClamped(last) > timing.framesPerPacket.multipliedClamped(by: 2)
    }

    // MARK: Reading

    override func read() throws(SyrinxError) -> MediaPacket? {
        let packet = try super.read()
        // At the end of a stream that was counted from its start, the length is known.
        if packet == nil, info.frameCount == nil, timing.method == .counted, timing.isExact, connectionCut == nil {
            setFrameCount(timing.heardCount(ofPackets: timing.nextPacket))
        }
        return packet
    }

    override func beginPlacing() -> (offset: Int64?, lostBefore: Int64) {
        let offset = reader.offset.map { $0.addingClamped(lost.lag) }
        let count = timing.isExact ? lost.takeMissing() : 0
        if count > 0 { timing.jump(toPacket: timing.nextPacket.addingClamped(count), exactly: true) }
        return (offset, count)
    }

    override func didPlace(_ packet: UnsafePointer<AVPacket>, _ place: PacketTimeline.Place, at offset: Int64?) {
        guard timing.method == .counted, timing.isExact, let offset else { return }
        let number = timing.nextPacket.subtractingClamped(1)
        noteSize(of: packet, number: number, at: offset)
        index.note(packet: number, at: offset)
        if info.frameCount == nil, number > 0, number % Self.estimateInterval == 0 { estimateDuration(number, offset) }
    }

    override func seek(toFrame frame: Int64) throws(SyrinxError) {
        guard timing.method == .counted else { return try super.seek(toFrame: frame) }
        try seekByCount(toFrame: clamped(frame))
    }

    override func breakOff() {
        super.breakOff()
        lost.breakOff()
    }

    /// Records the size of `packet`, which has been placed as number `number`.
    private func noteSize(of packet: UnsafePointer<AVPacket>, number: Int64, at offset: Int64) {
        let size = Int64(packet.pointee.size)
        let start = offset.subtractingClamped(firstOffset)
        let beyond = avio_tell(format.bridge.context).subtractingClamped(packet.pointee.pos).subtractingClamped(size)
        let bytes = UnsafeBufferPointer(start: packet.pointee.data, count: Int(size))
        let isAtHand = stream.isSeekable && !stream.isRemote
        lost.note(packet: number, start: start, size: size, beyond: beyond) { place in
            if place == start { return PacketLossEstimator.isTag(bytes) }
            return !isAtHand
                || PacketLossEstimator.isTag(format.bridge.peek(at: firstOffset.addingClamped(place), count: 8))
        }
    }

    // MARK: Length

    /// Estimates the duration of a stream that does not state it: its size divided by that of the packets so far.
    private func estimateDuration(_ number: Int64, _ offset: Int64) {
        guard survey == nil, let size = stream.length, offset > firstOffset else { return }
        let bytesPerPacket = Double(offset.subtractingClamped(firstOffset)) / Double(number)
        let packets = Double(max(size.subtractingClamped(firstOffset), 0)) / bytesPerPacket
        info.size = size
        noteEstimate(packets: packets)
    }

    /// Records the duration of `packets` packets as an estimate.
    func noteEstimate(packets: Double) {
        let seconds = packets * Double(timing.framesPerPacket) / Double(timing.sampleRate)
        info.duration = StatedLimits.plausible(seconds: seconds, sampleRate: info.sampleRate)
    }
}

extension EncoderDelay {
    /// Creates the delay of the Xing header or, if that states none, of the iTunes tag.
    fileprivate init(_ xing: XingHeader?, _ gapless: ITunesGapless?, isLayer3: Bool) {
        startSkip = xing?.startSkip ?? 0
        packetCount = xing?.packetCount
        endPadding = xing?.endPadding ?? 0
        guard startSkip == 0, let gapless else { return }
        // The tag does not count the delay of the decoder, which only layer 3 has.
        let decoderDelay = isLayer3 ? XingHeader.decoderDelay : 0
        startSkip = gapless.startSkip + decoderDelay
        soundFrames = gapless.frameCount
        endPadding = max(gapless.endPadding - decoderDelay, 0)
    }
}
