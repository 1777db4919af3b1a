internal import ByteStream
internal import CFFmpeg

/// Sound that is missing before a packet.
struct MissingAudio: Equatable {
    /// Holes, of which each counts as a packet.
    var count = 0
    /// At the rate of the first recording.
    var frames: Int64 = 0
    /// Whether the decoder's delay at the start of a recording is part of it.
    var hasDelay = false

    /// Adds frames, of which there may be as many as no recording has.
    mutating func add(_ frames: Int64) { self.frames = min(self.frames.addingClamped(frames), Self.most) }

    private static let most: Int64 = 1 << 60
}

extension MediaDemuxer {
    /// Looks at the page that the packet in `packet` begins in, where that is another than that of the packet before.
    ///
    /// Behind a hole its timestamp is put right.
    func noteOggPage(_ packet: UnsafeMutablePointer<AVPacket>) {
        let offset = packet.pointee.pos
        guard notes.container == "ogg", offset >= 0, packet.pointee.size > 0 else { return }
        format.noteVorbisHeaders(in: packet)
        let bridge = format.bridge
        guard offset != holes.place.lowerBound else {
            // libavformat does not know where the page begins.
            if isBehindHole { packet.pointee.pts = syrinx_no_timestamp() }
            return
        }
        (soundLeft, endPosition, isBehindHole, isStale) = (nil, nil, false, false)
        guard let page = OggPage(bridge.passed(at: offset, count: OggPage.largestHeader)) else {
            return holes.breakOff()
        }
        if page.isLast { endPosition = page.position }
        let hole = holes.hole(
            before: page,
            at: offset..<offset.addingClamped(Int64(page.end)),
            between: { bridge.stretch(of: $0) },
            sound: { format.sound(ofPageAt: offset, size: page.end, from: packet) }
        )
        isStale = hole.isStale
        lostSound.add(hole.endCount.scaled(by: pageScale))
        pageScale = scale
        if hole.endCount > 0 { lostSound.count += 1 }
        guard hole.count > 0 else { return }
        // A first packet of Vorbis decodes to nothing, and has a duration.
        packet.pointee.pts = hole.end.subtractingClamped(delayInPositions)
            .subtractingClamped(isVorbis ? packet.pointee.duration : 0)
        (soundLeft, isBehindHole) = (hole.soundLeft, true)
        lostSound.count += 1
        lostSound.hasDelay = hole.isAtFront
        lostSound.add(max(hole.count.subtractingClamped(hole.isAtFront ? delayInPositions : 0), 0).scaled(by: scale))
    }

    /// Whether a frame of this recording was in pages at its start that are lost.
    func isInLostFront(_ frame: Int64) -> Bool { notes.hasLostFront && frame < firstStart }

    /// Returns the padding of a packet of `count` frames, in the last page after a gap.
    func endTrimBehindHole(_ count: Int64?) -> Int64? {
        guard let left = soundLeft, let count else { return nil }
        soundLeft = left.subtractingClamped(count)
        return min(max(count.subtractingClamped(left), 0), count)
    }

    /// Returns the sound missing before the next packet, and resets it.
    func takeLostSound() -> MissingAudio {
        defer { lostSound = MissingAudio() }
        return lostSound
    }

    /// Returns the sound missing after the last packet.
    func takeLostAtEnd() -> MissingAudio {
        if let chain { return chain.takeLost() }
        let (chained, place) = (knownChain?.takeLost(), holes.place.upperBound)
        guard notes.container == "ogg", place > 0, place < .max else { return chained ?? MissingAudio() }
        let frames = holes.lostAtEnd(format.bridge.stretch(of: place..<Int64.max)).scaled(by: pageScale)
        return frames > 0 ? MissingAudio(count: 1, frames: frames) : chained ?? MissingAudio()
    }

    /// Frames of the first recording in one of that which is read.
    private var scale: Double {
        guard let rate = format.stream.pointee.codecpar?.pointee.sample_rate, rate > 0 else { return 1 }
        return Double(timing.sampleRate) / Double(rate)
    }

    private var isVorbis: Bool { format.stream.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_VORBIS }

    /// By so much libavformat's timestamps are lower than the positions: those of Opus count the delay at the start.
    private var delayInPositions: Int64 { PacketTrim.opusPreSkip(of: format.stream) ?? 0 }
}

extension LibavContext {
    /// Takes the headers of a later recording in a chain, where a packet has them: so it is with Vorbis.
    func noteVorbisHeaders(in packet: UnsafePointer<AVPacket>) {
        var size = 0
        guard let headers = av_packet_get_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, &size) else { return }
        vorbis = VorbisLengths(headers, size)
    }

    /// Returns the durations of the packets that begin and end in an Ogg page after a gap, from the given one on; `nil` if they
    /// are not known.
    func sound(ofPageAt offset: Int64, size: Int, from first: UnsafePointer<AVPacket>) -> OggPacketDurations? {
        guard let parameters = stream.pointee.codecpar, OggPacketDurations.codecs.contains(parameters.pointee.codec_id)
        else {
            return nil
        }
        let bytes = bridge.passed(at: offset, count: size)
        guard bytes.count == size else { return nil }
        let firstBytes = UnsafeBufferPointer(start: first.pointee.data, count: Int(first.pointee.size))
        var packets = OggPage.wholePackets(bytes)
        // The one before it libavformat may have taken for the rest of one that was lost.
        if let index = packets.firstIndex(where: { $0.elementsEqual(firstBytes) }) { packets.removeFirst(index) }
        if parameters.pointee.codec_id == AV_CODEC_ID_OPUS { return OggPacketDurations(opus: packets) }
        guard let headers = parameters.pointee.extradata else { return nil }
        let headerSize = Int(parameters.pointee.extradata_size)
        if parameters.pointee.codec_id == AV_CODEC_ID_FLAC {
            let info = FLACStreamInfo(Array(UnsafeBufferPointer(start: headers, count: headerSize)))
            return info.flatMap { OggPacketDurations(flac: packets, $0) }
        }
        if vorbis == nil { vorbis = VorbisLengths(headers, headerSize) }
        return vorbis.flatMap { OggPacketDurations(vorbis: packets, $0) }
    }
}

extension AVIOBridge {
    /// Returns the pages in a range that libavformat has read.
    func stretch(of range: Range<Int64>) -> OggGapDetector.Stretch {
        var stretch = OggGapDetector.Stretch()
        var place = range.lowerBound
        while place < range.upperBound, stretch.pages.count < Self.mostPages {
            let head = passed(at: place, count: OggPage.largestHeader)
            guard let page = OggPage(head) else {
                // Less may be the start of a page of which no more has come.
                if head.count == OggPage.largestHeader { stretch.isBroken = true }
                break
            }
            let bytes = passed(at: place, count: page.end)
            guard bytes.count == page.end else { break }
            let isWhole = OggPage.isWhole(bytes)
            stretch.pages.append((page, isWhole))
            if !isWhole { stretch.isBroken = true }
            place += Int64(page.end)
        }
        return stretch
    }

    /// Tags with a picture take as many pages of headers; a hole is no longer than some seconds.
    private static let mostPages = 256
}
