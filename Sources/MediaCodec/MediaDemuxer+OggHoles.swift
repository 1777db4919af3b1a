internal import ByteStream
internal import CFFmpeg

/// Sound that is missing before a packet.
struct LostSound: Equatable {
    /// Holes, of which each counts as a packet.
    var count = 0
    /// At the rate of the first recording.
    var frames: Int64 = 0
    /// Whether the decoder's delay at the start of a recording is part of it.
    var hasDelay = false
}

extension MediaDemuxer {
    /// Looks at the page that the packet in `packet` begins in, where that is another than that of the packet before.
    ///
    /// Behind a hole its timestamp is put right.
    func noteOggPage(_ packet: UnsafeMutablePointer<AVPacket>) {
        let offset = packet.pointee.pos
        guard notes.container == "ogg", offset >= 0, packet.pointee.size > 0 else { return }
        defer { lastFirstByte = packet.pointee.data[0] }
        var size = 0
        if let headers = av_packet_get_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, &size) {
            laterHeaders = Array(UnsafeBufferPointer(start: headers, count: size))
        }
        let bridge = format.bridge
        guard offset != holes.place.lowerBound else { return }
        guard let page = OggPage(bridge.passed(at: offset, count: OggPage.largestHeader)) else {
            return holes.breakOff()
        }
        (soundLeft, endPosition) = (nil, page.isLast ? page.position : nil)
        let hole = holes.hole(
            before: page,
            at: offset..<offset + Int64(page.end),
            between: { bridge.stretch(of: $0) },
            sound: { sound(of: OggPage.wholePackets(bridge.passed(at: offset, count: page.end))) }
        )
        lostSound.frames += hole.endCount.scaled(by: pageScale)
        pageScale = scale
        if hole.endCount > 0 { lostSound.count += 1 }
        guard hole.count > 0 else { return }
        packet.pointee.pts = hole.end - delayInPositions - (isSilent ? packet.pointee.duration : 0)
        soundLeft = hole.soundLeft
        lostSound.count += 1
        lostSound.hasDelay = hole.isAtFront
        lostSound.frames += max(hole.count - (hole.isAtFront ? delayInPositions : 0), 0).scaled(by: scale)
    }

    /// Whether a frame of this recording was in pages at its start that are lost.
    func isInLostFront(_ frame: Int64) -> Bool { notes.hasLostFront && frame < firstStart }

    /// What of a packet of `count` frames is padding, in the last page behind a hole.
    func endTrimBehindHole(_ count: Int64?) -> Int64? {
        guard let left = soundLeft, let count else { return nil }
        soundLeft = left - count
        return min(max(count - left, 0), count)
    }

    /// What is missing before the next packet; it counts once.
    func takeLostSound() -> LostSound {
        defer { lostSound = LostSound() }
        return lostSound
    }

    /// What is missing behind the last packet.
    func takeLostAtEnd() -> LostSound {
        if let chain { return chain.takeLost() }
        let (chained, place) = (knownChain?.takeLost(), holes.place.upperBound)
        guard notes.container == "ogg", place > 0, place < .max else { return chained ?? LostSound() }
        let frames = holes.lostAtEnd(format.bridge.stretch(of: place..<Int64.max)).scaled(by: pageScale)
        return frames > 0 ? LostSound(count: 1, frames: frames) : chained ?? LostSound()
    }

    /// Frames of the first recording in one of that which is read.
    private var scale: Double {
        guard let rate = format.stream.pointee.codecpar?.pointee.sample_rate, rate > 0 else { return 1 }
        return Double(timing.sampleRate) / Double(rate)
    }

    private func sound(of packets: [ArraySlice<UInt8>]) -> OggSound? {
        switch format.stream.pointee.codecpar?.pointee.codec_id {
        case AV_CODEC_ID_OPUS: OggSound(opus: packets)
        case AV_CODEC_ID_FLAC: FLACStreamInfo(magicCookie).flatMap { OggSound(flac: packets, $0) }
        case AV_CODEC_ID_VORBIS: OggSound(vorbis: packets, after: lastFirstByte, laterHeaders ?? magicCookie)
        default: nil
        }
    }

    /// Whether the next packet is the first of Vorbis, which decodes to nothing and has a duration.
    private var isSilent: Bool {
        format.stream.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_VORBIS && lastFirstByte & 1 != 0
    }

    /// By so much libavformat's timestamps are lower than the positions: those of Opus count the delay at the start.
    private var delayInPositions: Int64 {
        guard let parameters = format.stream.pointee.codecpar, parameters.pointee.codec_id == AV_CODEC_ID_OPUS,
            parameters.pointee.extradata_size >= 12, let header = parameters.pointee.extradata
        else { return 0 }
        return PacketTrim.opusPreSkip(header)
    }
}

extension StreamBridge {
    /// What lies in a range that libavformat has read.
    func stretch(of range: Range<Int64>) -> OggHoles.Stretch {
        var stretch = OggHoles.Stretch()
        var place = range.lowerBound
        while place < range.upperBound, stretch.pages.count < Self.mostPages {
            let head = passed(at: place, count: OggPage.largestHeader)
            guard let page = OggPage(head) else {
                stretch.isBroken = !head.isEmpty
                break
            }
            let isWhole = OggPage.isWhole(passed(at: place, count: page.end))
            stretch.pages.append((page, isWhole))
            if !isWhole { stretch.isBroken = true }
            place += Int64(page.end)
        }
        return stretch
    }

    /// Tags with a picture take as many pages of headers; a hole is no longer than some seconds.
    private static let mostPages = 256
}
