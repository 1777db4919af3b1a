internal import CFFmpeg

/// Decodes packets to float samples, one buffer a channel.
///
/// Owns libavcodec's decoder and what converts its output.
///
/// One thread at a time.
final class PacketDecoder {
    enum Outcome {
        case frame(Decoded)
        case needsPacket
        case damaged
        case ended
    }

    /// A decoded frame of the codec; its samples are in `channels` until the next call.
    struct Decoded {
        /// The number of its first sample, if the container told.
        var start: Int64?
        /// Where the page of Ogg lies in which its packet begins.
        var page: Int64
        var count: Int
        /// Padding at its end.
        var endTrim: Int
        /// Delay at its start.
        var startTrim: Int
    }

    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    /// They belong to the demuxer, which outlives this.
    private var parameters: UnsafeMutablePointer<AVCodecParameters>
    private let converter: FrameConverter
    private let name: String
    private var endTrim = 0
    private var startTrim = 0
    private var page: Int64 = -1
    private var countsAlone = false

    /// The samples of the last frame.
    var channels: UnsafePointer<UnsafeMutablePointer<Float>> { UnsafePointer(converter.channels) }

    init(
        parameters: UnsafeMutablePointer<AVCodecParameters>,
        name: String,
        roundsIntegersDown: Bool = false
    ) throws(MediaError) {
        self.name = name
        self.parameters = parameters
        converter = try FrameConverter(
            sampleRate: parameters.pointee.sample_rate,
            layout: &parameters.pointee.ch_layout,
            name: name,
            roundsIntegersDown: roundsIntegersDown
        )
        frame = av_frame_alloc()
        packet = av_packet_alloc()
        try open()
    }

    deinit {
        avcodec_free_context(&context)
        av_frame_free(&frame)
        av_packet_free(&packet)
    }

    private func open() throws(MediaError) {
        let codecName = String(cString: avcodec_get_name(parameters.pointee.codec_id))
        guard let codec = avcodec_find_decoder(parameters.pointee.codec_id) else {
            throw MediaError(.unsupported, "Its codec (\(codecName)) cannot be decoded here.", name: name)
        }
        avcodec_free_context(&context)
        context = avcodec_alloc_context3(codec)
        guard let context, frame != nil, packet != nil else { throw MediaError.outOfMemory(name) }
        var status = avcodec_parameters_to_context(context, parameters)
        context.pointee.pkt_timebase = AVRational(num: 1, den: parameters.pointee.sample_rate)
        // What to drop is decided here, not there: after a seek libavcodec's idea of it would be wrong.
        context.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
        context.pointee.thread_count = 1
        if status >= 0 { status = avcodec_open2(context, codec, nil) }
        guard status >= 0 else {
            let why = "Its codec (\(codecName)) cannot be decoded: \(describe(averror: status))."
            throw MediaError(.corrupt, why, name: name)
        }
    }

    /// Gives the decoder a packet, or `nil` at the end; false if the packet is damaged.
    /// - Parameter countsAlone: Whether the start of what is decoded is to be as its own recording in a chain of Ogg counts.
    func send(_ next: MediaPacket?, countsAlone: Bool = false) throws(MediaError) -> Bool {
        guard let packet else { throw MediaError.outOfMemory(name) }
        guard let next else { return avcodec_send_packet(context, nil) >= 0 }
        // A reference of its own, because its timestamp is set here: frames of the recording.
        guard av_packet_ref(packet, next.box.packet) >= 0 else { throw MediaError.outOfMemory(name) }
        defer { av_packet_unref(packet) }
        page = packet.pointee.pos
        self.countsAlone = countsAlone
        if !countsAlone { packet.pointee.pts = next.startFrame ?? syrinx_no_timestamp() }
        packet.pointee.dts = packet.pointee.pts
        endTrim = next.endTrim
        startTrim = next.startTrim
        let status = avcodec_send_packet(context, packet)
        if status == syrinx_error_out_of_memory() { throw MediaError.outOfMemory(name) }
        return status >= 0
    }

    /// Gives the decoder the bytes of a packet, of which no more is known; false if they are damaged.
    func send(_ bytes: UnsafeRawBufferPointer) throws(MediaError) -> Bool {
        guard let packet, av_new_packet(packet, Int32(clamping: bytes.count)) >= 0, let data = packet.pointee.data
        else {
            throw MediaError.outOfMemory(name)
        }
        defer { av_packet_unref(packet) }
        if let base = bytes.baseAddress { UnsafeMutableRawPointer(data).copyMemory(from: base, byteCount: bytes.count) }
        return avcodec_send_packet(context, packet) >= 0
    }

    /// Takes the next decoded frame.
    func receive() throws(MediaError) -> Outcome {
        let status = avcodec_receive_frame(context, frame)
        if status == syrinx_error_again() { return .needsPacket }
        if status == syrinx_error_eof() { return .ended }
        if status == syrinx_error_out_of_memory() { throw MediaError.outOfMemory(name) }
        guard status >= 0, let frame, frame.pointee.nb_samples > 0 else { return .damaged }
        let stamp = frame.pointee.pts
        let count = try converter.convert(frame)
        defer {
            endTrim = 0
            startTrim = 0
        }
        // A recording in a chain counts at its own rate.
        let scale = countsAlone ? converter.scale(of: frame) : 1
        let start = stamp == syrinx_no_timestamp() ? nil : stamp.scaled(by: scale)
        return .frame(
            Decoded(
                start: start,
                page: page,
                count: count,
                endTrim: min(endTrim, count),
                startTrim: min(startTrim, count)
            )
        )
    }

    /// Forgets everything, for packets from another place.
    ///
    /// It opens the decoder anew: flushed ones keep some of their past (AAC the shape of the last window), and then the
    /// same packets decode to other samples than the first time.
    func restart(_ parameters: UnsafeMutablePointer<AVCodecParameters>) throws(MediaError) {
        self.parameters = parameters
        try open()
        converter.reset()
        endTrim = 0
        startTrim = 0
    }
}

/// Brings decoded frames to float, one buffer a channel, at the rate and in the channels that the recording began with.
final class FrameConverter {
    private(set) var channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let channelCount: Int
    private let sampleRate: Int32
    private var layout = AVChannelLayout()
    private let name: String
    /// Whether integers of more than 24 bits are cut to what a float holds, and not rounded to the nearest.
    private let roundsIntegersDown: Bool
    private var storage: UnsafeMutablePointer<Float>
    private var capacity: Int
    private var resampler: OpaquePointer?
    /// What the resampler takes.
    private var input: (format: Int32, rate: Int32, channels: Int32)?

    init(
        sampleRate: Int32,
        layout: UnsafePointer<AVChannelLayout>,
        name: String,
        roundsIntegersDown: Bool = false
    ) throws(MediaError) {
        self.sampleRate = sampleRate
        self.name = name
        self.roundsIntegersDown = roundsIntegersDown
        channelCount = Int(layout.pointee.nb_channels)
        capacity = 0
        storage = .allocate(capacity: 0)
        channels = .allocate(capacity: channelCount)
        channels.initialize(repeating: storage, count: channelCount)
        guard av_channel_layout_copy(&self.layout, layout) >= 0 else { throw MediaError.outOfMemory(name) }
    }

    deinit {
        swr_free(&resampler)
        av_channel_layout_uninit(&layout)
        storage.deallocate()
        channels.deallocate()
    }

    func reset() {
        swr_free(&resampler)
        input = nil
    }

    /// Converts a frame into `channels`, and returns how many samples a channel there are.
    func convert(_ frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) -> Int {
        let count = Int(frame.pointee.nb_samples)
        let isInShape =
            frame.pointee.sample_rate == sampleRate && Int(frame.pointee.ch_layout.nb_channels) == channelCount
        guard let data = frame.pointee.extended_data else { return 0 }
        if roundsIntegersDown, isInShape, let stride = integerStride(frame.pointee.format) {
            reserve(count)
            for channel in 0..<channelCount { cutIntegers(data, channel, stride: stride, count: count) }
            return count
        }
        if isInShape, frame.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue {
            reserve(count)
            for channel in 0..<channelCount {
                data[channel]?.withMemoryRebound(to: Float.self, capacity: count) { source in
                    channels[channel].update(from: source, count: count)
                }
            }
            return count
        }
        try prepare(for: frame)
        reserve(Int(swr_get_out_samples(resampler, Int32(count))))
        return try channels.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: channelCount) {
            (output) throws(MediaError) -> Int in
            let source = UnsafeMutableRawPointer(data).assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
            let made = swr_convert(resampler, output, Int32(capacity), source, Int32(count))
            guard made >= 0 else { throw MediaError(.corrupt, "Its sound cannot be converted.", name: name) }
            return Int(made)
        }
    }

    /// Frames given out for one of `frame`.
    func scale(of frame: UnsafeMutablePointer<AVFrame>) -> Double {
        frame.pointee.sample_rate > 0 ? Double(sampleRate) / Double(frame.pointee.sample_rate) : 1
    }

    /// How far a channel's next integer of 32 bits is from the last; `nil` for samples of other forms.
    private func integerStride(_ format: Int32) -> Int? {
        switch format {
        case AV_SAMPLE_FMT_S32.rawValue: channelCount
        case AV_SAMPLE_FMT_S32P.rawValue: 1
        default: nil
        }
    }

    /// Without their lowest 8 bits, integers are exact in a float.
    private func cutIntegers(
        _ data: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        _ channel: Int,
        stride: Int,
        count: Int
    ) {
        guard let plane = data[stride == 1 ? channel : 0] else { return }
        let source = UnsafeRawPointer(plane).advanced(by: stride == 1 ? 0 : channel * 4)
        let target = channels[channel]
        for frame in 0..<count {
            let sample = source.load(fromByteOffset: frame * stride * 4, as: Int32.self)
            target[frame] = Float(sample & ~0xFF) * 0x1p-31
        }
    }

    private func prepare(for frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) {
        let wanted = (
            format: frame.pointee.format, rate: frame.pointee.sample_rate,
            channels: frame.pointee.ch_layout.nb_channels
        )
        if let input, input == wanted { return }
        reset()
        // The same channels keep their order, whatever each of the two calls it.
        let isSame = wanted.channels == layout.nb_channels
        let status = withUnsafeMutablePointer(to: &layout) { own in
            withUnsafeMutablePointer(to: &frame.pointee.ch_layout) { theirs in
                swr_alloc_set_opts2(
                    &resampler,
                    own,
                    AV_SAMPLE_FMT_FLTP,
                    sampleRate,
                    isSame ? own : theirs,
                    AVSampleFormat(rawValue: wanted.format),
                    wanted.rate,
                    0,
                    nil
                )
            }
        }
        guard status >= 0, swr_init(resampler) >= 0 else {
            throw MediaError(.corrupt, "Its sound changes to a form that cannot be converted.", name: name)
        }
        input = wanted
    }

    private func reserve(_ count: Int) {
        guard count > capacity else { return }
        storage.deallocate()
        capacity = count
        storage = .allocate(capacity: count * channelCount)
        for channel in 0..<channelCount { channels[channel] = storage + channel * count }
    }
}
