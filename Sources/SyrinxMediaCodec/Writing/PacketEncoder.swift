internal import CSyrinxFFmpeg
package import CoreAudioTypes
package import SyrinxByteStream

/// Encodes float samples to packets without a container.
///
/// Not thread-safe.
package final class PacketEncoder {
    /// Core Audio's description of the packets.
    package let description: AudioStreamBasicDescription
    /// The number of frames that the encoder adds before the first sample.
    package let leadingFrames: Int
    /// The decoder configuration that the description does not contain.
    package let magicCookie: [UInt8]
    /// The number of frames per call; only the last call may have fewer.
    let frameSize: Int

    private let plan: EncoderConfiguration
    private let channelCount: Int
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private var position: Int64 = 0

    /// The codecs by Core Audio's identifier, each with the extension of a file that uses it.
    private static let codecs: [(format: AudioFormatID, ending: String, name: MediaCodecName)] = [
        (kAudioFormatMPEG4AAC, "m4a", .aac), (kAudioFormatAppleLossless, "m4a", .alac),
        (kAudioFormatFLAC, "flac", .flac),
        (kAudioFormatMPEGLayer3, "mp3", .mp3), (kAudioFormatOpus, "opus", .opus),
    ]

    /// - Parameter wanted: The compressed format, of which the codec, sample rate and channel count are used.
    /// - Throws: `.unsupported` if no encoder supports the format.
    package init(_ wanted: AudioStreamBasicDescription, bitRate: Int?) throws(SyrinxError) {
        let name = "converter"
        let is16 = wanted.mBitsPerChannel == 16 || wanted.mFormatFlags == 1
        guard let codec = Self.codecs.first(where: { $0.format == wanted.mFormatID }),
            let container = OutputContainer.named(codec.ending),
            let plan = EncoderConfiguration.plan(
                for: container,
                codec.name,
                codec.name == .alac || codec.name == .flac ? (is16 ? .s16 : .s24) : nil
            ), let encoder = avcodec_find_encoder_by_name(plan.encoder)
        else { throw SyrinxError(.unsupported, "Nothing here encodes the format \(wanted.mFormatID).", name: name) }
        let rate = Int32(exactly: wanted.mSampleRate.rounded()) ?? 0
        guard EncoderConfiguration.sampleRate(of: encoder, nearest: rate) == rate else {
            throw SyrinxError(.unsupported, "\(plan.encoder) does not encode at \(rate) Hz.", name: name)
        }
        self.plan = plan
        channelCount = Int(wanted.mChannelsPerFrame)
        let context = avcodec_alloc_context3(encoder)
        self.context = context
        frame = av_frame_alloc()
        packet = av_packet_alloc()
        guard let context, frame != nil, packet != nil else { throw SyrinxError.outOfMemory(name) }
        plan.configure(context, sampleRate: rate, channelCount: channelCount, layout: nil, bitRate: bitRate)
        context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        guard avcodec_open2(context, encoder, nil) >= 0, let parameters = avcodec_parameters_alloc() else {
            let what = "\(channelCount) channels at \(rate) Hz"
            throw SyrinxError(.unsupported, "\(plan.encoder) cannot encode \(what) like this.", name: name)
        }
        avcodec_parameters_from_context(parameters, context)
        description = StreamDescription.of(parameters, framesPerPacket: Int64(context.pointee.frame_size))
        magicCookie = Array(
            UnsafeBufferPointer(start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size))
        )
        var owned: UnsafeMutablePointer<AVCodecParameters>? = parameters
        avcodec_parameters_free(&owned)
        leadingFrames = Int(context.pointee.initial_padding)
        frameSize = max(Int(context.pointee.frame_size), 1)
    }

    deinit {
        avcodec_free_context(&context)
        av_frame_free(&frame)
        av_packet_free(&packet)
    }

    /// Encodes `count` frames, which is `frameSize` or fewer at the end, and passes each finished packet to `body`.
    func encode(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        count: Int,
        _ body: ([UInt8]) -> Void
    ) throws(SyrinxError) {
        guard let frame, let context else { return }
        av_frame_unref(frame)
        frame.pointee.format = plan.sampleFormat.rawValue
        frame.pointee.sample_rate = context.pointee.sample_rate
        frame.pointee.nb_samples = Int32(count)
        guard av_channel_layout_copy(&frame.pointee.ch_layout, &context.pointee.ch_layout) >= 0,
            av_frame_get_buffer(frame, 0) >= 0
        else { throw SyrinxError.outOfMemory("converter") }
        frame.pointee.pts = position
        position += Int64(count)
        Quantizer.fill(frame, from: channels, channelCount: channelCount, count: count, bits: plan.bits)
        try check(avcodec_send_frame(context, frame))
        try takePackets(body)
    }

    /// Encodes the buffered frames, and passes the last packets to `body`.
    func finish(_ body: ([UInt8]) -> Void) throws(SyrinxError) {
        try check(avcodec_send_frame(context, nil))
        try takePackets(body)
    }

    private func takePackets(_ body: ([UInt8]) -> Void) throws(SyrinxError) {
        guard let context, let packet else { return }
        while true {
            let status = avcodec_receive_packet(context, packet)
            if status == syrinx_error_again() || status == syrinx_error_eof() { return }
            try check(status)
            body(Array(UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))))
            av_packet_unref(packet)
        }
    }

    private func check(_ status: Int32) throws(SyrinxError) {
        guard status < 0 else { return }
        let message = "The encoder \(plan.encoder) failed: \(describe(averror: status))."
        throw SyrinxError(.encodeFailed, message, name: "converter")
    }
}

extension EncoderConfiguration {
    /// Returns the layout of a channel count, for codecs that have only one per count.
    ///
    /// The layouts are those of the Vorbis I specification, 4.3.9; RFC 7845, 5.1.1.2; and ISO/IEC 14496-3, table 1.19,
    /// whose sixth is not for seven channels. Encoders reject other layouts, or write them so that players do not
    /// recognize them.
    private func onlyLayout(channelCount: Int) -> String? {
        let layouts: [String?] =
            switch encoder {
            case "libopus", "libvorbis": ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"]
            case "aac": ["mono", "stereo", "3.0", "4.0", "5.0", "5.1", nil, nil]
            default: []
            }
        return layouts.indices.contains(channelCount - 1) ? layouts[channelCount - 1] : nil
    }

    /// Configures an encoder that has not been opened yet.
    func configure(
        _ context: UnsafeMutablePointer<AVCodecContext>,
        sampleRate: Int32,
        channelCount: Int,
        layout: String?,
        bitRate: Int?
    ) {
        // Use the codec's only layout, else the named layout if it fits, else the default.
        let name = onlyLayout(channelCount: channelCount) ?? layout
        let isNamed = name.map { av_channel_layout_from_string(&context.pointee.ch_layout, $0) >= 0 } ?? false
        if !isNamed || Int(context.pointee.ch_layout.nb_channels) != channelCount {
            av_channel_layout_uninit(&context.pointee.ch_layout)
            av_channel_layout_default(&context.pointee.ch_layout, Int32(channelCount))
        }
        context.pointee.sample_rate = sampleRate
        context.pointee.sample_fmt = sampleFormat
        context.pointee.time_base = AVRational(num: 1, den: sampleRate)
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        if bits == 24 { context.pointee.bits_per_raw_sample = 24 }
        if let quality, bitRate == nil {
            context.pointee.flags |= AV_CODEC_FLAG_QSCALE
            context.pointee.global_quality = quality * FF_QP2LAMBDA
        } else if bitRatePerChannel > 0 {
            context.pointee.bit_rate = Int64(bitRate ?? bitRatePerChannel * channelCount)
        }
    }
}
