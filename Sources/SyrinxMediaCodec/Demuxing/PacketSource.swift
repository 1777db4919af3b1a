internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Splits one recording into packets with libavformat, and finds the packet that contains a frame.
///
/// For containers in which libavformat does not determine packet positions exactly, there are subclasses, which
/// `Container.makeSource` creates. Not thread-safe.
class PacketSource {
    let reader: LibavPacketReader
    /// The relation of the packets to the frames of the recording.
    final var timing: PacketTimeline
    /// The description of the recording, which may become more exact while packets are read.
    final var info: MediaInfo
    /// The packet that was read ahead and not yet returned.
    final var pending: MediaPacket?
    /// The start of the first packet, in frames; negative if it contains the encoder delay.
    final private(set) var firstStart: Int64 = 0
    /// The offset of the first packet in the file.
    final private(set) var firstOffset: Int64 = 0
    /// libavformat's offsets of the last two packets; −1 for none.
    final var lastOffsets: (Int64, Int64) = (-1, -1)
    /// Whether reading continues with the next recording of the file if its codec differs.
    final var readsOnIntoOtherCodecs = true

    /// Opens a recording.
    /// - Throws: The errors of `MediaDemuxer.open`.
    static func open(
        _ stream: any ByteStream,
        raw: RawSamples? = nil,
        choosing choice: SoundTrackChoice? = nil
    ) throws(SyrinxError) -> PacketSource {
        let reader = try LibavPacketReader(stream: stream, raw: raw, choosing: choice)
        return try reader.format.container.makeSource(reader)
    }

    /// Describes the recording by its first packet.
    /// - Parameters:
    ///   - first: The first packet, which `reader` has just read; `nil` if there is none.
    ///   - statement: The container's statements.
    /// - Throws: `.corrupt` if there is no audio.
    init(
        _ reader: LibavPacketReader,
        first: UnsafePointer<AVPacket>?,
        _ statement: ContainerStatement = ContainerStatement()
    ) throws(SyrinxError) {
        self.reader = reader
        let format = reader.format
        guard
            let timing = PacketTimelineBuilder(format: format, first: first, statement: statement).build(),
            first != nil || timing.method != .counted,
            let info = MediaInfoBuilder(format: format, timing: timing, statement: statement).build()
        else { throw SyrinxError(.corrupt, "It contains no audio frames.", name: format.name) }
        _ = format.takeStreamTags()
        self.timing = timing
        self.info = info
        pending = try takeFirst()
        firstStart = pending?.startFrame ?? 0
        firstOffset = pending?.byteOffset ?? format.soundOffset
    }

    // MARK: Points that a container changes

    /// The codec parameters of the next packets; in joined recordings they differ from the first.
    var parameters: UnsafeMutablePointer<AVCodecParameters>? { firstParameters }
    /// The error of the last read, if the stream failed.
    var failure: SyrinxError? { format.bridge.failure }
    /// The tags of the recording that is read.
    var tags: [String: String] { info.tags }

    /// The properties that determine seeking, the meaning of gaps, and the end of the recording.
    var traits: RecordingTraits {
        let isCountedFromStart = timing.method == .missing || timing.method == .rounded && !stream.isRemote
        let isCutAtStatedEnd =
            switch info.format.statedEnd {
            case .isNoBound: false
            case .isBound: true
            case .isBoundOfCompressed: !info.codec.hasPrefix("pcm_")
            }
        return RecordingTraits(
            seeking: !stream.isSeekable ? .byReading : isCountedFromStart ? .byCountingFromStart : .byPackets,
            statesEveryGap: timing.method != .counted && info.format.statesEveryGap,
            isCutAtStatedEnd: isCutAtStatedEnd
        )
    }

    /// Whether the container has ended with the last byte read.
    var hasReadItsEnd: Bool { false }
    /// Whether the bytes end before the container does, for containers that do not state their length.
    var isCutOff: Bool { false }
    /// Whether the last two packets are adjacent in the file, so that a gap between their timestamps is intended.
    var lastPacketsFollow: Bool { false }
    /// Whether data that end at frame `last` are shorter than the `stated` number of frames.
    func isShort(_ last: Int64, of stated: Int64) -> Bool { last < stated }
    /// Whether a frame belongs to the damaged start of the current recording.
    func isInMissingStart(_ frame: Int64) -> Bool { false }
    /// The number of frames that the recording should have, used to detect missing frames.
    var statedFrameCount: Int64? { info.frameCount }
    /// Returns and clears the missing audio after the last packet.
    func takeMissingEnd() -> MissingAudio { MissingAudio() }
    /// Returns a clock for the next of the joined recordings; `nil` if its positions are unreliable.
    /// - Parameter longestGap: The largest plausible difference, in frames, between a position and the expected one.
    func makeClock(longestGap: Int64) -> (any RecordingClock)? { nil }
    /// The file positions of all packets, in order; `nil` if the header does not state them.
    var packetTable: [TableCutter.Entry]? { nil }
    /// The number of packets, if the encoder states it; otherwise `nil`.
    var statedPacketCount: Int64? { nil }

    /// Returns the next audio packet, or `nil` at the end.
    func nextPacket() throws(SyrinxError) -> MediaPacket? {
        guard let packet = try peek() else { return nil }
        pending = nil
        return packet
    }

    /// Returns the next packet after `pending`.
    func read() throws(SyrinxError) -> MediaPacket? {
        guard try reader.next() else { return nil }
        return try take()
    }

    /// Returns the first packet, which `reader` has already read.
    func takeFirst() throws(SyrinxError) -> MediaPacket? { try take() }

    /// Returns the packet that `reader` has read.
    func take() throws(SyrinxError) -> MediaPacket? {
        let packet = reader.packet
        guard packet.pointee.size > 0 else { return nil }
        // The tags that accompany the first packet are those of the recording.
        let tags = lastOffsets.1 >= 0 ? PacketTags.beside(packet) : nil
        lastOffsets = (lastOffsets.1, packet.pointee.pos)
        let (offset, lostBefore) = beginPlacing()
        let place = timing.place(
            timestamp: reader.timestamp,
            duration: packet.pointee.duration,
            endTrim: Int64(PacketTrim.of(packet).end)
        )
        didPlace(packet, place, at: offset)
        return MediaPacket(
            box: try reader.takePacket(),
            startFrame: place.start,
            frameCount: place.frameCount.map { Int(clamping: $0) },
            byteOffset: offset,
            endTrim: Int(clamping: place.endTrim),
            startTrim: 0,
            lostBefore: Int(clamping: lostBefore),
            lostFrames: 0,
            endPosition: nil,
            beginsRecording: false,
            tags: tags
        )
    }

    /// Returns the file offset of the packet in `reader`, and the number of packets missing before it.
    func beginPlacing() -> (offset: Int64?, lostBefore: Int64) { (reader.offset, 0) }

    /// Called after `packet` was placed on the timeline.
    func didPlace(_ packet: UnsafePointer<AVPacket>, _ place: PacketTimeline.Place, at offset: Int64?) {}

    /// Seeks to a packet from which the frame can be decoded.
    func seek(toFrame frame: Int64) throws(SyrinxError) {
        let target = clamped(frame)
        _ = try clearFailure()
        guard stream.isSeekable else { return try readOn(toFrame: target) }
        try go(toFrame: start(forFrame: target))
    }

    /// Seeks to the packet that contains `frame`, or to one before it.
    func go(toFrame frame: Int64) throws(SyrinxError) { try seekByTimestamp(to: frame) }

    /// Reopens a stream that is not seekable but may still have its start, and drops packets up to the first required
    /// one.
    /// - Returns: Whether packets state their positions; if not, the next packet is the first, and starts at frame 0.
    /// - Throws: `.notSeekable` if the start of the stream is no longer available.
    func readAnew(toFrame frame: Int64) throws(SyrinxError) -> Bool { try readFromStart(toFrame: frame) ?? true }

    /// Records that the next packet is not adjacent to the last one, for example after a seek.
    func breakOff() {
        pending = nil
        format.breakOff()
        lastOffsets = (-1, -1)
    }

    /// Reopens the stream at its start.
    func reopen() throws(SyrinxError) {
        try reader.reopen()
        timing.breakOff()
        breakOff()
    }
}

extension PacketSource {
    var format: LibavContext { reader.format }
    /// The byte stream that is read.
    var stream: any ByteStream { reader.format.bridge.stream }
    /// The codec parameters of the first packets.
    var firstParameters: UnsafeMutablePointer<AVCodecParameters>? { format.stream.pointee.codecpar }
    /// The error that ended a stream of unknown length; the bytes may nevertheless be complete.
    var connectionCut: SyrinxError? { format.bridge.cut }

    /// The first decoded frame if frames are counted; negative if there is an encoder delay.
    var countedStart: Int64 { timing.method == .rounded ? Int64(0).subtractingClamped(timing.startSkip) : 0 }

    /// Records the number of frames, once all packets have been read.
    func setFrameCount(_ count: Int64) {
        guard let count = StatedLimits.plausible(count) else { return }
        info.frameCount = count
        info.duration = Double(count) / info.sampleRate
        info.durationIsExact = true
        info.size = info.size ?? stream.length
    }

    /// Records the codec profile that the decoder found in the first packets.
    ///
    /// HE-AAC without explicit signaling is detected only by the decoder, and libavformat 61 (FFmpeg 7) does not adopt
    /// its result.
    func setProfile(_ profile: Int32) {
        guard let parameters = firstParameters, parameters.pointee.profile != profile,
            let name = avcodec_profile_name(parameters.pointee.codec_id, profile)
        else { return }
        parameters.pointee.profile = profile
        info.profile = String(cString: name)
        info.streamDescription = StreamDescription.of(parameters, framesPerPacket: timing.framesPerPacket)
    }

    // MARK: Looking ahead

    /// Returns the next packet without consuming it.
    func peek() throws(SyrinxError) -> MediaPacket? {
        if pending == nil { pending = try read() }
        return pending
    }

    /// Returns the next packet with a known position without consuming it; a container may not state every position.
    func peekPlaced() throws(SyrinxError) -> MediaPacket? {
        while let packet = try peek() {
            if packet.startFrame != nil { return packet }
            pending = nil
        }
        return nil
    }
}
