internal import CSyrinxFFmpeg
internal import Foundation
internal import SyrinxByteStream

/// Decodes video packets.
///
/// Not thread-safe.
final class VideoDecoder {
    enum Outcome {
        case frame(VideoFrame)
        case needsPacket
        case damaged
        case ended
    }

    private var context: UnsafeMutablePointer<AVCodecContext>?
    private let name: String
    /// Whether the end of the packets was sent to the decoder.
    private var isDraining = false

    /// The maximum number of decoding threads, each of which holds a picture in memory.
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

    /// Sends a packet to the decoder, or `nil` at the end; returns false if the packet is damaged.
    func send(_ packet: UnsafeMutablePointer<AVPacket>?) throws(SyrinxError) -> Bool {
        if packet == nil { isDraining = true }
        let status = avcodec_send_packet(context, packet)
        if status == syrinx_error_out_of_memory() { throw SyrinxError.outOfMemory(name) }
        return status >= 0 || packet == nil
    }

    /// Returns the next decoded picture.
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

    /// The number of pictures that the decoder buffers before it returns the first one.
    var delay: Int { context.map { Int(clamping: max($0.pointee.has_b_frames, 0)) } ?? 0 }

    /// Resets the decoder for packets from another position.
    func flush() {
        isDraining = false
        avcodec_flush_buffers(context)
    }
}

/// A decoded picture.
///
/// Its pixels are in the codec's own format; use a `PictureConverter` to convert them. Not thread-safe.
package final class VideoFrame {
    let frame: UnsafeMutablePointer<AVFrame>
    /// The time at which the picture is shown, in ticks.
    package internal(set) var start: Int64 = 0
    /// The time for which the picture is shown, in ticks.
    package internal(set) var duration: Int64 = 0

    init?() {
        guard let frame = av_frame_alloc() else { return nil }
        self.frame = frame
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// The time at which the picture disappears, in ticks.
    package var end: Int64 { start.addingClamped(duration) }
    /// The width, in pixels.
    package var width: Int { Int(frame.pointee.width) }
    /// The height, in pixels.
    package var height: Int { Int(frame.pointee.height) }
    /// Whether the picture can be decoded without others.
    package var isKey: Bool { syrinx_frame_is_key(frame) != 0 }

    /// The size of the picture's memory, in bytes.
    var byteCount: Int {
        let buffers = frame.pointee.buf
        return [buffers.0, buffers.1, buffers.2, buffers.3].reduce(0) { sum, buffer in
            sum.addingClamped(buffer.map { Int(clamping: $0.pointee.size) } ?? 0)
        }
    }

    /// The matrix that converts luma and chroma to RGB.
    ///
    /// If the stream does not state it, pictures larger than standard definition use that of high definition.
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

/// A video packet from a container.
package struct VideoPacket: Sendable {
    /// The bytes.
    package let data: [UInt8]
    /// The time at which the picture is shown, in ticks; `nil` if the container does not state it.
    package let start: Int64?
    /// The time at which the packet is decoded, in ticks; `nil` if the container does not state it.
    package let decodeTime: Int64?
    /// The time for which the picture is shown, in ticks; 0 if the container does not state it.
    package let duration: Int64
    /// Whether the picture can be decoded without others.
    package let isKey: Bool
}
