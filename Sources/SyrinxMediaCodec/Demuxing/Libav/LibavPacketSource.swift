internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// The packets of all containers that libavformat takes apart without help, and of bare streams of frames.
final class LibavPacketSource: LibavBackedSource {
    let reader: LibavPacketReader
    let metadata: ContainerMetadata
    var timing: PacketTimeline
    var info: MediaInfo
    var pending: MediaPacket?
    private(set) var firstStart: Int64 = 0
    private(set) var firstOffset: Int64 = 0
    private(set) var lastOffsets: (Int64, Int64) = (-1, -1)
    var readsOnIntoOtherCodecs = true
    var index = PacketIndex()
    var lost: PacketLossEstimator
    /// The samples of a variable bit rate, once a seek has needed them.
    var survey: BitRateSampler?
    /// Whether the end of a FLAC file was looked at.
    var hasSeenFLACEnd = false
    /// Whether libavformat's length is that of what has come, to which the last packet is cut.
    private let growsToItsLength: Bool

    /// So often an estimate of the duration is made anew: every 1.7 s of an MP3.
    private static let estimateInterval: Int64 = 64

    /// Reads the first packet.
    /// - Throws: `.corrupt` if there is no sound, or the stream's error.
    init(_ reader: LibavPacketReader) throws(MediaError) {
        self.reader = reader
        let format = reader.format
        let hasPacket = try reader.next()
        let first = hasPacket ? UnsafePointer(reader.packet) : nil
        metadata = ContainerMetadata(format)
        guard let timing = PacketTimelineBuilder(stream: format.stream, first: first, metadata: metadata).build(),
            hasPacket || timing.method != .counted
        else { throw Self.noSound(format.name) }
        let builder = MediaInfoBuilder(format: format, timing: timing, metadata: metadata)
        guard let info = builder.build() else { throw Self.noSound(format.name) }
        _ = format.takeStreamTags()
        growsToItsLength = builder.growsToItsLength
        self.timing = timing
        self.info = info
        lost = PacketLossEstimator(
            format.stream.pointee.codecpar?.pointee,
            container: metadata.container,
            frameSize: format.freeSplitter?.stream.frameSize
        )
        pending = try take()
        firstStart = pending?.startFrame ?? 0
        firstOffset = pending?.byteOffset ?? format.soundOffset
        checkFLACLength()
    }

    var parameters: UnsafeMutablePointer<AVCodecParameters>? { firstParameters }
    var failure: ByteStreamError? { format.bridge.failure }

    // MARK: Reading

    func nextPacket() throws(MediaError) -> MediaPacket? {
        guard var packet = try peek() else { return nil }
        pending = nil
        guard let padding = paddingIfLast(packet) else { return packet }
        // Should reading on fail, it is still the next one.
        pending = packet
        pending = try read()
        if pending == nil { packet.endTrim = padding }
        return packet
    }

    func read() throws(MediaError) -> MediaPacket? {
        guard try reader.next() else {
            noteEnd()
            return nil
        }
        return try take()
    }

    /// Returns the padding of `packet` if it is the last one; `nil` if there is none.
    private func paddingIfLast(_ packet: MediaPacket) -> Int? {
        guard growsToItsLength, let start = packet.startFrame, let count = packet.frameCount else { return nil }
        let stated = timing.frameCount(ofTicks: format.stream.pointee.duration).subtractingClamped(start)
        // Bounded: `stated` lies in 0..<`count`.
        return 0..<Int64(count) ~= stated ? count - Int(stated) : nil
    }

    /// Makes a `MediaPacket` of what was read.
    private func take() throws(MediaError) -> MediaPacket? {
        let packet = reader.packet
        guard packet.pointee.size > 0 else { return nil }
        // With the first packet the tags come too, and are known.
        let tags = lastOffsets.1 >= 0 ? PacketTags.beside(packet) : nil
        lastOffsets = (lastOffsets.1, packet.pointee.pos)
        let offset = reader.offset.map { $0.addingClamped(lost.lag) }
        let lostBefore = timing.isExact ? lost.takeMissing() : 0
        if lostBefore > 0 { timing.jump(toPacket: timing.nextPacket.addingClamped(lostBefore), exactly: true) }
        let number = timing.nextPacket
        let place = timing.place(
            timestamp: reader.timestamp,
            duration: packet.pointee.duration,
            endTrim: Int64(PacketTrim.of(packet).end)
        )
        noteFLACFrame(endingAt: place.start.flatMap { start in place.frameCount.map { start.addingClamped($0) } })
        if timing.method == .counted, timing.isExact, let offset {
            noteSize(of: packet, number: number, at: offset)
            index.note(packet: number, at: offset)
            if info.frameCount == nil, number > 0, number % Self.estimateInterval == 0 {
                estimateDuration(number, offset)
            }
        }
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

    func breakOff() {
        pending = nil
        format.splitter?.breakOff()
        format.freeSplitter?.breakOff()
        lastOffsets = (-1, -1)
    }

    func reopen() throws(MediaError) {
        try reader.reopen()
        timing.breakOff()
        lost.breakOff()
        breakOff()
    }

    // MARK: Length

    /// A stream without a length of its own is as long as its size divided by the packets seen so far.
    private func estimateDuration(_ number: Int64, _ offset: Int64) {
        guard survey == nil, let size = stream.length, offset > firstOffset else { return }
        let bytesPerPacket = Double(offset.subtractingClamped(firstOffset)) / Double(number)
        let packets = Double(max(size.subtractingClamped(firstOffset), 0)) / bytesPerPacket
        info.size = size
        noteEstimate(packets: packets)
    }

    /// At the end of a stream that was counted from its start, its length is known.
    private func noteEnd() {
        guard info.frameCount == nil, timing.method == .counted, timing.isExact, connectionCut == nil else { return }
        setFrameCount(timing.heardCount(ofPackets: timing.nextPacket))
    }

    /// Says how long the recording is as far as an estimate of its packets tells.
    func noteEstimate(packets: Double) {
        let seconds = packets * Double(timing.framesPerPacket) / Double(timing.sampleRate)
        info.duration = StatedLimits.plausible(seconds: seconds, sampleRate: info.sampleRate)
    }

    // MARK: Tables

    var packetTable: [TableCutter.Entry]? {
        if let table = format.longTable { return table.entries }
        let bridge = format.bridge
        guard metadata.isMP4, !MP4Length(bytes: { bridge.peek(at: $0, count: $1) }).isFragmented() else { return nil }
        let stream = format.stream
        let count = avformat_index_get_entries_count(stream)
        guard count > 0 else { return nil }
        var entries: [TableCutter.Entry] = []
        entries.reserveCapacity(Int(count))
        for index in 0..<count {
            guard let entry = avformat_index_get_entry(stream, index), entry.pointee.pos >= 0, entry.pointee.size > 0,
                entry.pointee.pos <= .max - Int64(Int32.max)
            else { return nil }
            entries.append(TableCutter.Entry(offset: entry.pointee.pos, size: entry.pointee.size))
        }
        return entries
    }

    var statedPacketCount: Int64? { metadata.xing?.packetCount }

    // MARK: Seeking

    func seek(toFrame frame: Int64) throws(MediaError) {
        if info.frameCount.map({ frame > $0 }) ?? true { lookAtFLACEnd() }
        let target = min(max(frame, 0), info.frameCount ?? .max / 4)
        let isBroken = try clearFailure()
        guard timing.method != .counted else { return try seekByCount(toFrame: target, isBroken: isBroken) }
        guard stream.isSeekable else { return try readOn(toFrame: target) }
        let start = start(forFrame: target)
        if try seekAmongFLACFrames(toFrame: start) { return }
        try seekByTimestamp(to: start)
    }

    var canJump: Bool { stream.isSeekable }

    var countsFromStart: Bool { stream.isSeekable && timing.method == .rounded && !stream.isRemote }

    func readAnew(toFrame frame: Int64) throws(MediaError) -> Bool { try readFromStart(toFrame: frame) ?? true }

    // MARK: What the container guarantees

    var isCutOff: Bool {
        guard let length = stream.length, metadata.container.hasPrefix("matroska") else { return false }
        return MatroskaHeader(bridge: format.bridge).end.map { length < $0 } ?? false
    }

    var statesEveryGap: Bool { timing.method != .counted && ["matroska", "webm"].contains(info.container) }

    var isCutAtStatedEnd: Bool {
        switch info.container {
        case "mp4", "caf": true
        // Of compressed sound a WAV file states the frames that went into the encoder.
        case "wav": !info.codec.hasPrefix("pcm_")
        case "mp3", "aac": metadata.gapless != nil && metadata.xing?.startSkip ?? 0 == 0
        default: false
        }
    }

    var statesLengthRoughly: Bool { metadata.xing != nil }

    func isShort(_ last: Int64, of stated: Int64) -> Bool {
        // A FLAC file that is cut ends within a frame; where none is, the stream info was wrong.
        guard last < stated, format.splitter?.hasEndedWhole != true else { return false }
        guard let xing = metadata.xing else { return true }
        // Headers of MP3 are often wrong by a frame or two, and where all the bytes are there, nothing is missing.
        if let size = stream.length, let bytes = xing.byteCount {
            return size < format.soundOffset.addingClamped(bytes)
        }
        return stated.subtractingClamped(last) > timing.framesPerPacket.multipliedClamped(by: 2)
    }

    // False where the stream cannot be read again to find out, and of other containers than Matroska.
    var lastPacketsFollow: Bool {
        let (first, second) = lastOffsets
        guard metadata.container.hasPrefix("matroska"), first >= 0, second >= first, stream.isSeekable else {
            return false
        }
        let bridge = format.bridge
        return MatroskaGapCheck { bridge.peek(at: $0, count: $1) }.blocksFollow(first, second)
    }

    // MARK: Lost packets

    /// Takes note of the packet in `packet`, which has been placed as number `number`.
    func noteSize(of packet: UnsafePointer<AVPacket>, number: Int64, at offset: Int64) {
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
}
