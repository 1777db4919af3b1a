internal import ByteStream
internal import CFFmpeg

/// Finds out how the packets of a container can be placed in time.
struct PacketTimelineBuilder {
    let stream: UnsafeMutablePointer<AVStream>
    let first: UnsafePointer<AVPacket>?
    let notes: ContainerMetadata

    private var container: String { notes.container }
    private var xing: XingHeader? { notes.xing }

    /// Streams of frames with nothing around them: they have no timestamps, and no index.
    private static let bare: Set<String> = ["mp3", "aac", "loas", "ac3", "eac3", "dts"]

    func build() -> PacketTimeline? {
        guard let parameters = stream.pointee.codecpar else { return nil }
        let sampleRate = Int64(parameters.pointee.sample_rate)
        let base = stream.pointee.time_base
        guard base.num > 0, base.den > 0, sampleRate > 0 else { return nil }
        let tick = (numerator: Int64(base.num), denominator: Int64(base.den))
        let plain = PacketTimeline(method: .timestamps, sampleRate: sampleRate, tick: tick)
        let fixed = framesPerPacket(parameters, plain)
        if Self.bare.contains(container), fixed > 0 { return counted(plain, framesPerPacket: fixed) }
        // Bounded: two numbers of 31 bits.
        let scale = sampleRate * tick.numerator
        // HE-AAC has ticks of two frames.
        if !notes.hasNoCommonClock, tick.denominator % scale == 0 || tick.denominator * 2 == scale {
            let silent = silentPacket(parameters)
            var timing = PacketTimeline(
                method: .timestamps,
                sampleRate: sampleRate,
                tick: tick,
                origin: notes.hasLostFront ? 0 : silent.map { $0.start.addingClamped($0.duration) } ?? origin(plain),
                framesPerPacket: fixed,
                startSkip: movedSkip(plain)
            )
            if let silent, silent.start == 0 { timing.endTrimExcess = plain.frames(silent.duration) }
            return timing
        }
        var timing = PacketTimeline(
            method: fixed > 0 && !notes.hasNoCommonClock ? .grid : .rounded,
            sampleRate: sampleRate,
            tick: tick,
            origin: known(first?.pointee.pts) ?? known(stream.pointee.start_time) ?? 0,
            framesPerPacket: fixed,
            // In a chain each recording has a delay of its own, which its first packet states.
            startSkip: notes.hasNoCommonClock ? 0 : startSkip
        )
        if let silent = silentPacket(parameters), silent.start == 0 {
            timing.endTrimExcess = plain.frames(silent.duration)
        }
        return timing
    }

    private func counted(_ plain: PacketTimeline, framesPerPacket: Int64) -> PacketTimeline {
        var padding: Range<Int64> = 0..<0
        var startSkip = xing?.startSkip ?? 0
        if startSkip == 0, let gapless = notes.gapless {
            // It does not count the decoder's own delay, which there is in layer 3 only.
            startSkip = gapless.startSkip + (container == "mp3" ? XingHeader.decoderDelay : 0)
            let end = startSkip.addingClamped(gapless.frameCount)
            padding = end..<end.dividedRoundingUp(by: framesPerPacket).multipliedClamped(by: framesPerPacket)
        } else if let xing, let packets = xing.packetCount, packets > 0 {
            if let end = packets.multipliedChecked(by: framesPerPacket),
                case let start = end.subtractingClamped(xing.endPadding), start > xing.startSkip
            {
                padding = start..<end
            }
        }
        return PacketTimeline(
            method: .counted,
            sampleRate: plain.sampleRate,
            tick: plain.tick,
            framesPerPacket: framesPerPacket,
            startSkip: startSkip,
            padding: padding
        )
    }

    /// Frames in each packet, for the codecs that always have the same number.
    private func framesPerPacket(_ parameters: UnsafePointer<AVCodecParameters>, _ plain: PacketTimeline) -> Int64 {
        let isBare = Self.bare.contains(container)
        switch parameters.pointee.codec_id {
        case AV_CODEC_ID_AAC, AV_CODEC_ID_AAC_LATM, AV_CODEC_ID_MP3, AV_CODEC_ID_MP3ADU, AV_CODEC_ID_MP2,
            AV_CODEC_ID_MP1, AV_CODEC_ID_AC3,
            AV_CODEC_ID_EAC3,
            AV_CODEC_ID_DTS:
            let stated = first.map { plain.frames($0.pointee.duration) } ?? 0
            let usual = Int64(parameters.pointee.frame_size)
            // A bare stream's durations are made by the parser, and exact.
            return isBare && stated > 0 ? stated : usual
        case AV_CODEC_ID_OPUS:
            return first.map { plain.frames($0.pointee.duration) } ?? 0
        default:
            return 0
        }
    }

    /// The first packet of Vorbis, which decodes to nothing, where libavformat counts it as sound.
    ///
    /// That is so where the first page of an Ogg file is also its last one: the positions then seem to begin a packet
    /// late, and that much too much is cut off the end.
    private func silentPacket(_ parameters: UnsafePointer<AVCodecParameters>) -> (start: Int64, duration: Int64)? {
        guard container == "ogg", parameters.pointee.codec_id == AV_CODEC_ID_VORBIS, let first,
            let start = known(first.pointee.pts), start >= 0
        else { return nil }
        return (start, first.pointee.duration)
    }

    /// The timestamp of the first frame that is heard.
    private func origin(_ plain: PacketTimeline) -> Int64 {
        let start = known(first?.pointee.pts)
        if let packetTable = notes.packetTable {
            return (start ?? 0).addingClamped(plain.timestamp(ofFrame: packetTable.startSkip))
        }
        // What the encoder put before it stands in the first packet; timestamps may count from there or from here.
        if let first, let start, case let skip = PacketTrim.of(first).start, skip > 0 {
            // MP4 counts it in ticks of the track, of which HE-AAC has one for two frames.
            return start.addingClamped(notes.isMP4 ? Int64(skip) : plain.timestamp(ofFrame: Int64(skip)))
        }
        return notes.firstPage?.start ?? known(stream.pointee.start_time) ?? start ?? 0
    }

    /// Frames before the first that is heard, where libavformat moves the timestamps by them and does no more.
    ///
    /// So it does with the edit list of a fragmented MP4.
    private func movedSkip(_ plain: PacketTimeline) -> Int64 {
        guard notes.isMP4, let first, PacketTrim.of(first).start == 0, let start = known(first.pointee.pts), start < 0
        else { return 0 }
        return min(plain.frames(Int64(0).subtractingClamped(start)), 1 << 16)
    }

    private var startSkip: Int64 {
        PacketTrim.opusPreSkip(of: stream) ?? first.map { Int64(PacketTrim.of($0).start) } ?? 0
    }

    private func known(_ timestamp: Int64?) -> Int64? {
        timestamp.flatMap { $0 == syrinx_no_timestamp() ? nil : $0 }
    }
}

/// A container's trim of a packet: frames to drop from its start and from its end.
struct PacketTrim: Equatable {
    var start: UInt32 = 0
    var end: UInt32 = 0

    /// The pre-skip, RFC 7845 section 5.1, in frames at 48 kHz, at which FFmpeg always decodes Opus.
    static func opusPreSkip(_ header: UnsafePointer<UInt8>) -> Int64 {
        Int64(header[10]) | Int64(header[11]) << 8
    }

    /// As the headers of a stream tell it; `nil` if it is not Opus.
    static func opusPreSkip(of stream: UnsafePointer<AVStream>) -> Int64? {
        guard let parameters = stream.pointee.codecpar, parameters.pointee.codec_id == AV_CODEC_ID_OPUS,
            parameters.pointee.extradata_size >= 12, let header = parameters.pointee.extradata
        else { return nil }
        return opusPreSkip(header)
    }

    /// The rate of the sound that was encoded, as the headers of a stream of Opus tell it; `nil` where they do not.
    static func opusInputRate(of stream: UnsafePointer<AVStream>) -> UInt32? {
        guard let parameters = stream.pointee.codecpar, parameters.pointee.codec_id == AV_CODEC_ID_OPUS,
            parameters.pointee.extradata_size >= 16, let header = parameters.pointee.extradata
        else { return nil }
        let rate = (12..<16).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(header[$1]) }
        return rate > 0 ? rate : nil
    }

    static func of(_ packet: UnsafePointer<AVPacket>) -> PacketTrim {
        var size = 0
        guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= 8 else {
            return PacketTrim()
        }
        let number = { (at: Int) in (0..<4).reduce(UInt32(0)) { $0 | UInt32(data[at + $1]) << (8 * UInt32($1)) } }
        return PacketTrim(start: number(0), end: number(4))
    }
}
