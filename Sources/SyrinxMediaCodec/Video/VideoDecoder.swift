internal import CSyrinxFFmpeg
internal import Foundation
internal import SyrinxByteStream

/// Decodes the packets of moving pictures.
///
/// One thread at a time.
final class VideoDecoder {
    enum Outcome {
        case frame(VideoFrame)
        case needsPacket
        case damaged
        case ended
    }

    private var context: UnsafeMutablePointer<AVCodecContext>?
    private let name: String
    /// Whether the decoder has been told that there are no more packets.
    private var isDraining = false

    /// libavcodec decodes as many pictures at once; each takes memory.
    private static let maximumThreadCount = 4

    init(_ stream: UnsafeMutablePointer<AVStream>, name: String) throws(SyrinxError) {
        self.name = name
        guard let parameters = stream.pointee.codecpar else { throw SyrinxError.outOfMemory(name) }
        let codecName = String(cString: avcodec_get_name(parameters.pointee.codec_id))
        guard let codec = avcodec_find_decoder(parameters.pointee.codec_id) else {
            throw SyrinxError(.unsupported, "Its codec (\(codecName)) cannot be decoded here.", name: name)
        }
        guard let context = avcodec_alloc_context3(codec) else { throw SyrinxError.outOfMemory(name) }
        self.context = context
        var status = avcodec_parameters_to_context(context, parameters)
        context.pointee.pkt_timebase = stream.pointee.time_base
        context.pointee.max_pixels = Int64(VideoLimits.pixelCount)
        context.pointee.thread_count = Int32(min(ProcessInfo.processInfo.activeProcessorCount, Self.maximumThreadCount))
        if status >= 0 { status = avcodec_open2(context, codec, nil) }
        guard status >= 0 else {
            avcodec_free_context(&self.context)
            let why = "Its codec (\(codecName)) cannot be decoded: \(describe(averror: status))."
            throw SyrinxError(.corrupt, why, name: name)
        }
    }

    deinit { avcodec_free_context(&context) }

    /// Gives the decoder a packet, or `nil` at the end; false if the packet is damaged.
    func send(_ packet: UnsafeMutablePointer<AVPacket>?) throws(SyrinxError) -> Bool {
        if packet == nil { isDraining = true }
        let status = avcodec_send_packet(context, packet)
        if status == syrinx_error_out_of_memory() { throw SyrinxError.outOfMemory(name) }
        return status >= 0 || packet == nil
    }

    /// Takes the next decoded picture.
    func receive() throws(SyrinxError) -> Outcome {
        guard let frame = VideoFrame() else { throw SyrinxError.outOfMemory(name) }
        let status = avcodec_receive_frame(context, frame.frame)
        if status == syrinx_error_again() { return isDraining ? .ended : .needsPacket }
        if status == syrinx_error_eof() { return .ended }
        if status == syrinx_error_out_of_memory() { throw SyrinxError.outOfMemory(name) }
        guard status >= 0 else { return .damaged }
        try VideoLimits.check(width: frame.frame.pointee.width, height: frame.frame.pointee.height, name)
        return .frame(frame)
    }

    /// The number of pictures that are decoded before the first of them is given.
    var delay: Int { context.map { Int(clamping: max($0.pointee.has_b_frames, 0)) } ?? 0 }

    /// Forgets everything, for packets from another place.
    func flush() {
        isDraining = false
        avcodec_flush_buffers(context)
    }
}

/// A decoded picture.
///
/// Its pixels are in the codec's own arrangement: a `PictureConverter` gives them in another. One thread at a time.
package final class VideoFrame {
    let frame: UnsafeMutablePointer<AVFrame>
    /// The time at which it is shown, in ticks.
    package internal(set) var start: Int64 = 0
    /// The time for which it is shown, in ticks: up to the next one.
    package internal(set) var duration: Int64 = 0

    init?() {
        guard let frame = av_frame_alloc() else { return nil }
        self.frame = frame
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// The time at which it is not shown any more, in ticks.
    package var end: Int64 { start.addingClamped(duration) }
    /// Pixels of a row.
    package var width: Int { Int(frame.pointee.width) }
    /// Rows.
    package var height: Int { Int(frame.pointee.height) }
    /// Whether it can be decoded without others.
    package var isKey: Bool { syrinx_frame_is_key(frame) != 0 }

    /// The bytes of its memory.
    var byteCount: Int {
        let buffers = frame.pointee.buf
        return [buffers.0, buffers.1, buffers.2, buffers.3].reduce(0) { sum, buffer in
            sum.addingClamped(buffer.map { Int(clamping: $0.pointee.size) } ?? 0)
        }
    }

    /// The matrix of its luma and chroma.
    ///
    /// If the stream does not state it, pictures larger than those of standard definition have that of high definition.
    package var matrix: PictureMatrix {
        switch frame.pointee.colorspace {
        case AVCOL_SPC_BT709: .bt709
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_FCC: .bt601
        case AVCOL_SPC_SMPTE240M: .smpte240m
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: .bt2020
        default: width >= 1280 || height > 576 ? .bt709 : .bt601
        }
    }
}

/// A packet of moving pictures, as the container holds it.
package struct VideoPacket: Sendable {
    /// The bytes.
    package let data: [UInt8]
    /// The time at which its picture is shown, in ticks; `nil` if the container does not tell.
    package let start: Int64?
    /// The time at which it is decoded, in ticks; `nil` if the container does not tell.
    package let decodeTime: Int64?
    /// The time for which its picture is shown, in ticks; 0 if the container does not tell.
    package let duration: Int64
    /// Whether its picture can be decoded without others.
    package let isKey: Bool
}
