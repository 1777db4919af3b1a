internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Determines how the positions of a container's packets can be computed.
struct PacketTimelineBuilder {
    let format: LibavContext
    let first: UnsafePointer<AVPacket>?
    let statement: ContainerStatement

    private var stream: UnsafeMutablePointer<AVStream> { format.stream }
    private var clock: ClockStatement { statement.clock }
    private var isBare: Bool { format.container.framing == .bareFrames }

    func build() -> PacketTimeline? {
        guard let parameters = stream.pointee.codecpar, var timing = build(parameters) else { return nil }
        // An Opus packet states its length, in units of 2.5 ms.
        if parameters.pointee.codec_id == AV_CODEC_ID_OPUS { timing.lengthUnit = timing.sampleRate / 400 }
        return timing
    }

    private func build(_ parameters: UnsafePointer<AVCodecParameters>) -> PacketTimeline? {
        let sampleRate = Int64(parameters.pointee.sample_rate)
        let base = stream.pointee.time_base
        guard base.num > 0, base.den > 0, sampleRate > 0 else { return nil }
        let tick = (numerator: Int64(base.num), denominator: Int64(base.den))
        let plain = PacketTimeline(method: .timestamps, sampleRate: sampleRate, tick: tick)
        let fixed = framesPerPacket(parameters, plain)
        if isBare, fixed > 0 { return counted(plain, framesPerPacket: fixed) }
        if (format.context.pointee.iformat?.pointee.flags ?? 0) & AVFMT_NOTIMESTAMPS != 0, fixed == 0, format.raw == nil
        {
            return PacketTimeline(method: .missing, sampleRate: sampleRate, tick: tick)
        }
        // Bounded: two numbers of 31 bits.
        let scale = sampleRate * tick.numerator
        // In HE-AAC a tick can be two frames.
        if clock.isCommon, !clock.isRounded, tick.denominator % scale == 0 || tick.denominator * 2 == scale {
            var timing = PacketTimeline(
                method: .timestamps,
                sampleRate: sampleRate,
                tick: tick,
                origin: clock.origin ?? origin(plain),
                framesPerPacket: fixed,
                startSkip: movedSkip(plain)
            )
            timing.endTrimExcess = plain.frames(clock.silentTicks)
            return timing
        }
        var timing = PacketTimeline(
            method: fixed > 0 && clock.isCommon ? .grid : .rounded,
            sampleRate: sampleRate,
            tick: tick,
            origin: (clock.isRounded ? clock.origin : nil) ?? known(first?.pointee.pts)
                ?? known(stream.pointee.start_time) ?? 0,
            framesPerPacket: fixed,
            // Each of several joined recordings has its own delay, which its first packet states.
            startSkip: clock.isCommon ? startSkip : 0
        )
        timing.endTrimExcess = plain.frames(clock.silentTicks)
        return timing
    }

    private func counted(_ plain: PacketTimeline, framesPerPacket: Int64) -> PacketTimeline {
        PacketTimeline(
            method: .counted,
            sampleRate: plain.sampleRate,
            tick: plain.tick,
            framesPerPacket: framesPerPacket,
            startSkip: statement.delay.startSkip,
            padding: statement.delay.padding(framesPerPacket: framesPerPacket)
        )
    }

    /// Returns the number of frames per packet, for codecs in which it is constant.
    private func framesPerPacket(_ parameters: UnsafePointer<AVCodecParameters>, _ plain: PacketTimeline) -> Int64 {
        switch parameters.pointee.codec_id {
        case AV_CODEC_ID_AAC, AV_CODEC_ID_AAC_LATM, AV_CODEC_ID_MP3, AV_CODEC_ID_MP3ADU, AV_CODEC_ID_MP2,
            AV_CODEC_ID_MP1, AV_CODEC_ID_AC3,
            AV_CODEC_ID_EAC3,
            AV_CODEC_ID_DTS:
            let stated = first.map { plain.frames($0.pointee.duration) } ?? 0
            let usual = Int64(parameters.pointee.frame_size)
            // In a stream without a container, the parser computes exact durations.
            return isBare && stated > 0 ? stated : usual
        case AV_CODEC_ID_OPUS:
            return first.map { plain.frames($0.pointee.duration) } ?? 0
        default:
            return 0
        }
    }

    /// Returns the timestamp of the first audible frame.
    private func origin(_ plain: PacketTimeline) -> Int64 {
        let start = known(first?.pointee.pts)
        if let leading = clock.leadingFrames { return (start ?? 0).addingClamped(plain.timestamp(ofFrame: leading)) }
        // The first packet states the encoder delay, in ticks or in frames.
        if let first, let start, case let skip = PacketTrim.of(first).start, skip > 0 {
            let ticks = clock.countsDelayInTicks ? Int64(skip) : plain.timestamp(ofFrame: Int64(skip))
            return start.addingClamped(ticks)
        }
        let origin = clock.fallbackOrigin ?? known(stream.pointee.start_time) ?? start ?? 0
        let delay = stream.pointee.codecpar.map { DecoderDelay.frames($0) } ?? 0
        return delay > 0 ? origin.addingClamped(plain.timestamp(ofFrame: delay)) : origin
    }

    /// Returns the encoder delay in frames, if libavformat only shifts the timestamps by it.
    ///
    /// libavformat does so for the edit list of a fragmented MP4 file.
    private func movedSkip(_ plain: PacketTimeline) -> Int64 {
        guard clock.countsDelayInTicks, let first, PacketTrim.of(first).start == 0,
            let start = known(first.pointee.pts),
            start < 0
        else { return 0 }
        return min(plain.frames(Int64(0).subtractingClamped(start)), 1 << 16)
    }

    private var startSkip: Int64 {
        if let skip = PacketTrim.opusPreSkip(of: stream) { return skip }
        if let first, case let skip = PacketTrim.of(first).start, skip > 0 { return Int64(skip) }
        return stream.pointee.codecpar.map { DecoderDelay.frames($0) } ?? 0
    }

    private func known(_ timestamp: Int64?) -> Int64? {
        timestamp.flatMap { $0 == syrinx_no_timestamp() ? nil : $0 }
    }
}
