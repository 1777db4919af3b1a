internal import CoreMedia
internal import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// The properties that only video tracks have.
struct PictureTraits: Sendable {
    /// The display size.
    var size: CGSize
    /// The transform for displaying the video.
    var transform: CGAffineTransform
    /// The frame rate in frames per second.
    var frameRate: Float
    /// The minimum frame duration.
    var minFrameDuration: CMTime
}

/// The video of a recording, as assets describe it.
struct VideoSummary {
    let info: VideoInfo

    /// Higher rates are clock rates, not frame rates.
    private static let highestFrameRate = 1000.0

    func track(
        of asset: AVAsset,
        number: CMPersistentTrackID,
        remake: @escaping @Sendable () -> AVAsset
    ) throws -> AVAssetTrack {
        let description = try formatDescription()
        let traits = PictureTraits(
            size: description.presentationDimensions(),
            transform: transform,
            frameRate: Float(info.frameRate?.value ?? 0),
            minFrameDuration: minFrameDuration
        )
        return AVAssetTrack(
            asset: asset,
            trackID: number,
            mediaType: .video,
            timeRange: timeRange,
            formatDescriptions: [description],
            naturalTimeScale: info.timescale,
            estimatedDataRate: dataRate,
            byteCount: info.size ?? 0,
            pictures: traits,
            remake: remake
        )
    }

    /// From the start of the first picture to the end of the last.
    var timeRange: CMTimeRange {
        let start = info.time(info.start)
        return CMTimeRange(start: start, duration: info.duration.map(info.time) ?? .indefinite)
    }

    private var dataRate: Float {
        if let rate = info.bitRate { return Float(rate) }
        guard let size = info.size, let duration = info.duration, info.seconds(duration) > 0 else { return 0 }
        return Float(Double(size) * 8 / info.seconds(duration))
    }

    private var minFrameDuration: CMTime {
        let rates = [info.highestFrameRate, info.frameRate].compactMap { $0 }
        guard let rate = rates.first(where: { $0.value <= Self.highestFrameRate }) else { return .invalid }
        return CMTime(value: Int64(rate.denominator), timescale: rate.numerator)
    }

    /// The transform that the file states; if it states no translation, the result is moved to the origin.
    private var transform: CGAffineTransform {
        guard let matrix = info.displayMatrix, matrix.count == 9 else { return .identity }
        let number = { (index: Int) in CGFloat(matrix[index]) / 65536 }
        var result = CGAffineTransform(
            a: number(0),
            b: number(1),
            c: number(3),
            d: number(4),
            tx: number(6),
            ty: number(7)
        )
        if result.tx == 0, result.ty == 0 {
            let size = CGSize(width: Double(info.width), height: Double(info.height))
            let box = CGRect(origin: .zero, size: size).applying(result)
            (result.tx, result.ty) = (-box.minX, -box.minY)
        }
        return result
    }

    private func formatDescription() throws -> CMFormatDescription {
        var extensions: [String: Any] = [kCMFormatDescriptionExtension_FormatName: info.codec]
        let ratio = info.pixelAspectRatio
        if ratio.numerator != ratio.denominator {
            extensions[kCMFormatDescriptionExtension_PixelAspectRatio] = ratio.dictionary
        }
        if let atom = Self.atoms[info.codec], info.extraData.first == 1 {
            let atoms: NSDictionary = [atom: Data(info.extraData)]
            extensions[kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms] = atoms
        }
        return try CMFormatDescription(
            videoCodecType: CMFormatDescription.MediaSubType(rawValue: codecType),
            width: info.width,
            height: info.height,
            extensions: extensions
        )
    }

    /// The atoms that hold the decoder configuration, by codec.
    private static let atoms = ["h264": "avcC", "hevc": "hvcC"]

    private var codecType: CMVideoCodecType {
        switch info.codec {
        case "h264": kCMVideoCodecType_H264
        case "hevc": kCMVideoCodecType_HEVC
        case "mpeg4": kCMVideoCodecType_MPEG4Video
        case "mpeg2video": kCMVideoCodecType_MPEG2Video
        case "mpeg1video": kCMVideoCodecType_MPEG1Video
        case "vp9": kCMVideoCodecType_VP9
        case "av1": kCMVideoCodecType_AV1
        case "h263": kCMVideoCodecType_H263
        case "mjpeg": kCMVideoCodecType_JPEG
        default: info.codecTag
        }
    }
}

extension VideoInfo {
    /// The timescale in which a tick is a whole number.
    var timescale: CMTimeScale { timeBase.denominator }

    /// Converts ticks to a time.
    func time(_ ticks: Int64) -> CMTime {
        CMTime(value: ticks.multipliedClamped(by: Int64(timeBase.numerator)), timescale: timescale)
    }

    /// Converts a time to ticks, rounded down.
    func ticks(_ time: CMTime) -> Int64 {
        let scaled = CMTimeConvertScale(time, timescale: timescale, method: .roundTowardNegativeInfinity)
        return scaled.value / Int64(timeBase.numerator)
    }
}

extension VideoInfo.Fraction {
    /// The pixel aspect ratio as a dictionary for pixel buffers and format descriptions.
    var dictionary: NSDictionary {
        [
            kCVImageBufferPixelAspectRatioHorizontalSpacingKey: Int(numerator),
            kCVImageBufferPixelAspectRatioVerticalSpacingKey: Int(denominator),
        ]
    }
}
