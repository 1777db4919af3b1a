internal import CSyrinxFFmpeg
package import SyrinxByteStream

/// Decodes a recording to float samples, one buffer per channel, at its own sample rate and channel count.
///
/// Encoder delay and padding are removed, and seeks are exact to the frame. Use it from one thread at a time, and not
/// from a thread that must not block: reads block while the stream waits for data.
package final class MediaReader {
    /// The source of the packets.
    package let demuxer: MediaDemuxer
    /// The next frame to read, counted from the start of the recording even if only a part of it is read.
    private(set) var place: Int64 = 0
    /// The part of the recording to read.
    var part = FramePart()
    /// The number of packets so far that were missing or could not be decoded.
    ///
    /// They are replaced by silence if the container or the neighboring packets state their length. Damage in
    /// uncompressed samples cannot be detected.
    ///
    /// Lost Ogg pages, and gaps of at least 50 ms between timestamps in Ogg or Matroska, also become silence and count
    /// as one packet each. In Matroska, a gap between adjacent blocks is intended and does not count, but a stream that
    /// is not seekable cannot distinguish the two.
    package private(set) var corruptPacketCount = 0
    /// The number of frames so far that were replaced by silence.
    package private(set) var concealedFrameCount: Int64 = 0

    /// Whether a truncated recording ends normally, with `shortfall` set, instead of throwing `.truncated`.
    package var endsWhereCutOff = false
    /// The error that describes the missing end, or `nil` if nothing is known to be missing.
    ///
    /// It is set when the end is reached, with the code `.truncated`. Without a stated duration, the amount that is
    /// missing is unknown.
    package private(set) var shortfall: SyrinxError?

    /// Whether the padding in the last packet is returned too, as by tools without gapless support.
    ///
    /// Set it before the first `read`. The length in `info` does not include the padding.
    package var keepsEndPadding = false

    /// The tags of the current recording.
    ///
    /// In a chain of recordings they can differ from those of `info`, which are the tags of the first one.
    package private(set) var tags: [String: String]

    private let decoder: PacketDecoder
    private var source: PacketSource { demuxer.source }
    private var trimmer: GaplessTrimmer
    /// The clock of a chained recording whose positions start at an unknown frame.
    private var clock: (any RecordingClock)?
    /// The number of frames missing before the next decoded frame, if its position does not show it.
    private var lostFrames: Int64 = 0
    /// The number of frames missing after the last decoded frame.
    private var lostAtEnd: Int64 = 0
    /// The unread part of the last decoded frame, and the silence before it.
    private var cut = GaplessTrimmer.Cut()
    private var isDrained = false
    /// The first packet of the next recording in a chain, while the previous one is decoded to its end.
    private var held: MediaPacket?
    private var hasEnded = false
    private var hasDecoded = false
    /// The value of `corruptPacketCount` at the last decoded frame: later damage is a packet that truncation cut in
    /// two.
    private var corruptBeforeLast = 0
    /// The frame count that the container states.
    private let stated: Int64?

    /// The index of the next frame to read.
    package var position: Int64 { place - part.start }

    /// The description of the recording, or of the selected part.
    ///
    /// It can become more precise as more data is read.
    package var info: MediaInfo { part.info(of: demuxer.info) }

    /// The maximum number of consecutive packets without output, about 13 s of MP3.
    private static let patience = 500

    /// Creates a reader for the packets of `demuxer`, without decoding anything; see `open(_:roundsIntegersDown:)`.
    init(_ demuxer: MediaDemuxer, roundsIntegersDown: Bool) throws(SyrinxError) {
        self.demuxer = demuxer
        let source = demuxer.source
        let name = demuxer.stream.name
        guard let parameters = source.firstParameters, let current = source.parameters else {
            throw SyrinxError.outOfMemory(name)
        }
        decoder = try PacketDecoder(parameters: parameters, name: name, roundsIntegersDown: roundsIntegersDown)
        // The output of a chain has the format of its first recording.
        if current != parameters { try decoder.restart(current) }
        stated = source.statedFrameCount
        tags = source.tags
        trimmer = GaplessTrimmer(
            next: source.timing.isCountedByReader || source.traits.lacksItsStart ? source.countedStart : nil,
            end: source.traits.isCutAtStatedEnd ? stated : nil,
            longestGap: source.timing.sampleRate.multipliedClamped(by: 10),
            stated: stated,
            shortestGap: source.traits.statesEveryGap ? source.timing.shortestGap : nil
        )
        if source.traits.readsThroughJoints { beginClock() }
    }

    /// Copies the next samples into `channels`, one pointer per channel of `info`, and returns the number of frames.
    ///
    /// It returns at least 1 frame and at most `frameCount`, or 0 at the end.
    /// - Throws: `.truncated` if the data ends before the length that the recording states, or the error of the stream.
    ///   After a stream error, `seek(toFrame:)` retries from the same position if the stream can seek back.
    package func read(
        into channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int
    ) throws(SyrinxError) -> Int {
        let frameCount = Int(clamping: min(Int64(frameCount), part.end - place))
        guard frameCount > 0 else { return 0 }
        while cut.silence == 0 && cut.keep.isEmpty {
            let hasMore = hasEnded ? false : try decodeMore()
            guard hasMore else {
                hasEnded = true
                if concealEnd() { continue }
                try finish()
                return 0
            }
        }
        let given = cut.silence > 0 ? takeSilence(channels, frameCount) : takeSamples(channels, frameCount)
        place += Int64(given)
        return given
    }

    /// Sets the next frame to read; a frame after the end selects the end.
    ///
    /// The samples equal those of sequential decoding, or nearly so. An exception is the noise of AAC's perceptual
    /// noise substitution, which libavcodec generates anew each time.
    ///
    /// In an unread part of a remote stream without an index, the position is approximate: see
    /// `MediaDemuxer.seek(toFrame:)`. A stream that cannot seek is read forward, or again from its start if it still
    /// holds that.
    /// - Throws: `.notSeekable` if the stream would have to seek back and cannot, or the error of the stream.
    package func seek(toFrame frame: Int64) throws(SyrinxError) { try go(to: part.recordingFrame(frame)) }

    /// Seeks to a frame of the whole recording, even if only a part of it is selected.
    func go(to frame: Int64) throws(SyrinxError) {
        // The frame is already decoded.
        let ahead = frame.subtractingClamped(place)
        if source.failure == nil, cut.silence == 0, ahead >= 0, ahead < Int64(cut.keep.count) {
            // Bounded: `ahead` is less than what is kept.
            cut.keep = cut.keep.lowerBound + Int(ahead)..<cut.keep.upperBound
            place = frame
            return
        }
        // After a failed read, libavformat has lost part of the next packet.
        let canReadOn = ahead >= 0 && source.failure == nil
        if source.traits.seeking != .byReading {
            // If the seek fails midway, the position of the next packets is unknown.
            cut = GaplessTrimmer.Cut()
            try demuxer.seek(toFrame: frame)
            try restart(at: frame, next: source.traits.seeking == .byCountingFromStart ? source.countedStart : nil)
        } else if canReadOn {
            return try pass(ahead)
        } else if try source.readAnew(toFrame: frame) {
            try restart(at: frame, next: nil)
        } else {
            try restart(at: 0, next: source.timing.isCountedByReader ? source.countedStart : nil)
            return try pass(frame)
        }
        // The recording can end before the frame, and `place` must be correct.
        if demuxer.info.frameCount.map({ frame >= $0 }) ?? true, try !decodeMore() { end() }
    }

    /// Restarts decoding with packets from another position, and drops the samples before `frame`.
    private func restart(at frame: Int64, next: Int64?) throws(SyrinxError) {
        guard let parameters = source.parameters else {
            throw SyrinxError.outOfMemory(demuxer.stream.name)
        }
        try decoder.restart(parameters)
        let isBeforeSound = source.isInMissingStart(frame)
        trimmer.seek(to: frame, next: isBeforeSound ? frame : next)
        if isBeforeSound { noteLost(1) }
        clock = nil
        tags = source.tags
        trimmer.shortestGap = source.traits.statesEveryGap ? source.timing.shortestGap : nil
        if source.traits.readsThroughJoints { beginClock() }
        cut = GaplessTrimmer.Cut()
        (lostFrames, lostAtEnd) = (0, 0)
        held = nil
        isDrained = false
        hasEnded = false
        place = frame
    }

    // MARK: Giving out

    private func takeSilence(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int) -> Int {
        let count = Int(min(cut.silence, Int64(frameCount)))
        for channel in 0..<demuxer.info.channelCount { channels[channel].update(repeating: 0, count: count) }
        cut.silence -= Int64(count)  // Bounded: no more than there is.
        return count
    }

    private func takeSamples(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int) -> Int {
        let count = min(cut.keep.count, frameCount)
        for channel in 0..<demuxer.info.channelCount {
            channels[channel].update(from: decoder.channels[channel] + cut.keep.lowerBound, count: count)
        }
        cut.keep = cut.keep.lowerBound + count..<cut.keep.upperBound  // Bounded: no more than there is.
        return count
    }

    /// Reads and drops `count` frames.
    private func pass(_ count: Int64) throws(SyrinxError) {
        var left = count
        while left > 0 {
            while cut.silence == 0 && cut.keep.isEmpty {
                let hasMore = hasEnded ? false : try decodeMore()
                guard hasMore else { return end() }
            }
            let step = min(left, cut.silence > 0 ? cut.silence : Int64(cut.keep.count))
            if cut.silence > 0 {
                cut.silence -= step  // Bounded: no more than there is.
            } else {
                cut.keep = cut.keep.lowerBound + Int(step)..<cut.keep.upperBound  // Bounded: no more than there is.
            }
            left -= step  // Bounded: no more than what is left.
            place += step
        }
    }

    // MARK: Decoding

    /// Decodes the first frame of the recording, which completes its description for now.
    func decodeFirst() throws(SyrinxError) {
        if try !decodeMore() { hasEnded = true }
        if let profile = decoder.profile { source.setProfile(profile) }
    }

    /// Decodes until samples are available, and returns false at the end.
    private func decodeMore() throws(SyrinxError) -> Bool {
        var barren = 0
        while true {
            switch try decoder.receive(keepsEndPadding: keepsEndPadding) {
            case .frame(let decoded):
                barren = 0
                hasDecoded = true
                corruptBeforeLast = corruptPacketCount
                cut = trimmer.accept(
                    start: start(of: decoded),
                    count: decoded.count,
                    endTrim: decoded.endTrim,
                    startTrim: decoded.startTrim
                )
                noteGap()
                if cut.silence > 0 || !cut.keep.isEmpty { return true }
            case .needsPacket:
                guard !isDrained else { return false }
                if try !sendNext() { barren += noteDamage() }
            case .damaged:
                barren += noteDamage()
            case .ended where held != nil:
                try beginRecording()
            case .ended:
                guard hasDecoded || corruptPacketCount == 0 else { throw nothingDecodes }
                return false
            }
            if barren >= Self.patience && !hasDecoded { throw nothingDecodes }
        }
    }

    /// Sends the next packet, or the end, to the decoder, and returns false if the packet is damaged.
    private func sendNext() throws(SyrinxError) -> Bool {
        let packet = try demuxer.nextPacket()
        if packet?.beginsRecording == true {
            held = packet
            return try decoder.send(nil)
        }
        isDrained = packet == nil
        tags = packet?.tags ?? tags
        noteLost(packet)
        return try decoder.send(packet, countsAlone: clock != nil)
    }

    /// Starts to decode the recording whose first packet is held.
    private func beginRecording() throws(SyrinxError) {
        guard let parameters = source.parameters else {
            throw SyrinxError.outOfMemory(demuxer.stream.name)
        }
        try decoder.restart(parameters)
        let first = held
        held = nil
        tags = first?.tags ?? tags
        noteLost(first)
        beginClock()
        if try !decoder.send(first, countsAlone: clock != nil) { _ = noteDamage() }
    }

    /// Starts to map the positions of a chained recording to output frames.
    private func beginClock() {
        clock = source.makeClock(longestGap: trimmer.longestGap)
        trimmer.shortestGap = clock == nil ? nil : source.timing.shortestGap
    }

    private func start(of decoded: PacketDecoder.Decoded) -> Int64? {
        let next = trimmer.next.map { $0.addingClamped(lostFrames) }
        let told =
            clock == nil ? decoded.start : clock?.start(position: decoded.start, offset: decoded.offset, next: next)
        defer { lostFrames = 0 }
        return told ?? (lostFrames > 0 ? next : nil)
    }

    private func noteDamage() -> Int {
        // Right after a seek, the packets that this one depends on are missing, which is not damage.
        if trimmer.isAudible || !hasDecoded { corruptPacketCount += 1 }
        trimmer.damaged()
        return 1
    }

    /// Records the frames that are missing before a packet, or at the end.
    private func noteLost(_ packet: MediaPacket?) {
        guard let packet else {
            let lost = source.takeMissingEnd()
            noteLost(lost.count)
            lostAtEnd = lost.frames
            return
        }
        noteLost(packet.lostBefore)
        lostFrames = min(lostFrames.addingClamped(packet.lostFrames), 1 << 60)
    }

    private func noteLost(_ count: Int) {
        guard count > 0 else { return }
        if trimmer.isAudible { corruptPacketCount = corruptPacketCount.addingClamped(count) }
        trimmer.damaged()
    }

    private func noteGap() {
        guard cut.silence > 0, trimmer.wasDamaged || !source.lastPacketsFollow else { return }
        concealedFrameCount = concealedFrameCount.addingClamped(cut.silence)
        if !trimmer.wasDamaged { corruptPacketCount += 1 }
    }

    private var nothingDecodes: SyrinxError {
        let name = demuxer.stream.name
        // libavcodec before 6.0 supports at most 24 bits.
        if info.codec == "flac", let bits = FLACStreamInfo(demuxer.magicCookie)?.bitsPerSample, bits > 24 {
            let why = "The FFmpeg here decodes FLAC of up to 24 bits a sample, and this has \(bits)."
            return SyrinxError(.unsupported, why, name: name)
        }
        return SyrinxError(.corrupt, "Nothing in it can be decoded: it is damaged, or not audio.", name: name)
    }

    // MARK: The end

    /// Whether all samples have been read.
    package var isAtEnd: Bool { hasEnded && cut.silence == 0 && cut.keep.isEmpty }

    private func end() {
        hasEnded = true
        if let last = trimmer.next { place = min(place, max(last, 0)) }
    }

    /// Replaces lost packets at the end with silence, if the container states its length.
    /// - Returns: Whether any silence was added.
    private func concealEnd() -> Bool {
        guard source.traits.statesItsEnd, let next = trimmer.next else { return false }
        let silence = trimmer.fill(to: stated ?? next.addingClamped(lostAtEnd))
        guard silence > 0 else { return false }
        cut = GaplessTrimmer.Cut(silence: silence)
        if lostAtEnd == 0 { corruptPacketCount += 1 }
        lostAtEnd = 0
        concealedFrameCount = concealedFrameCount.addingClamped(silence)
        return true
    }

    private func finish() throws(SyrinxError) {
        end()
        if let cut = source.connectionCut, !isWhole { throw cut }
        guard source.timing.isExact, let last = trimmer.next.map({ max($0, 0) }) ?? (hasDecoded ? nil : 0) else {
            return
        }
        if let stated, source.isShort(last, of: stated) {
            let error = source.shortfall(endingAt: last, of: stated, damagedPackets: corruptBeforeLast)
            shortfall = error
            if endsWhereCutOff { return }
            throw error
        }
        shortfall =
            source.isCutOff ? source.shortfall(endingAt: last, of: nil, damagedPackets: corruptBeforeLast) : nil
        if demuxer.info.frameCount != last, !keepsEndPadding { source.setFrameCount(last) }
    }

    /// Whether the recording states its length or its end, and nothing is missing.
    private var isWhole: Bool {
        if source.hasReadItsEnd { return true }
        guard source.timing.isExact, let stated, let last = trimmer.next else { return false }
        return last >= stated || source.traits.statesLengthRoughly && !source.isShort(max(last, 0), of: stated)
    }
}
