internal import CSyrinxFFmpeg
package import SyrinxByteStream

/// Reads a recording as float samples, one buffer a channel, at its own rate and in its own channels.
///
/// What the encoder added at both ends is left out, and a seek lands on the very frame. One thread at a time, and one that
/// may wait: reading blocks as long as the stream does.
package final class MediaReader {
    /// The packets that it reads.
    package let demuxer: MediaDemuxer
    /// The frame of the recording, not of a part of it, that the next `read` begins with.
    private(set) var place: Int64 = 0
    /// The part of the recording that is read.
    var part = FramePart()
    /// The number of packets that were missing or could not be decoded so far.
    ///
    /// Silence stands in their place, where the container or the packets around them tell how long they were. Samples that are
    /// not compressed show no damage. Pages of Ogg that are lost, and a gap of 50 ms or more in the timestamps of Ogg or Matroska,
    /// become silence too, and count as one packet each; but in Matroska, between blocks that follow each other in the file, it is
    /// meant and counts for nothing. Of a stream that cannot go back nothing tells the two apart.
    package private(set) var corruptPacketCount = 0
    /// The frames of silence that stand in the place of what was damaged, so far.
    package private(set) var concealedFrameCount: Int64 = 0

    /// Whether reading ends where a recording is cut off, instead of throwing `.truncated`; `shortfall` describes it then.
    package var endsWhereCutOff = false
    /// The error that describes the missing end, once reading has come to it; `nil` if nothing is known to be missing.
    ///
    /// Its code is `.truncated`. Where nothing states how much sound there should be, it is no more than this.
    package private(set) var shortfall: SyrinxError?

    /// Whether the encoder's padding at the end of the last packet is given out too, as tools without gapless
    /// it do.
    ///
    /// Set it before the first `read`; the length that `info` states stays without it.
    package var keepsEndPadding = false

    /// The tags of the recording that is read.
    ///
    /// In a chain they may differ from those of `info`, which are of the first.
    package private(set) var tags: [String: String]

    private let decoder: PacketDecoder
    private var source: PacketSource { demuxer.source }
    private var trimmer: GaplessTrimmer
    /// The clock of a recording in a chain that counts from a start of its own, where the frame of that start is not known.
    private var clock: (any RecordingClock)?
    /// Frames that are missing before the next decoded frame, where its position does not tell.
    private var lostFrames: Int64 = 0
    /// And behind the last.
    private var lostAtEnd: Int64 = 0
    /// The rest of the last decoded frame, and the silence before it.
    private var cut = GaplessTrimmer.Cut()
    private var isDrained = false
    /// The first packet of the next recording in a chain, while the one before is decoded to its end.
    private var held: MediaPacket?
    private var hasEnded = false
    private var hasDecoded = false
    /// `corruptPacketCount` when the last frame was decoded: what comes after is a packet that the end cuts in two.
    private var corruptBeforeLast = 0
    /// The frame count that the container states.
    private let stated: Int64?

    /// The frame that the next `read` begins with.
    package var position: Int64 { place - part.start }

    /// The description of the recording, or of the part of it that is read.
    ///
    /// It may become better as data pass.
    package var info: MediaInfo { part.info(of: demuxer.info) }

    /// So many packets in a row that give nothing are no recording: about 13 s of MP3.
    private static let patience = 500

    /// A reader of the packets of `demuxer` that has decoded nothing; see `open(_:roundsIntegersDown:)`.
    init(_ demuxer: MediaDemuxer, roundsIntegersDown: Bool) throws(SyrinxError) {
        self.demuxer = demuxer
        let source = demuxer.source
        let name = demuxer.stream.name
        guard let parameters = source.firstParameters, let current = source.parameters else {
            throw SyrinxError.outOfMemory(name)
        }
        decoder = try PacketDecoder(parameters: parameters, name: name, roundsIntegersDown: roundsIntegersDown)
        // Of a chain it gives what the first recording has, wherever it begins.
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

    /// Copies the next samples into `channels`, one pointer for each of `info.channelCount`, and returns how many frames.
    ///
    /// Fewer than `frameCount` where the decoder has fewer at hand, at least 1, and 0 at the end.
    /// - Throws: `.truncated` when everything there is has been read and the recording states that there is more; the
    ///   stream's error, after which `seek(toFrame:)` tries again from where it broke off, if the stream can go back.
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

    /// Makes the next `read` begin exactly at `frame`; beyond the end, at the end.
    ///
    /// In the part of a remote stream without an index that has not been read, the place is nominal: see
    /// `MediaDemuxer.seek(toFrame:)`.
    /// What follows is what reading through gives, to the bit or nearly; but the noise that AAC has its decoder make up
    /// (perceptual noise substitution) is another each time, as it is in libavcodec.
    /// A stream that cannot seek is read on to it, or anew from its start, where it still holds that.
    /// - Throws: `.notSeekable` if it lies behind, or the last read failed, and the stream cannot go back; or the stream's error.
    package func seek(toFrame frame: Int64) throws(SyrinxError) { try go(to: part.recordingFrame(frame)) }

    /// Goes to a frame of the recording, whatever part of it is read.
    func go(to frame: Int64) throws(SyrinxError) {
        // Still in what has been decoded: nothing need be read again.
        let ahead = frame.subtractingClamped(place)
        if source.failure == nil, cut.silence == 0, ahead >= 0, ahead < Int64(cut.keep.count) {
            // Bounded: `ahead` is less than what is kept.
            cut.keep = cut.keep.lowerBound + Int(ahead)..<cut.keep.upperBound
            place = frame
            return
        }
        // A read that failed has cost what libavformat had of the next packet.
        let canReadOn = ahead >= 0 && source.failure == nil
        if source.traits.seeking != .byReading {
            // Should it fail half-way, the place of the next packets is not known.
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
        // The end may lie before it, and `place` has to tell the truth.
        if demuxer.info.frameCount.map({ frame >= $0 }) ?? true, try !decodeMore() { end() }
    }

    /// Begins to decode anew, with packets from another place; what comes before `frame` is dropped.
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

    /// Reads on for `count` frames and drops them.
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

    /// Decodes the first of the recording, after which its description is as good as it gets for now.
    func decodeFirst() throws(SyrinxError) {
        if try !decodeMore() { hasEnded = true }
        if let profile = decoder.profile { source.setProfile(profile) }
    }

    /// Decodes until there is something to give out; false at the end.
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

    /// Gives the decoder the next packet, or says that there is none; false if the packet is damaged.
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

    /// Begins to decode the recording of which the first packet is held.
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

    /// Begins to relate the positions of one of several joined recordings to the frames that are given out.
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
        // Just after a seek, what a packet leans on is missing; that is no damage.
        if trimmer.isAudible || !hasDecoded { corruptPacketCount += 1 }
        trimmer.damaged()
        return 1
    }

    /// Takes note of what is missing before a packet, or at the end.
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
        // libavcodec before 6.0 takes no more than 24.
        if info.codec == "flac", let bits = FLACStreamInfo(demuxer.magicCookie)?.bitsPerSample, bits > 24 {
            let why = "The FFmpeg here decodes FLAC of up to 24 bits a sample, and this has \(bits)."
            return SyrinxError(.unsupported, why, name: name)
        }
        return SyrinxError(.corrupt, "Nothing in it can be decoded: it is damaged, or not audio.", name: name)
    }

    // MARK: The end

    /// Whether no sample is left.
    package var isAtEnd: Bool { hasEnded && cut.silence == 0 && cut.keep.isEmpty }

    private func end() {
        hasEnded = true
        if let last = trimmer.next { place = min(place, max(last, 0)) }
    }

    /// Puts silence in the place of lost packets at the end, where the container says how long it is.
    /// - Returns: Whether any are.
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

    /// Whether the recording states how long it is, or where it ends, and nothing of that is missing.
    private var isWhole: Bool {
        if source.hasReadItsEnd { return true }
        guard source.timing.isExact, let stated, let last = trimmer.next else { return false }
        return last >= stated || source.traits.statesLengthRoughly && !source.isShort(max(last, 0), of: stated)
    }
}
