internal import CSyrinxFFmpeg
package import SyrinxByteStream

/// Encodes pictures as PNG.
package enum PNGEncoder {
    /// Encodes a picture as a PNG file.
    /// - Parameter rgba: Rows from top to bottom, pixels from left to right, each with bytes for red, green, blue and
    ///   alpha.
    /// - Parameter compression: The level from 0 (none) to 9 (best); `nil` for zlib's default.
    /// - Throws: `.unsupported` if libavcodec was built without PNG or does not support this size, or `.outOfMemory`.
    /// - Precondition: `rgba` has `width` · `height` · 4 bytes.
    package static func encode(
        _ rgba: [UInt8],
        width: Int,
        height: Int,
        compression: Int? = nil
    ) throws(SyrinxError) -> [UInt8] {
        precondition(width > 0 && height > 0 && rgba.count == width * height * 4, "a picture has 4 bytes a pixel")
        guard let codec = avcodec_find_encoder(AV_CODEC_ID_PNG) else { throw refused }
        var context = avcodec_alloc_context3(codec)
        var frame = av_frame_alloc()
        var packet = av_packet_alloc()
        defer {
            avcodec_free_context(&context)
            av_frame_free(&frame)
            av_packet_free(&packet)
        }
        guard let context, let frame, let packet else { throw SyrinxError.outOfMemory(name) }
        context.pointee.width = Int32(clamping: width)
        context.pointee.height = Int32(clamping: height)
        context.pointee.pix_fmt = AV_PIX_FMT_RGBA
        context.pointee.time_base = AVRational(num: 1, den: 1)
        context.pointee.thread_count = 1
        if let compression { context.pointee.compression_level = Int32(clamping: compression) }
        guard avcodec_open2(context, codec, nil) >= 0 else { throw refused }
        frame.pointee.format = AV_PIX_FMT_RGBA.rawValue
        frame.pointee.width = context.pointee.width
        frame.pointee.height = context.pointee.height
        guard av_frame_get_buffer(frame, 0) >= 0, let target = frame.pointee.data.0 else {
            throw SyrinxError.outOfMemory(name)
        }
        let stride = Int(frame.pointee.linesize.0)
        rgba.withUnsafeBufferPointer { source in
            guard let base = source.baseAddress else { return }
            for row in 0..<height { (target + row * stride).update(from: base + row * width * 4, count: width * 4) }
        }
        guard avcodec_send_frame(context, frame) >= 0, avcodec_send_frame(context, nil) >= 0,
            avcodec_receive_packet(context, packet) >= 0, let bytes = packet.pointee.data
        else { throw refused }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(packet.pointee.size)))
    }

    private static let name = "picture"

    private static var refused: SyrinxError {
        SyrinxError(.unsupported, "The picture cannot be written as PNG by this libavcodec.", name: name)
    }
}
