package import ByteStream
internal import CFFmpeg

/// Takes a recording apart into packets of compressed sound.
///
/// One thread at a time, and one that may wait: reading blocks as long as the stream does. To end a read that waits, call
/// the stream's `cancel()` from another thread.
package final class MediaDemuxer {
    private(set) var format: LibavContext
    var timing: PacketTimeline
    var index = PacketIndex()
    /// Read, but not yet given out.
    var pending: MediaPacket?
    let notes: ContainerMetadata
    /// The start time of the first packet; negative if the encoder's delay lies before frame 0.
    private(set) var firstStart: Int64 = 0
    /// The offset of the first packet in the file.
    private(set) var firstOffset: Int64 = 0
    private let scratch: UnsafeMutablePointer<AVPacket>
    /// The offsets of the last two packets according to libavformat.
    private(set) var lastOffsets: (Int64, Int64) = (-1, -1)
    /// Pages of Ogg that are lost, and what was in them before the next packet.
    var holes = OggGapDetector()
    var lostSound = MissingAudio()
    /// Whether something is missing before the page that is read.
    var isBehindHole = false
    /// Whether the page that is read has come too late.
    var isStale = false
    /// Frames of the first recording in one of that in which the last page is.
    var pageScale = 1.0
    /// The end position of an Ogg recording, from its last page.
    var endPosition: Int64?
    /// The number of frames left in a last page after a gap, where libavformat relies on the wrong start.
    var soundLeft: Int64?
    /// Whether the headers of a recording of Vorbis in a chain have come, and no sound of it.
    private var awaitsSound = false
    /// The same of FLAC, and of Opus where it has the number of the one before, which libavformat does not expect.
    private var next: Next?
    /// The excess of the end trim in the first recording of a chain, from `timing`.
    private let firstEndTrimExcess: Int64
    /// Whether libavformat's length is that of what has come, to which the last packet is cut.
    private let growsToItsLength: Bool
    var lost: PacketLossEstimator
    /// The samples of a variable bit rate, once a seek has needed them.
    var survey: BitRateSampler?
    /// The chain of Ogg recordings, once a seek has needed it or libavformat has ended within it.
    var knownChain: OggChainDemuxer?
    /// Whether what follows in a chain is read too where its codec is another.
    package var goesOnInChain = true
    /// Whether that is what reads, in the place of `format`.
    var isInChain = false
    /// Whether the end of a FLAC file was looked at.
    var hasSeenFLACEnd = false

    /// The description of the recording.
    ///
    /// Duration and frame count may become known, or better, as packets pass.
    package internal(set) var info: MediaInfo

    /// The stream that the packets come from.
    package var stream: any ByteStream { format.bridge.stream }

    /// Another recording of a chain, of which the headers have come.
    private struct Next {
        let isFLAC: Bool
        var delay: Int?
        var tags: [String: String]?
    }

    /// So often an estimate of the duration is made anew: every 1.7 s of an MP3.
    private static let estimateInterval: Int64 = 64

    /// Opens a recording and reads as little of it as tells what it is.
    /// - Parameter raw: What the stream holds, if it is nothing but samples: then it is not looked at.
    /// - Throws: `MediaError`: what it is not (`.notAudio`, `.empty`), what is wrong with it (`.corrupt`, `.truncated`), or
    ///   the error of the stream with its own code.
    package init(stream: any ByteStream, raw: RawSamples? = nil) throws(MediaError) {
        format = try LibavContext(stream: stream, raw: raw)
        guard let scratch = av_packet_alloc() else { throw MediaError.outOfMemory(stream.name) }
        self.scratch = scratch
        do throws(MediaError) {
            let hasPacket = try format.readPacket(into: scratch)
            let first = hasPacket ? UnsafePointer(scratch) : nil
            notes = ContainerMetadata(format, first: first)
            guard let timing = PacketTimelineBuilder(stream: format.stream, first: first, notes: notes).build(),
                hasPacket || timing.method != .counted
            else { throw Self.noSound(stream.name) }
            let builder = MediaInfoBuilder(format: format, timing: timing, notes: notes)
            guard let info = builder.build() else { throw Self.noSound(stream.name) }
            _ = format.takeStreamTags()
            growsToItsLength = builder.growsToItsLength
            self.timing = timing
            firstEndTrimExcess = timing.endTrimExcess
            self.info = info
            lost = PacketLossEstimator(
                format.stream.pointee.codecpar?.pointee,
                container: notes.container,
                frameSize: format.freeSplitter?.stream.frameSize
            )
        } catch {
            var packet: UnsafeMutablePointer<AVPacket>? = scratch
            av_packet_free(&packet)
            throw error
        }
        noteOggPage(scratch)
        pending = try take()
        firstStart = pending?.startFrame ?? 0
        firstOffset = pending?.byteOffset ?? format.soundOffset
        checkFLACLength()
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = scratch
        av_packet_free(&packet)
    }

    /// The data that a decoder of the next packets needs beside the stream description; empty if none.
    ///
    /// It is FFmpeg's: of AAC the `AudioSpecificConfig`, of FLAC the stream info, of Apple Lossless the atom, of Opus and
    /// Vorbis their headers.
    package var magicCookie: [UInt8] {
        guard let parameters, parameters.pointee.extradata_size > 0 else { return [] }
        return Array(
            UnsafeBufferPointer(start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size))
        )
    }

    /// The next packet of sound, or `nil` at the end.
    /// - Throws: The stream's error. Reading may be tried again after `seek(toFrame:)`.
    package func nextPacket() throws(MediaError) -> MediaPacket? {
        if pending == nil, let chain { return try chain.nextPacket() }
        if pending == nil { pending = try read() }
        guard var packet = pending else { return try goOnInChain() ? chain?.nextPacket() : nil }
        pending = nil
        guard let padding = paddingIfLast(packet) else { return packet }
        // Should reading on fail, it is still the next one.
        pending = packet
        pending = try read()
        if pending == nil { packet.endTrim = padding }
        return packet
    }

    /// The next packet after `pending`.
    func read() throws(MediaError) -> MediaPacket? {
        while try format.readPacket(into: scratch) {
            noteOggPage(scratch)
            if !isStale, !isHeaderOfNext() { return try take() }
            av_packet_unref(scratch)
        }
        noteEnd()
        return nil
    }

    /// Whether a packet is one of the headers of another recording in a chain, which no decoder takes.
    private func isHeaderOfNext() -> Bool {
        guard notes.container == "ogg", lastOffsets.1 >= 0 else { return false }
        if OggChain.isFLACHeader(scratch) {
            next = Next(isFLAC: true)
            OggChain.putStreamInfo(of: scratch, into: format.stream.pointee.codecpar)
        } else if let delay = OggChain.opusDelay(scratch) {
            next = Next(isFLAC: false, delay: delay)
        }
        guard let next else { return false }
        self.next?.tags = OggTags.inHeader(scratch, isFLAC: next.isFLAC) ?? next.tags
        return next.isFLAC ? !OggChain.isFLACFrame(scratch) : OggChain.isOpusHeader(scratch)
    }

    /// Returns the padding of `packet` if it is the last one; `nil` if there is none.
    private func paddingIfLast(_ packet: MediaPacket) -> Int? {
        guard growsToItsLength, let start = packet.startFrame, let count = packet.frameCount else { return nil }
        let stated = timing.frameCount(ofTicks: format.stream.pointee.duration).subtractingClamped(start)
        // Bounded: `stated` lies in 0..<`count`.
        return 0..<Int64(count) ~= stated ? count - Int(stated) : nil
    }

    private static func noSound(_ name: String) -> MediaError {
        MediaError(.corrupt, "There is not one frame of sound in it.", name: name)
    }

    /// Begins anew at the start of the stream.
    ///
    /// In a chain libavformat has let go of the first recording when it has come to another; and in an Ogg file of a single
    /// page it reckons the positions in another way once it has been through.
    func reopen() throws(MediaError) {
        let stream = stream
        format = try LibavContext(stream: stream, raw: format.raw)
        _ = format.takeStreamTags()
        isInChain = false
        timing.breakOff()
        timing.endTrimExcess = firstEndTrimExcess
        lost.breakOff()
        breakOff()
    }

    /// Says that the next packet is another one than the next in line.
    func breakOff() {
        pending = nil
        format.splitter?.breakOff()
        format.freeSplitter?.breakOff()
        lastOffsets = (-1, -1)
        holes.breakOff()
        (isStale, isBehindHole) = (false, false)
        (lostSound, soundLeft, endPosition) = (MissingAudio(), nil, nil)
        format.vorbis = nil
        awaitsSound = false
        next = nil
    }

    /// Makes a `MediaPacket` of what was read into `scratch`.
    private func take() throws(MediaError) -> MediaPacket? {
        guard scratch.pointee.size > 0 else { return nil }
        let trim = PacketTrim.of(scratch)
        let beginsRecording =
            next != nil || lastOffsets.1 >= 0 && OggChain.begins(with: scratch, of: notes.container)
        let delay = next?.delay ?? Int(trim.start)
        let tags = tags(beginsRecording: beginsRecording)
        next = nil
        lastOffsets = (lastOffsets.1, scratch.pointee.pos)
        let lostSound = takeLostSound()
        let offset = scratch.pointee.pos >= 0 ? scratch.pointee.pos.addingClamped(lost.lag) : nil
        let lostBefore = timing.isExact ? lost.takeMissing() : 0
        if lostBefore > 0 { timing.jump(toPacket: timing.nextPacket.addingClamped(lostBefore), exactly: true) }
        let number = timing.nextPacket
        if beginsRecording {
            awaitsSound = format.stream.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_VORBIS
        } else if awaitsSound, OggChain.isSound(scratch) {
            awaitsSound = false
            timing.endTrimExcess = OggChain.endTrimExcess(after: scratch, timing)
        }
        var timestamp = scratch.pointee.pts == syrinx_no_timestamp() ? nil : scratch.pointee.pts
        if let page = notes.firstPage, page.offset == scratch.pointee.pos, !lostSound.hasDelay {
            timestamp = timestamp.map { $0.addingClamped(page.start) }
        }
        let place = timing.place(
            timestamp: timestamp,
            duration: scratch.pointee.duration,
            endTrim: Int64(trim.end)
        )
        noteFLACFrame(endingAt: place.start.flatMap { start in place.frameCount.map { start.addingClamped($0) } })
        if timing.method == .counted, timing.isExact, let offset {
            noteSize(of: scratch, number: number, at: offset)
            index.note(packet: number, at: offset)
            if info.frameCount == nil, number > 0, number % Self.estimateInterval == 0 {
                estimateDuration(number, offset)
            }
        }
        guard let box = PacketBox(moving: scratch) else { throw MediaError.outOfMemory(stream.name) }
        return MediaPacket(
            box: box,
            startFrame: place.start,
            frameCount: place.frameCount.map { Int(clamping: $0) },
            byteOffset: offset,
            endTrim: Int(clamping: endTrimBehindHole(place.frameCount) ?? place.endTrim),
            startTrim: (notes.hasNoCommonClock || beginsRecording) && !lostSound.hasDelay ? delay : 0,
            lostBefore: Int(clamping: lostBefore).addingClamped(lostSound.count),
            lostFrames: lostSound.frames,
            endPosition: endPosition,
            beginsRecording: beginsRecording,
            tags: tags
        )
    }

    /// Returns the tags of another recording, as far as they come with this packet.
    private func tags(beginsRecording: Bool) -> [String: String]? {
        // With the first of all it comes too, and is known.
        guard lastOffsets.1 >= 0 else { return nil }
        if let next { return next.tags ?? [:] }
        if let told = OggTags.beside(scratch) { return told }
        let isOpus = format.stream.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_OPUS
        return beginsRecording && isOpus ? format.takeStreamTags() : nil
    }

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

    /// Says how many frames there were, once all have been seen.
    func setFrameCount(_ count: Int64) {
        guard let count = StatedLimits.plausible(count) else { return }
        info.frameCount = count
        info.duration = Double(count) / info.sampleRate
        info.durationIsExact = true
        info.size = info.size ?? stream.length
    }
}

extension LibavContext {
    /// Takes the stream's properties, so that later ones do not come on top of them.
    func takeStreamTags() -> [String: String] {
        var tags: [String: String] = [:]
        tags.merge(stream.pointee.metadata)
        av_dict_free(&stream.pointee.metadata)
        return tags.withoutMaking
    }

    /// So many damaged places are passed over before the rest is given up.
    private static let patience = 1024
    /// So often it may fail without moving on: what it has buffered may hold several damaged packets.
    private static let stuckPatience = 32

    /// Returns the error for a missing packet where the stream has failed.
    private func error(_ failure: ByteStreamError) -> MediaError {
        let isMP4 = container.hasPrefix("mov")
        guard failure.code == .notSeekable, isMP4 else { return MediaError(failure) }
        let message =
            "Its index lies at its end, and the server gives it from front to end only: it can be heard when it is downloaded."
        return MediaError(.notSeekable, message, name: name)
    }

    /// Reads the next packet of the audio stream; false at the end.
    func readPacket(into packet: UnsafeMutablePointer<AVPacket>) throws(MediaError) -> Bool {
        if splitter != nil { return try readFrame(into: packet) }
        return freeSplitter == nil ? try readChunk(into: packet) : try readFreeFrame(into: packet)
    }

    /// Reads what libavformat has next of the audio stream: a packet, or some bytes of a FLAC file; false at the end.
    func readChunk(into packet: UnsafeMutablePointer<AVPacket>) throws(MediaError) -> Bool {
        var damaged = 0
        var stuck = 0
        while true {
            let before = avio_tell(bridge.context)
            let status = av_read_frame(context, packet)
            if let failure = bridge.failure {
                // The last packet may have been cut short by the failure, without a sign of it.
                av_packet_unref(packet)
                throw error(failure)
            }
            if status >= 0 {
                // Of samples without a header, a part of a frame may be left at the end, which is none.
                // Bounded: a remainder is no more than the size.
                if let raw { av_shrink_packet(packet, packet.pointee.size - packet.pointee.size % raw.bytesPerFrame) }
                if packet.pointee.stream_index == stream.pointee.index, packet.pointee.size > 0 { return true }
                av_packet_unref(packet)
                continue
            }
            if status == syrinx_error_out_of_memory() { throw Self.tooLargeTable(name) }
            damaged += 1
            stuck = avio_tell(bridge.context) <= before ? stuck + 1 : 0
            let isHopeless = damaged > Self.patience || stuck > Self.stuckPatience
            if status != syrinx_error_invalid_data() || isHopeless { return false }
        }
    }
}
