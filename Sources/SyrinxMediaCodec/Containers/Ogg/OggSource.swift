internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// The packets of Ogg, of one recording or of a chain.
///
/// libavformat parses the pages. This folder adds: gaps of lost pages (`OggPageTracker`), the start of other recordings
/// (`OggLinkStart`, `OggChainDemuxer`), the length of the file (`OggMetadata`), and the page of a frame (`OggPages`).
final class OggSource: PacketSource {
    let metadata: OggMetadata
    private var pages: OggPageTracker
    private var linkStart = OggLinkStart()
    /// The excess of the end trim in the first recording, from `timing`.
    private var firstEndTrimExcess: Int64 = 0
    /// The chain, once a seek has needed it or libavformat has ended within it.
    private var knownChain: OggChainDemuxer?
    /// Whether `knownChain` reads, in place of libavformat.
    private var isInChain = false

    /// Reads the first packet.
    /// - Throws: `.corrupt` if there is no audio, or the stream's error.
    init(_ reader: LibavPacketReader) throws(SyrinxError) {
        let format = reader.format
        Self.prepare(format)
        let first = try reader.readFirst()
        let pages = OggPageTracker(format)
        let metadata = OggMetadata(format, first: first, pages.durations)
        self.pages = pages
        self.metadata = metadata
        var statement = ContainerStatement()
        statement.clock = metadata.clock
        statement.length = { metadata.length($0, format) }
        try super.init(reader, first: first, statement)
        firstEndTrimExcess = timing.endTrimExcess
        try measureChain()
    }

    override func takeFirst() throws(SyrinxError) -> MediaPacket? {
        pages.note(reader.packet, sampleRate: timing.sampleRate)
        return try take()
    }

    /// Keeps libavformat from changing timestamps: after a seek, it would invent wrong ones for the packets of the last
    /// page.
    private static func prepare(_ format: LibavContext) { format.context.pointee.flags |= AVFMT_FLAG_NOFILLIN }

    // MARK: Reading

    override func nextPacket() throws(SyrinxError) -> MediaPacket? {
        if let packet = try super.nextPacket() { return packet }
        if isInChain { return nil }
        return try goOnInChain() ? chain?.nextPacket() : nil
    }

    override func read() throws(SyrinxError) -> MediaPacket? {
        if let chain { return try chain.nextPacket() }
        while try reader.next() {
            pages.note(reader.packet, sampleRate: timing.sampleRate)
            let isHeader = !pages.isStale && lastOffsets.1 >= 0 && linkStart.isHeader(reader.packet, of: format)
            if !pages.isStale, !isHeader { return try take() }
            av_packet_unref(reader.packet)
        }
        return nil
    }

    /// Creates a `MediaPacket` from the last packet.
    override func take() throws(SyrinxError) -> MediaPacket? {
        let packet = reader.packet
        guard packet.pointee.size > 0 else { return nil }
        let link = linkStart.note(packet, isFirstOfAll: lastOffsets.1 < 0, of: format, &timing)
        lastOffsets = (lastOffsets.1, packet.pointee.pos)
        let offset = reader.offset
        let missing = pages.takeMissing()
        var timestamp = reader.timestamp
        if let page = metadata.firstPage, page.offset == packet.pointee.pos, !missing.hasDelay {
            timestamp = timestamp.map { $0.addingClamped(page.start) }
        }
        let trim = Int64(PacketTrim.of(packet).end)
        // libavformat reduces the duration of the last Opus packet by the number of trimmed frames.
        let rest = timing.lengthUnit > 0 && packet.pointee.duration > 0 ? trim : 0
        let place = timing.place(
            timestamp: timestamp,
            duration: packet.pointee.duration.addingClamped(rest),
            endTrim: trim
        )
        let countsDelay = metadata.hasNoCommonClock || link.isFirst
        return MediaPacket(
            box: try reader.takePacket(),
            startFrame: place.start,
            frameCount: place.frameCount.map { Int(clamping: $0) },
            byteOffset: offset,
            endTrim: Int(clamping: pages.endTrimBehindGap(place.frameCount) ?? place.endTrim),
            startTrim: countsDelay && !missing.hasDelay ? link.delay : 0,
            lostBefore: missing.count,
            lostFrames: missing.frames,
            endPosition: pages.endPosition,
            beginsRecording: link.isFirst,
            tags: link.tags
        )
    }

    override func takeMissingEnd() -> MissingAudio {
        if let chain { return chain.takeLost() }
        let chained = knownChain?.takeLost()
        return pages.missingAtEnd ?? chained ?? MissingAudio()
    }

    override func breakOff() {
        super.breakOff()
        pages.breakOff()
        linkStart = OggLinkStart()
    }

    /// Reopens the file.
    ///
    /// In a chain, libavformat has discarded the first recording after reaching another one. In a file with a single
    /// page, it computes positions differently after the first pass.
    override func reopen() throws(SyrinxError) {
        try reader.reopen()
        Self.prepare(format)
        pages.restart(format)
        isInChain = false
        timing.breakOff()
        timing.endTrimExcess = firstEndTrimExcess
        breakOff()
    }

    // MARK: Seeking

    override func seek(toFrame frame: Int64) throws(SyrinxError) {
        let target = min(max(frame, 0), info.frameCount ?? .max / 4)
        _ = try clearFailure()
        guard stream.isSeekable else { return try readOn(toFrame: target) }
        if metadata.hasNoCommonClock, try seekInChain(toFrame: target) { return }
        isInChain = false
        if countsFromStart, metadata.hasNoCommonClock || metadata.hasRoundedPositions || timing.endTrimExcess > 0 {
            return try reopen()
        }
        let start = start(forFrame: target)
        if try seekAmongPages(toFrame: start) { return }
        try seekByTimestamp(to: start)
    }

    /// Returns false if the recordings cannot be distinguished, so that frames have to be counted from the start.
    private func seekInChain(toFrame frame: Int64) throws(SyrinxError) -> Bool {
        let chain = findChain()
        breakOff()
        isInChain = try chain.seek(toFrame: frame)
        if let count = chain.frameCount, info.frameCount == nil { setFrameCount(count) }
        return isInChain
    }

    /// Measures the length of the chain, if that is cheap.
    private func measureChain() throws(SyrinxError) {
        guard metadata.isChain, stream.isSeekable, !stream.isRemote else { return }
        let chain = findChain()
        do throws(SyrinxError) {
            try chain.measure()
        } catch {
            // If this fails, the read of the packet fails too.
            if error.code == .cancelled { throw error }
        }
        guard let count = StatedLimits.plausible(chain.frameCount) else { return }
        info.duration = Double(count) / info.sampleRate
        // With resampling, the length may differ by a frame.
        if chain.hasOneRate { setFrameCount(count) }
    }

    /// The positions of a chain do not state its length, and a measured length is not a stated one.
    override var statedFrameCount: Int64? { metadata.hasNoCommonClock ? nil : info.frameCount }

    override func readAnew(toFrame frame: Int64) throws(SyrinxError) -> Bool {
        if let isPlaced = try readFromStart(toFrame: frame) { return isPlaced }
        // Another recording may follow.
        try startOver()
        return false
    }

    override var traits: RecordingTraits {
        // libavformat searches for a position from the end. Without a length, chained recordings cannot be detected
        // either.
        let canJump = stream.isSeekable && stream.length != nil
        return RecordingTraits(
            seeking: !canJump ? .byReading : countsFromStart ? .byCountingFromStart : .byPackets,
            statesEveryGap: chain?.statesEveryGap ?? (timing.method == .timestamps),
            // The last page states the length of a file.
            statesItsEnd: !metadata.hasRoundedPositions,
            lacksItsStart: metadata.hasLostFront,
            readsThroughJoints: metadata.isChain && chain == nil
        )
    }

    /// Whether a seek restarts at the beginning of the file.
    ///
    /// This is necessary if timestamps are rounded, in a Vorbis file of a single page, and in a chain that cannot be
    /// split.
    private var countsFromStart: Bool {
        guard stream.isSeekable else { return false }
        if metadata.hasNoCommonClock { return chain == nil }
        return (timing.method == .rounded || timing.endTrimExcess > 0) && !stream.isRemote
    }

    // MARK: The chain

    /// The chain, if it is being read recording by recording.
    private var chain: OggChainDemuxer? { isInChain ? knownChain : nil }

    /// Returns whether another recording follows the one that libavformat has finished.
    private func goOnInChain() throws(SyrinxError) -> Bool {
        guard readsOnIntoOtherCodecs, lastOffsets.1 >= 0 else { return false }
        isInChain = try findChain().begin(behind: lastOffsets.1)
        return isInChain
    }

    private func findChain() -> OggChainDemuxer {
        let chain = knownChain ?? OggChainDemuxer(format.bridge, sampleRate: info.sampleRate)
        knownChain = chain
        return chain
    }

    override var parameters: UnsafeMutablePointer<AVCodecParameters>? { chain?.parameters ?? super.parameters }

    override var failure: SyrinxError? { chain.map(\.failure) ?? super.failure }

    override var tags: [String: String] { chain?.tags ?? super.tags }

    /// Returns a clock for codecs whose packets state their durations.
    ///
    /// For example, libavformat treats the headers of Speex as audio, and its positions in another rate as those of the
    /// first.
    override func makeClock(longestGap: Int64) -> (any RecordingClock)? {
        let isKnown = parameters.map { OggPacketDurations.codecs.contains($0.pointee.codec_id) } ?? false
        return isKnown ? GranuleClock(longestGap: longestGap, shortestGap: timing.shortestGap) : nil
    }

    // MARK: Guarantees

    override var hasReadItsEnd: Bool { chain == nil && pages.endsWithLastPage }

    override var isCutOff: Bool {
        guard stream.length != nil else { return false }
        return stream.isSeekable ? !OggLastPage.endsStream(format.bridge.tail(OggLastPage.size)) : !hasReadItsEnd
    }

    override func isInMissingStart(_ frame: Int64) -> Bool {
        chain?.isInLostFront(frame) ?? (metadata.hasLostFront && frame < firstStart)
    }
}
