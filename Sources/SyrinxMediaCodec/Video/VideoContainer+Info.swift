internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Describes the video of an open container.
struct VideoDescriber {
    let context: UnsafeMutablePointer<AVFormatContext>
    let stream: UnsafeMutablePointer<AVStream>
    let bridge: AVIOBridge
    /// The start of the recording, in ticks of the stream.
    let origin: Int64

    /// Creates a describer of a video stream.
    init(
        _ stream: UnsafeMutablePointer<AVStream>,
        in context: UnsafeMutablePointer<AVFormatContext>,
        _ bridge: AVIOBridge
    ) {
        self.context = context
        self.stream = stream
        self.bridge = bridge
        origin = VideoContainer.origin(of: stream, in: context)
    }

    /// The description of the video.
    var info: VideoInfo? {
        guard let parameters = stream.pointee.codecpar else { return nil }
        let base = stream.pointee.time_base
        let unknown = syrinx_no_timestamp()
        let start = stream.pointee.start_time == unknown ? origin : stream.pointee.start_time
        let extraData = UnsafeBufferPointer(
            start: parameters.pointee.extradata,
            count: parameters.pointee.extradata == nil ? 0 : Int(max(parameters.pointee.extradata_size, 0))
        )
        let tag = parameters.pointee.codec_tag
        let ratio = av_guess_sample_aspect_ratio(context, stream, nil)
        return VideoInfo(
            container: context.pointee.iformat.map { String(cString: $0.pointee.name) } ?? "",
            codec: String(cString: avcodec_get_name(parameters.pointee.codec_id)),
            codecTag: Container.of(context).pictures.haveFourCharacterTags ? tag.byteSwapped : 0,
            width: Int(parameters.pointee.width),
            height: Int(parameters.pointee.height),
            pixelAspectRatio: fraction(ratio) ?? VideoInfo.Fraction(numerator: 1, denominator: 1),
            displayMatrix: displayMatrix,
            timeBase: VideoInfo.Fraction(numerator: base.num, denominator: base.den),
            start: start.subtractingClamped(origin),
            duration: duration,
            frameRate: fraction(stream.pointee.avg_frame_rate) ?? fraction(stream.pointee.r_frame_rate),
            highestFrameRate: fraction(stream.pointee.r_frame_rate),
            bitRate: bitRate(parameters),
            size: bridge.stream.length,
            extraData: Array(extraData),
            isSeekable: bridge.stream.isSeekable
        )
    }

    /// The duration of the stream, or of the whole recording, in ticks.
    private var duration: Int64? {
        if stream.pointee.duration > 0 { return stream.pointee.duration }
        guard context.pointee.duration > 0 else { return nil }
        let microseconds = AVRational(num: 1, den: 1_000_000)
        return av_rescale_q(context.pointee.duration, microseconds, stream.pointee.time_base)
    }

    private func bitRate(_ parameters: UnsafePointer<AVCodecParameters>) -> Int? {
        if parameters.pointee.bit_rate > 0 { return Int(clamping: parameters.pointee.bit_rate) }
        return context.pointee.nb_streams == 1 && context.pointee.bit_rate > 0
            ? Int(clamping: context.pointee.bit_rate) : nil
    }

    private var displayMatrix: [Int32]? {
        var size = 0
        guard let data = syrinx_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size), size >= 36 else {
            return nil
        }
        return (0..<9).map { UnsafeRawPointer(data).loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) }
    }

    private func fraction(_ value: AVRational) -> VideoInfo.Fraction? {
        value.num > 0 && value.den > 0 ? VideoInfo.Fraction(numerator: value.num, denominator: value.den) : nil
    }
}
