internal import CSyrinxFFmpeg
internal import CSyrinxSwscale
package import SyrinxByteStream

/// Converts decoded pictures to another pixel format and size.
///
/// Colors are converted with the matrix and the range that the picture states. Not thread-safe.
package final class PictureConverter {
    /// The parameters of a conversion, which determine whether a context can be reused.
    private struct Key: Equatable {
        var source: Int32
        var sourceWidth: Int32
        var sourceHeight: Int32
        var sourceIsFull: Bool
        var matrix: PictureMatrix
        var target: PictureFormat
        var targetWidth: Int32
        var targetHeight: Int32
    }

    private var key: Key?
    private var context: OpaquePointer?
    private let name: String

    /// - Parameter name: The name of the recording in error messages.
    package init(name: String) { self.name = name }

    deinit { sws_freeContext(context) }

    /// Converts a picture into memory.
    /// - Parameters:
    ///   - frame: The picture.
    ///   - format: The pixel format of the result.
    ///   - width: The width of the result, in pixels.
    ///   - height: The height of the result, in pixels.
    ///   - planes: The memory of each plane of the format, with 64 extra bytes after the last plane.
    /// - Throws: `.unsupported` if the conversion is not possible, or `.outOfMemory`.
    package func convert(
        _ frame: VideoFrame,
        to format: PictureFormat,
        width: Int,
        height: Int,
        planes: [PicturePlane]
    ) throws(SyrinxError) {
        guard let width = Int32(exactly: width), let height = Int32(exactly: height) else { throw unsupported }
        try VideoLimits.check(width: width, height: height, name)
        let source = frame.frame.pointee
        let (pixelFormat, isFull) = Self.range(of: source)
        try prepare(
            Key(
                source: pixelFormat.rawValue,
                sourceWidth: source.width,
                sourceHeight: source.height,
                sourceIsFull: isFull,
                matrix: frame.matrix,
                target: format,
                targetWidth: width,
                targetHeight: height
            )
        )
        let status = scale(source, planes)
        guard status == height else { throw unsupported }
    }

    private func scale(_ source: AVFrame, _ planes: [PicturePlane]) -> Int32 {
        let data = source.data
        let sourceRows: [UnsafePointer<UInt8>?] = [data.0, data.1, data.2, data.3].map { $0.map { UnsafePointer($0) } }
        let lines = source.linesize
        let sourceSteps = [lines.0, lines.1, lines.2, lines.3]
        var rows: [UnsafeMutablePointer<UInt8>?] = planes.map { $0.base.assumingMemoryBound(to: UInt8.self) }
        var steps = planes.map { Int32(clamping: $0.bytesPerRow) }
        while rows.count < 4 {
            rows.append(nil)
            steps.append(0)
        }
        return sws_scale(context, sourceRows, sourceSteps, 0, source.height, rows, steps)
    }

    private var unsupported: SyrinxError {
        SyrinxError(.unsupported, "Its pictures cannot be converted to the wanted pixel format.", name: name)
    }

    /// Creates the conversion context, unless the current one has the same parameters.
    private func prepare(_ new: Key) throws(SyrinxError) {
        guard new != key else { return }
        sws_freeContext(context)
        (key, context) = (nil, nil)
        guard sws_isSupportedInput(AVPixelFormat(new.source)) > 0 else { throw unsupported }
        guard let made = sws_alloc_context() else { throw SyrinxError.outOfMemory(name) }
        context = made
        let object = UnsafeMutableRawPointer(made)
        let isFullTarget = new.target.isFullRange
        let options: [(String, Int64)] = [
            ("srcw", Int64(new.sourceWidth)), ("srch", Int64(new.sourceHeight)), ("src_format", Int64(new.source)),
            ("dstw", Int64(new.targetWidth)), ("dsth", Int64(new.targetHeight)),
            ("dst_format", Int64(new.target.pixelFormat.rawValue)),
            // Set both ranges before the context is created; otherwise it would copy planes between ranges.
            ("src_range", new.sourceIsFull ? 1 : 0), ("dst_range", isFullTarget ? 1 : 0),
            ("sws_flags", Int64(SWS_BICUBIC | SWS_ACCURATE_RND)),
        ]
        for (name, value) in options where av_opt_set_int(object, name, value, 0) < 0 { throw unsupported }
        let coefficients = sws_getCoefficients(new.matrix.swscaleNumber)
        // Set before and after initialization: some conversions are selected by it, others accept it only afterwards.
        setColours(made, coefficients, new.sourceIsFull, isFullTarget)
        guard sws_init_context(made, nil, nil) >= 0 else { throw unsupported }
        setColours(made, coefficients, new.sourceIsFull, isFullTarget)
        key = new
    }

    private func setColours(
        _ context: OpaquePointer,
        _ coefficients: UnsafePointer<Int32>?,
        _ sourceIsFull: Bool,
        _ targetIsFull: Bool
    ) {
        sws_setColorspaceDetails(
            context,
            coefficients,
            sourceIsFull ? 1 : 0,
            coefficients,
            targetIsFull ? 1 : 0,
            0,
            1 << 16,
            1 << 16
        )
    }

    /// Returns the pixel format of a picture and whether it has full range; some FFmpeg formats state both.
    private static func range(of frame: AVFrame) -> (AVPixelFormat, isFull: Bool) {
        let format = AVPixelFormat(frame.format)
        switch format {
        case AV_PIX_FMT_YUVJ420P: return (AV_PIX_FMT_YUV420P, true)
        case AV_PIX_FMT_YUVJ422P: return (AV_PIX_FMT_YUV422P, true)
        case AV_PIX_FMT_YUVJ444P: return (AV_PIX_FMT_YUV444P, true)
        case AV_PIX_FMT_YUVJ440P: return (AV_PIX_FMT_YUV440P, true)
        case AV_PIX_FMT_YUVJ411P: return (AV_PIX_FMT_YUV411P, true)
        default: return (format, frame.color_range == AVCOL_RANGE_JPEG)
        }
    }
}

extension PictureFormat {
    fileprivate var pixelFormat: AVPixelFormat {
        switch self {
        case .bgra: AV_PIX_FMT_BGRA
        case .argb: AV_PIX_FMT_ARGB
        case .abgr: AV_PIX_FMT_ABGR
        case .rgba: AV_PIX_FMT_RGBA
        case .rgb: AV_PIX_FMT_RGB24
        case .bgr: AV_PIX_FMT_BGR24
        case .gray: AV_PIX_FMT_GRAY8
        case .biplanar420: AV_PIX_FMT_NV12
        case .planar420: AV_PIX_FMT_YUV420P
        }
    }

    fileprivate var isFullRange: Bool {
        switch self {
        case .biplanar420(let isFullRange), .planar420(let isFullRange): isFullRange
        default: true
        }
    }
}

extension PictureMatrix {
    /// libswscale's number of the matrix.
    fileprivate var swscaleNumber: Int32 {
        switch self {
        case .bt601: SWS_CS_ITU601
        case .bt709: SWS_CS_ITU709
        case .bt2020: SWS_CS_BT2020
        case .smpte240m: SWS_CS_SMPTE240M
        }
    }
}
