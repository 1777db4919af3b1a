internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Decodes packets to float samples, one buffer per channel.
///
/// Owns libavcodec's decoder and the converter of its output. Not thread-safe.
final class PacketDecoder {
    enum Outcome {
        case frame(Decoded)
        case needsPacket
        case damaged
        case ended
    }

    /// A decoded frame of the codec, whose samples are in `channels` until the next call.
    struct Decoded {
        /// The index of its first sample in the recording; `nil` if the container does not state it.
        var start: Int64?
        /// The file offset of the packet, or of the page in which the packet starts.
        var offset: Int64
        var count: Int
        /// The number of padding samples at the end.
        var endTrim: Int
        /// The number of encoder-delay samples at the start.
        var startTrim: Int
    }

    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    /// A copy, because a demuxer frees its own parameters when it reopens the stream.
    private var parameters: UnsafeMutablePointer<AVCodecParameters>
    private let converter: FrameConverter
    private let name: String
    /// Whether there is a decoded frame that has not been converted.
    private var hasFrame = false
    /// Whether a frame has been converted since the recording began.
    private var hasConverted = false
    private var endTrim = 0
    private var startTrim = 0
    /// The remaining trim for the next packet, because Opus packets may be shorter than the delay at the start.
    private var carriedTrim = 0
    /// The positions in the current one of several joined recordings.
    private var positions = RecordingPositions()

    /// The codec profile that the decoder found in the frames so far.
    var profile: Int32? { context?.pointee.profile }

    /// The samples of the last frame.
    var channels: UnsafePointer<UnsafeMutablePointer<Float>> { UnsafePointer(converter.channels) }

    init(
        parameters: UnsafeMutablePointer<AVCodecParameters>,
        name: String,
        roundsIntegersDown: Bool = false
    ) throws(SyrinxError) {
        self.name = name
        // `deinit` frees memory only of a fully initialized object, so calls that can throw come first.
        let converter = try FrameConverter(
            sampleRate: parameters.pointee.sample_rate,
            layout: &parameters.pointee.ch_layout,
            name: name,
            roundsIntegersDown: roundsIntegersDown
        )
        self.converter = converter
        self.parameters = try Self.copy(parameters, name)
        frame = av_frame_alloc()
        packet = av_packet_alloc()
        try open()
    }

    deinit {
        Self.free(parameters)
        avcodec_free_context(&context)
        av_frame_free(&frame)
        av_packet_free(&packet)
    }

    private static func copy(
        _ parameters: UnsafePointer<AVCodecParameters>,
        _ name: String
    ) throws(SyrinxError) -> UnsafeMutablePointer<AVCodecParameters> {
        guard let copy = avcodec_parameters_alloc() else { throw SyrinxError.outOfMemory(name) }
        guard avcodec_parameters_copy(copy, parameters) >= 0 else {
            free(copy)
            throw SyrinxError.outOfMemory(name)
        }
        return copy
    }

    private static func free(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
        var parameters: UnsafeMutablePointer<AVCodecParameters>? = parameters
        avcodec_parameters_free(&parameters)
    }

    private func open() throws(SyrinxError) {
        let codecName = String(cString: avcodec_get_name(parameters.pointee.codec_id))
        guard let codec = avcodec_find_decoder(parameters.pointee.codec_id) else {
            throw SoundTracks.undecodable(parameters, name)
        }
        avcodec_free_context(&context)
        context = avcodec_alloc_context3(codec)
        guard let context, frame != nil, packet != nil else { throw SyrinxError.outOfMemory(name) }
        var status = avcodec_parameters_to_context(context, parameters)
        context.pointee.pkt_timebase = AVRational(num: 1, den: parameters.pointee.sample_rate)
        // Trimming is done here, because libavcodec's would be wrong after a seek.
        context.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
        context.pointee.thread_count = 1
        if status >= 0 { status = avcodec_open2(context, codec, nil) }
        guard status >= 0 else {
            avcodec_free_context(&self.context)
            let why = "Its codec (\(codecName)) cannot be decoded: \(describe(averror: status))."
            throw SyrinxError(.corrupt, why, name: name)
        }
    }

    /// Sends a packet to the decoder, or `nil` at the end; returns false if the packet is damaged.
    /// - Parameter countsAlone: Whether positions are relative to the current one of several joined recordings.
    func send(_ next: MediaPacket?, countsAlone: Bool = false) throws(SyrinxError) -> Bool {
        guard let packet else { throw SyrinxError.outOfMemory(name) }
        guard let next else { return avcodec_send_packet(context, nil) >= 0 }
        // A separate reference, because its timestamp is changed to frames of the recording.
        guard av_packet_ref(packet, next.box.packet) >= 0 else { throw SyrinxError.outOfMemory(name) }
        defer { av_packet_unref(packet) }
        // After a gap, the remainder of the earlier packet must not overlap with this one.
        let isVorbis = parameters.pointee.codec_id == AV_CODEC_ID_VORBIS
        if next.lostFrames > 0, isVorbis { try open() }
        positions.note(next, packet, isVorbis: isVorbis, countsAlone: countsAlone)
        packet.pointee.dts = packet.pointee.pts
        endTrim = next.endTrim
        (startTrim, carriedTrim) = (max(next.startTrim, carriedTrim), 0)
        let status = avcodec_send_packet(context, packet)
        if status == syrinx_error_out_of_memory() { throw SyrinxError.outOfMemory(name) }
        return status >= 0
    }

    /// Sends the bytes of a packet without a position to the decoder; returns false if they are damaged.
    func send(_ bytes: UnsafeRawBufferPointer) throws(SyrinxError) -> Bool {
        guard let packet, av_new_packet(packet, Int32(clamping: bytes.count)) >= 0, let data = packet.pointee.data
        else {
            throw SyrinxError.outOfMemory(name)
        }
        defer { av_packet_unref(packet) }
        if let base = bytes.baseAddress { UnsafeMutableRawPointer(data).copyMemory(from: base, byteCount: bytes.count) }
        return avcodec_send_packet(context, packet) >= 0
    }

    /// Returns the next decoded frame.
    /// - Parameter keepsEndPadding: Whether samples that would be trimmed from the end are kept.
    func receive(keepsEndPadding: Bool = false) throws(SyrinxError) -> Outcome {
        guard let context else { throw SyrinxError(.corrupt, "Its codec cannot be decoded.", name: name) }
        if !hasFrame {
            let status = avcodec_receive_frame(context, frame)
            if status == syrinx_error_again() { return .needsPacket }
            if status == syrinx_error_eof() { return try drain() ?? .ended }
            if status == syrinx_error_out_of_memory() { throw SyrinxError.outOfMemory(name) }
            guard status >= 0, let frame, frame.pointee.nb_samples > 0 else { return .damaged }
            if skipsWhole(frame) { return .needsPacket }
        }
        guard let frame else { throw SyrinxError.outOfMemory(name) }
        hasFrame = converter.holdsSound(before: frame)
        if hasFrame, let rest = try drain() { return rest }
        hasFrame = false
        endTrim = positions.takeEndTrim(ofDecoded: Int64(frame.pointee.nb_samples)) ?? endTrim
        if keepsEndPadding { endTrim = 0 }
        defer { endTrim = 0 }
        let position = RecordingPositions.known(frame.pointee.pts)
        do throws(SyrinxError) {
            let decoded =
                converter.changesRate(of: frame) ? try resampled(frame, position) : try converted(frame, position)
            hasConverted = true
            return .frame(decoded)
        } catch  where hasConverted && error.code == .corrupt {
            // Damaged AAC data can announce any channel layout, which libavcodec would then expect in later packets.
            try open()
            converter.reset()
            return .damaged
        }
    }

    /// Whether `frame` comes from the first Vorbis packet, which has no preceding window to overlap with.
    ///
    /// libavcodec 61 (FFmpeg 7) returns such a frame with all samples marked as skipped; earlier versions return no
    /// frame.
    private func skipsWhole(_ frame: UnsafePointer<AVFrame>) -> Bool {
        guard parameters.pointee.codec_id == AV_CODEC_ID_VORBIS,
            let skip = av_frame_get_side_data(frame, AV_FRAME_DATA_SKIP_SAMPLES), skip.pointee.size >= 4
        else { return false }
        let count = (0..<4).reduce(UInt32(0)) { $0 | UInt32(skip.pointee.data[$1]) << (8 * UInt32($1)) }
        return count >= UInt32(clamping: frame.pointee.nb_samples)
    }

    private func converted(
        _ frame: UnsafeMutablePointer<AVFrame>,
        _ position: Int64?
    ) throws(SyrinxError) -> Decoded {
        let count = try converter.convert(frame)
        let first = takeStartTrim(count)
        return Decoded(
            start: positions.start(of: position, first, scale: 1),
            offset: positions.offset,
            count: count,
            endTrim: min(endTrim, count),
            startTrim: first
        )
    }

    /// Converts a frame to the output sample rate.
    ///
    /// Trimmed samples are removed first, because resampling would move them.
    private func resampled(
        _ frame: UnsafeMutablePointer<AVFrame>,
        _ position: Int64?
    ) throws(SyrinxError) -> Decoded {
        let count = Int(frame.pointee.nb_samples)
        var first = takeStartTrim(count)
        if positions.recordingStart != nil, let position {
            first = min(
                first.addingClamped(converter.misalignment(of: position.addingClamped(Int64(first)), frame)),
                count
            )
        }
        let held = converter.heldCount
        let scale = positions.countsAlone ? converter.scale(of: frame) : 1
        // Without resampling, all counts use the same rate.
        let endTrim =
            positions.countsAlone ? endTrim : Int(clamped: (Double(endTrim) / converter.scale(of: frame)).rounded())
        let made = try converter.convert(frame, part: first..<max(count.subtractingClamped(endTrim), first))
        let start = positions.start(of: position, first, scale: scale).map { $0.subtractingClamped(held) }
        return Decoded(start: start, offset: positions.offset, count: made, endTrim: 0, startTrim: 0)
    }

    private func takeStartTrim(_ count: Int) -> Int {
        defer { startTrim = 0 }
        carriedTrim = max(startTrim.subtractingClamped(count), 0)
        return min(startTrim, count)
    }

    /// Returns the remaining output of the resampler; `nil` if there is none.
    private func drain() throws(SyrinxError) -> Outcome? {
        let count = try converter.drain()
        return count == 0
            ? nil : .frame(Decoded(start: nil, offset: positions.offset, count: count, endTrim: 0, startTrim: 0))
    }

    /// Resets the decoder for packets from another position.
    ///
    /// The decoder is reopened instead of flushed, because flushed decoders keep some state (AAC the shape of the last
    /// window). The same packets would then decode to other samples than the first time.
    func restart(_ parameters: UnsafePointer<AVCodecParameters>) throws(SyrinxError) {
        let copy = try Self.copy(parameters, name)
        Self.free(self.parameters)
        self.parameters = copy
        try open()
        converter.reset()
        (hasFrame, hasConverted) = (false, false)
        endTrim = 0
        (startTrim, carriedTrim) = (0, 0)
        positions.breakOff()
    }
}
