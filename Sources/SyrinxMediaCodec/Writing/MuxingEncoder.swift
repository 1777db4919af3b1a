internal import CSyrinxFFmpeg
internal import CoreAudioTypes
internal import SyrinxByteStream

/// Encodes samples and writes them into a container.
///
/// Owns libavcodec's encoder and libavformat's muxer.
final class MuxingEncoder {
    /// The encoder's sample rate.
    let sampleRate: Int32
    /// The number of frames per call; only the last call may have fewer, unless `takesAnyCount` is true.
    let frameSize: Int
    /// Whether the encoder accepts any number of frames in every call.
    let takesAnyCount: Bool

    private let output: AVIOOutputFile
    private let plan: EncoderConfiguration
    private let channelCount: Int
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var muxer: UnsafeMutablePointer<AVFormatContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private var position: Int64 = 0
    private let freeformTags: MP4FreeformAtoms?
    /// The header of a file that is readable while it grows.
    private var header: GrowingHeader?

    /// The frame size for encoders that accept any number of frames.
    private static let freeFrameSize = 4096

    init(
        plan: EncoderConfiguration,
        output: AVIOOutputFile,
        sampleRate: Int32,
        channelCount: Int,
        settings: MediaWriterSettings
    ) throws(SyrinxError) {
        self.plan = plan
        self.output = output
        self.channelCount = channelCount
        freeformTags = plan.container.delay == .editList && output.canBeReadBack ? MP4FreeformAtoms(settings.tags) : nil
        guard let codec = avcodec_find_encoder_by_name(plan.encoder) else {
            throw SyrinxError(.unsupported, "The encoder \(plan.encoder) is not available.", name: output.path)
        }
        self.sampleRate = EncoderConfiguration.sampleRate(of: codec, nearest: sampleRate)
        let context = avcodec_alloc_context3(codec)
        self.context = context
        frame = av_frame_alloc()
        packet = av_packet_alloc()
        let status = avformat_alloc_output_context2(&muxer, nil, plan.container.muxer, nil)
        guard let context, let muxer, status >= 0, frame != nil, packet != nil else {
            // `deinit` frees memory only of a fully initialized object.
            frameSize = 0
            takesAnyCount = false
            throw SyrinxError.outOfMemory(output.path)
        }
        muxer.pointee.pb = output.context
        muxer.pointee.flags |= AVFMT_FLAG_BITEXACT
        plan.configure(
            context,
            sampleRate: self.sampleRate,
            channelCount: channelCount,
            layout: settings.channelLayout,
            bitRate: settings.bitRate
        )
        if let format = muxer.pointee.oformat, format.pointee.flags & AVFMT_GLOBALHEADER != 0 {
            context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        }
        let opened = avcodec_open2(context, codec, nil)
        takesAnyCount = Int32(codec.pointee.capabilities) & AV_CODEC_CAP_VARIABLE_FRAME_SIZE != 0
        frameSize =
            takesAnyCount || context.pointee.frame_size <= 0 ? Self.freeFrameSize : Int(context.pointee.frame_size)
        guard opened >= 0 else {
            let what = "\(channelCount) channels at \(self.sampleRate) Hz"
            throw SyrinxError(.unsupported, "\(plan.encoder) cannot encode \(what) like this.", name: output.path)
        }
        try output.begin()
        try writeHeader(muxer, context, settings)
        guard settings.isInPlace, output.canBeReadBack else { return }
        avio_flush(output.context)
        try check(0)
        let bytesPerFrame = Int(av_get_exact_bits_per_sample(codec.pointee.id)) / 8 * channelCount
        let bytes = output.read(at: 0, count: Int(output.size))
        header = GrowingHeader(bytes, plan.container.growing, bytesPerFrame: bytesPerFrame)
        try flush()
    }

    deinit {
        avcodec_free_context(&context)
        avformat_free_context(muxer)
        av_frame_free(&frame)
        av_packet_free(&packet)
    }

    /// Core Audio's description of the encoded audio.
    var streamDescription: AudioStreamBasicDescription {
        guard let parameters = muxer?.pointee.streams[0]?.pointee.codecpar else { return AudioStreamBasicDescription() }
        return StreamDescription.of(parameters, framesPerPacket: Int64(parameters.pointee.frame_size))
    }

    private func writeHeader(
        _ muxer: UnsafeMutablePointer<AVFormatContext>,
        _ context: UnsafeMutablePointer<AVCodecContext>,
        _ settings: MediaWriterSettings
    ) throws(SyrinxError) {
        guard let stream = avformat_new_stream(muxer, nil) else { throw SyrinxError.outOfMemory(output.path) }
        avcodec_parameters_from_context(stream.pointee.codecpar, context)
        stream.pointee.time_base = context.pointee.time_base
        // Sorted, so that the same tags give the same bytes.
        for (key, value) in settings.tags.sorted(by: { $0.key < $1.key }) {
            av_dict_set(&muxer.pointee.metadata, key, value, 0)
        }
        if let (key, value) = freeformTags?.placeholder { av_dict_set(&muxer.pointee.metadata, key, value, 0) }
        let attachments = Attachments(muxer: muxer, container: plan.container)
        attachments.add(settings.chapters)
        let picture = attachments.add(settings.artwork)
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        plan.container.set(&options, hasTags: !settings.tags.isEmpty || picture != nil)
        output.prepare(plan.container, muxer, sampleRate: sampleRate, &options)
        try check(avformat_write_header(muxer, &options))
        if let picture, let artwork = settings.artwork { try check(attachments.write(artwork, to: picture)) }
    }

    /// Encodes the next `count` frames: `frameSize`, or fewer at the end.
    func encode(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int) throws(SyrinxError) {
        guard let frame, let context else { return }
        av_frame_unref(frame)
        frame.pointee.format = plan.sampleFormat.rawValue
        frame.pointee.sample_rate = sampleRate
        frame.pointee.nb_samples = Int32(count)
        guard av_channel_layout_copy(&frame.pointee.ch_layout, &context.pointee.ch_layout) >= 0,
            av_frame_get_buffer(frame, 0) >= 0
        else { throw SyrinxError.outOfMemory(output.path) }
        frame.pointee.pts = position
        position += Int64(count)
        Quantizer.fill(frame, from: channels, channelCount: channelCount, count: count, bits: plan.bits)
        try check(avcodec_send_frame(context, frame))
        try writePackets()
    }

    /// Encodes the buffered frames, and completes the container.
    func finish() throws(SyrinxError) {
        try check(avcodec_send_frame(context, nil))
        try writePackets()
        try check(av_write_trailer(muxer))
        if let freeformTags {
            avio_flush(output.context)
            try freeformTags.put(into: output)
        }
    }

    /// Writes all encoded audio to the file, and updates its header if possible.
    func flush() throws(SyrinxError) {
        avio_flush(output.context)
        try check(0)
        guard var header else { return }
        // Written after the samples, so that the header never states samples that are missing.
        header.state(sampleBytes: output.size - Int64(header.bytes.count))
        try output.overwrite(header.bytes, at: 0)
        self.header = header
    }

    private func writePackets() throws(SyrinxError) {
        guard let context, let muxer, let packet, let stream = muxer.pointee.streams[0] else { return }
        while true {
            let status = avcodec_receive_packet(context, packet)
            if status == syrinx_error_again() || status == syrinx_error_eof() { return }
            try check(status)
            av_packet_rescale_ts(packet, context.pointee.time_base, stream.pointee.time_base)
            packet.pointee.stream_index = 0
            try check(av_interleaved_write_frame(muxer, packet))
        }
    }

    private func check(_ status: Int32) throws(SyrinxError) {
        if let failure = output.failure { throw failure }
        guard status < 0 else { return }
        let message = "The encoder \(plan.encoder) could not write it: \(describe(averror: status))."
        throw SyrinxError(.encodeFailed, message, name: output.path)
    }
}

extension OutputContainer {
    /// Adds libavformat's options for a new file of this container.
    fileprivate func set(_ dictionary: inout OpaquePointer?, hasTags: Bool) {
        for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
        guard hasTags else { return }
        for (key, value) in optionsForTags { av_dict_set(&dictionary, key, value, 0) }
    }
}
