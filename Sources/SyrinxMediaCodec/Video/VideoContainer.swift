internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// An open container whose video is read; owns libavformat's context and the bridge to the byte stream.
///
/// Not thread-safe.
final class VideoContainer {
    let context: UnsafeMutablePointer<AVFormatContext>
    let bridge: AVIOBridge
    /// The container's properties that concern video.
    let traits: Container.Pictures
    /// The video stream, which belongs to `context`.
    let stream: UnsafeMutablePointer<AVStream>
    /// The start of the recording, in ticks of the stream.
    let origin: Int64
    /// Whether `origin` is the time of the first audio.
    let countsFromSound: Bool
    /// The decode time of the last packet, in ticks of the stream.
    private(set) var lastDecodeTime: Int64?
    /// The time of the first packet after a seek, in ticks of the stream.
    private(set) var firstTime: Int64?
    private let packet: UnsafeMutablePointer<AVPacket>

    /// The maximum number of damaged places that are skipped before reading fails.
    private static let patience = 1024
    /// The number of bytes that libavformat analyzes to find the size of the pictures.
    private static let probeSize: Int64 = 5_000_000

    var name: String { bridge.stream.name }

    /// - Parameter stillFormat: The format of a still picture; `nil` to detect a container by its first bytes.
    init(stream: any ByteStream, stillFormat: String? = nil) throws(SyrinxError) {
        av_log_set_level(AV_LOG_QUIET)
        av_max_alloc(LibavOpening.largestAllocation)
        let bridge = try AVIOBridge(stream: stream)
        self.bridge = bridge
        let plan: LibavOpening.Plan
        if let stillFormat {
            plan = LibavOpening.Plan(format: stillFormat, isStill: true)
        } else {
            plan = try LibavOpening.plan(for: bridge, nil)
        }
        bridge.setSeekable(stream.isSeekable && !plan.isForwardOnly)
        bridge.limitReading(to: LibavOpening.largestHeader)
        guard let packet = av_packet_alloc() else { throw SyrinxError.outOfMemory(stream.name) }
        do throws(SyrinxError) {
            context = try LibavOpening.open(bridge, plan, nil)
        } catch {
            var packet: UnsafeMutablePointer<AVPacket>? = packet
            av_packet_free(&packet)
            throw bridge.isOverBudget ? LibavOpening.tooLargeHeader(bridge) : error
        }
        do throws(SyrinxError) {
            let found = try Self.findPictures(in: context, bridge)
            if bridge.isOverBudget { throw LibavOpening.tooLargeHeader(bridge) }
            let container = Container.of(context)
            try LibavOpening.checkIndex(of: found, container, bridge)
            traits = container.pictures
            // This comes last, because from now on `deinit` frees what the code below frees.
            self.stream = found
            self.packet = packet
            origin = Self.origin(of: found, in: context)
            countsFromSound = Self.soundStart(beside: found, in: context) != nil
        } catch {
            var context: UnsafeMutablePointer<AVFormatContext>? = context
            avformat_close_input(&context)
            var packet: UnsafeMutablePointer<AVPacket>? = packet
            av_packet_free(&packet)
            throw bridge.isOverBudget ? LibavOpening.tooLargeHeader(bridge) : error
        }
        bridge.limitReading(to: .max)
        bridge.endsWhereCut = true
        bridge.setSeekable(stream.isSeekable)
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }

    private static func findPictures(
        in context: UnsafeMutablePointer<AVFormatContext>,
        _ bridge: AVIOBridge
    ) throws(SyrinxError) -> UnsafeMutablePointer<AVStream> {
        let name = bridge.stream.name
        context.pointee.probesize = probeSize
        context.pointee.max_analyze_duration = 0
        let status = avformat_find_stream_info(context, nil)
        if let failure = bridge.failure, failure.code == .cancelled || status < 0 { throw failure }
        let best = av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
        guard status >= 0, best >= 0, let stream = context.pointee.streams[Int(best)], isPictures(stream),
            let parameters = stream.pointee.codecpar
        else {
            if let failure = bridge.failure { throw failure }
            throw SyrinxError(.notVideo, "There are no moving pictures in it.", name: name)
        }
        try check(stream, parameters, name)
        for index in 0..<Int(context.pointee.nb_streams) where index != Int(best) {
            context.pointee.streams[index]?.pointee.discard = AVDISCARD_ALL
        }
        return stream
    }

    /// Checks that a stream can be decoded, as far as its header shows.
    static func check(
        _ stream: UnsafeMutablePointer<AVStream>,
        _ parameters: UnsafeMutablePointer<AVCodecParameters>,
        _ name: String
    ) throws(SyrinxError) {
        try VideoLimits.check(width: parameters.pointee.width, height: parameters.pointee.height, name)
        guard stream.pointee.time_base.num > 0, stream.pointee.time_base.den > 0 else {
            throw SyrinxError(.corrupt, "Its video track states no timescale.", name: name)
        }
    }

    /// Returns the description of the video.
    func makeInfo() -> VideoInfo? { VideoDescriber(stream, in: context, bridge).info }

    /// Whether a stream is video, and not a cover picture.
    static func isPictures(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        stream.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_VIDEO
            && stream.pointee.disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS) == 0
    }

    /// Returns the start of a recording: that of its audio, so that both stay synchronized.
    static func origin(
        of stream: UnsafeMutablePointer<AVStream>,
        in context: UnsafeMutablePointer<AVFormatContext>
    ) -> Int64 {
        if let start = soundStart(beside: stream, in: context) { return start }
        // The timestamps of broadcasts start at any value.
        let countsFromAnywhere = (context.pointee.iformat?.pointee.flags ?? 0) & AVFMT_TS_DISCONT != 0
        return countsFromAnywhere ? known(stream.pointee.start_time) ?? 0 : 0
    }

    /// Returns the timestamp of the first audio, in ticks of the video stream; `nil` if there is none.
    private static func soundStart(
        beside stream: UnsafeMutablePointer<AVStream>,
        in context: UnsafeMutablePointer<AVFormatContext>
    ) -> Int64? {
        let best = av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, stream.pointee.index, nil, 0)
        guard best >= 0, let sound = context.pointee.streams[Int(best)],
            sound.pointee.start_time != syrinx_no_timestamp(), sound.pointee.time_base.den > 0
        else { return nil }
        return av_rescale_q(sound.pointee.start_time, sound.pointee.time_base, stream.pointee.time_base)
    }

    private static func known(_ timestamp: Int64) -> Int64? {
        timestamp == syrinx_no_timestamp() ? nil : timestamp
    }

    // MARK: Reading

    /// Reads the next video packet, which is valid until the next call; `nil` at the end.
    func read() throws(SyrinxError) -> UnsafeMutablePointer<AVPacket>? {
        av_packet_unref(packet)
        var damaged = 0
        while true {
            let status = av_read_frame(context, packet)
            if let failure = bridge.failure {
                av_packet_unref(packet)
                throw failure
            }
            if status >= 0 {
                if packet.pointee.stream_index == stream.pointee.index, packet.pointee.size > 0 {
                    firstTime = firstTime ?? Self.known(packet.pointee.pts) ?? Self.known(packet.pointee.dts)
                    lastDecodeTime = Self.known(packet.pointee.dts) ?? lastDecodeTime
                    return packet
                }
                av_packet_unref(packet)
                continue
            }
            if status == syrinx_error_out_of_memory() { throw LibavOpening.tooLargeTable(name) }
            damaged += 1
            if status != syrinx_error_invalid_data() || damaged > Self.patience { return nil }
        }
    }

    /// Seeks to the last key packet before a timestamp of the stream.
    /// - Returns: Whether the seek succeeded.
    func seek(to timestamp: Int64) throws(SyrinxError) -> Bool {
        try seek(stream.pointee.index, timestamp, AVSEEK_FLAG_BACKWARD)
    }

    /// Seeks to the first packet.
    /// - Returns: Whether the seek succeeded.
    func seekToStart() throws(SyrinxError) -> Bool {
        // The first timestamp of a broadcast is known only after its first packet.
        if countsFromAnywhere { return try seek(-1, 0, AVSEEK_FLAG_BYTE) }
        let start = Self.known(stream.pointee.start_time) ?? 0
        return try seek(stream.pointee.index, min(start, 0), AVSEEK_FLAG_BACKWARD)
    }

    /// Whether timestamps can start at any value, as in broadcasts.
    private var countsFromAnywhere: Bool { (context.pointee.iformat?.pointee.flags ?? 0) & AVFMT_TS_DISCONT != 0 }

    private func seek(_ index: Int32, _ target: Int64, _ flags: Int32) throws(SyrinxError) -> Bool {
        guard bridge.stream.isSeekable else {
            throw SyrinxError(.notSeekable, "It is not seekable.", name: name)
        }
        bridge.clearFailure()
        (firstTime, lastDecodeTime) = (nil, nil)
        let status = av_seek_frame(context, index, target, flags)
        if let failure = bridge.failure { throw failure }
        return status >= 0
    }

    /// Whether a key packet from which the picture at `timestamp` can be decoded is ahead of the reading position.
    ///
    /// `nil` if the container has no index of key packets.
    func knowsKeyPacketAhead(of timestamp: Int64) -> Bool? {
        let index = av_index_search_timestamp(stream, timestamp, AVSEEK_FLAG_BACKWARD)
        guard index >= 0, let entry = avformat_index_get_entry(stream, index), let lastDecodeTime else { return nil }
        return entry.pointee.timestamp > lastDecodeTime
    }
}
