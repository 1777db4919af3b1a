internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Splits one recording into packets through libavformat, and finds the packet that holds a frame.
///
/// A container that libavformat does not place exactly has a subclass in its folder, and describes it in
/// `Container.makeSource`. One thread at a time.
class PacketSource {
    let reader: LibavPacketReader
    /// The relation of the packets to the frames of the recording.
    final var timing: PacketTimeline
    /// The description of the recording, which may become better as packets pass.
    final var info: MediaInfo
    /// The packet that has been read, but not yet returned.
    final var pending: MediaPacket?
    /// The start of the first packet; negative if the encoder's delay lies before frame 0.
    final private(set) var firstStart: Int64 = 0
    /// The offset of the first packet in the file.
    final private(set) var firstOffset: Int64 = 0
    /// The offsets of the last two packets according to libavformat; -1 for none.
    final var lastOffsets: (Int64, Int64) = (-1, -1)
    /// Whether the recording that follows in the file is read too if its codec is another.
    final var readsOnIntoOtherCodecs = true

    /// Opens a recording.
    /// - Throws: What `MediaDemuxer.open` does.
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
    /// - Throws: `.corrupt` if there is no sound.
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
        else { throw SyrinxError(.corrupt, "There is not one frame of sound in it.", name: format.name) }
        _ = format.takeStreamTags()
        self.timing = timing
        self.info = info
        pending = try takeFirst()
        firstStart = pending?.startFrame ?? 0
        firstOffset = pending?.byteOffset ?? format.soundOffset
    }

    // MARK: Points that a container changes

    /// The codec parameters of the next packets, which differ from the first if recordings are joined.
    var parameters: UnsafeMutablePointer<AVCodecParameters>? { firstParameters }
    /// The reason why the last read failed, if the stream failed.
    var failure: SyrinxError? { format.bridge.failure }
    /// The tags of the recording that is read.
    var tags: [String: String] { info.tags }

    /// The properties that decide how a reader seeks, what a gap means, and where the recording ends.
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

    /// Whether the last byte read ends the container, according to the container.
    var hasReadItsEnd: Bool { false }
    /// Whether the bytes end before the container does, if it does not state how much sound it has.
    var isCutOff: Bool { false }
    /// Whether the last packet follows the one before it in the file, so that a gap between them in time is intended.
    var lastPacketsFollow: Bool { false }
    /// Whether data that end at frame `last` lack some of the `stated` frames.
    func isShort(_ last: Int64, of stated: Int64) -> Bool { last < stated }
    /// Whether a frame was in the damaged start of the recording that is read.
    func isInMissingStart(_ frame: Int64) -> Bool { false }
    /// The frames that the recording should have, by which a reader knows that some are missing.
    var statedFrameCount: Int64? { info.frameCount }
    /// Returns the sound missing after the last packet, and resets it.
    func takeMissingEnd() -> MissingAudio { MissingAudio() }
    /// Returns a clock for the next of the joined recordings; `nil` if its positions cannot be relied upon.
    /// - Parameter longestGap: Positions that are further apart from what was returned are wrong.
    func makeClock(longestGap: Int64) -> (any RecordingClock)? { nil }
    /// The place of every packet, in order; `nil` if the header does not state them.
    var packetTable: [TableCutter.Entry]? { nil }
    /// The number of packets, if the encoder states it.
    var statedPacketCount: Int64? { nil }

    /// Returns the next packet of sound, or `nil` at the end.
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

    /// Makes a `MediaPacket` of the first packet, which is in `reader`.
    func takeFirst() throws(SyrinxError) -> MediaPacket? { try take() }

    /// Makes a `MediaPacket` of the packet in `reader`.
    func take() throws(SyrinxError) -> MediaPacket? {
        let packet = reader.packet
        guard packet.pointee.size > 0 else { return nil }
        // The tags beside the first packet are those of the recording.
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

    /// Returns the offset of the packet in `reader`, and the number of packets that are missing before it.
    func beginPlacing() -> (offset: Int64?, lostBefore: Int64) { (reader.offset, 0) }

    /// Records that `packet` has been placed.
    func didPlace(_ packet: UnsafePointer<AVPacket>, _ place: PacketTimeline.Place, at offset: Int64?) {}

    /// Continues at a packet from which the sound at `frame` can be decoded.
    func seek(toFrame frame: Int64) throws(SyrinxError) {
        let target = clamped(frame)
        _ = try clearFailure()
        guard stream.isSeekable else { return try readOn(toFrame: target) }
        try go(toFrame: start(forFrame: target))
    }

    /// Continues at the packet that holds `frame`, or before it.
    func go(toFrame frame: Int64) throws(SyrinxError) { try seekByTimestamp(to: frame) }

    /// Begins again at the start of a stream without ranges that may still hold its start, and drops packets up to the first that
    /// `frame` needs.
    /// - Returns: Whether packets state where they begin; if not, the next one is the first, and begins at frame 0.
    /// - Throws: `.notSeekable` if the stream does not hold its start.
    func readAnew(toFrame frame: Int64) throws(SyrinxError) -> Bool { try readFromStart(toFrame: frame) ?? true }

    /// Records that the next packet does not follow the last one, as after a seek.
    func breakOff() {
        pending = nil
        format.breakOff()
        lastOffsets = (-1, -1)
    }

    /// Begins again at the start of the stream.
    func reopen() throws(SyrinxError) {
        try reader.reopen()
        timing.breakOff()
        breakOff()
    }
}

extension PacketSource {
    var format: LibavContext { reader.format }
    /// The stream that the packets come from.
    var stream: any ByteStream { reader.format.bridge.stream }
    /// The codec parameters of the first packets.
    var firstParameters: UnsafeMutablePointer<AVCodecParameters>? { format.stream.pointee.codecpar }
    /// The error that the bytes ended with, if their number was unknown: they may be complete.
    var connectionCut: SyrinxError? { format.bridge.cut }

    /// The frame that decoding from the start begins with, where frames are counted: the delay lies before frame 0.
    var countedStart: Int64 { timing.method == .rounded ? Int64(0).subtractingClamped(timing.startSkip) : 0 }

    /// Records the number of frames, once all have been seen.
    func setFrameCount(_ count: Int64) {
        guard let count = StatedLimits.plausible(count) else { return }
        info.frameCount = count
        info.duration = Double(count) / info.sampleRate
        info.durationIsExact = true
        info.size = info.size ?? stream.length
    }

    /// Records the profile that the decoder has found in the first packets.
    ///
    /// HE-AAC without signalling is stated nowhere else; libavformat 61 (FFmpeg 7) does not take it over from its decoder.
    func setProfile(_ profile: Int32) {
        guard let parameters = firstParameters, parameters.pointee.profile != profile,
            let name = avcodec_profile_name(parameters.pointee.codec_id, profile)
        else { return }
        parameters.pointee.profile = profile
        info.profile = String(cString: name)
        info.streamDescription = StreamDescription.of(parameters, framesPerPacket: timing.framesPerPacket)
    }

    // MARK: Looking ahead

    /// Returns the next packet, which stays the next one.
    func peek() throws(SyrinxError) -> MediaPacket? {
        if pending == nil { pending = try read() }
        return pending
    }

    /// Returns the next packet whose time is known; a container may not state the time of each.
    func peekPlaced() throws(SyrinxError) -> MediaPacket? {
        while let packet = try peek() {
            if packet.startFrame != nil { return packet }
            pending = nil
        }
        return nil
    }
}
