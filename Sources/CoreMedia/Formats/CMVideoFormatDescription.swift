public import CSyrinxCoreMedia
public import CoreAudioTypes
public import CoreVideo
public import Foundation

/// A video format description.
public typealias CMVideoFormatDescription = CMFormatDescription

/// Creates a video format description.
/// - Parameters:
///   - allocator: Ignored.
///   - codecType: The codec.
///   - width: The width in pixels.
///   - height: The height in pixels.
///   - extensions: Further properties, under the keys `kCMFormatDescriptionExtension_…`, or `nil`.
///   - formatDescriptionOut: Receives the description.
@discardableResult
public func CMVideoFormatDescriptionCreate(
    allocator: CFAllocator?,
    codecType: CMVideoCodecType,
    width: Int32,
    height: Int32,
    extensions: CFDictionary?,
    formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
    formatDescriptionOut.pointee = CMFormatDescription(
        mediaType: kCMMediaType_Video,
        mediaSubType: codecType,
        dimensions: CMVideoDimensions(width: width, height: height),
        extensions: extensions
    )
    return noErr
}

/// Returns the width and height in pixels; both are 0 if `videoDesc` does not describe video.
public func CMVideoFormatDescriptionGetDimensions(_ videoDesc: CMVideoFormatDescription) -> CMVideoDimensions {
    videoDesc.videoDimensions
}

/// Returns the display size of the video.
/// - Parameters:
///   - videoDesc: The description.
///   - usePixelAspectRatio: Whether the width is scaled by the pixel aspect ratio.
///   - useCleanAperture: Ignored.
public func CMVideoFormatDescriptionGetPresentationDimensions(
    _ videoDesc: CMVideoFormatDescription,
    usePixelAspectRatio: Bool,
    useCleanAperture: Bool
) -> CGSize {
    videoDesc.presentationDimensions(
        usePixelAspectRatio: usePixelAspectRatio,
        useCleanAperture: useCleanAperture
    )
}

extension CMFormatDescription {
    /// Creates a video format description.
    public convenience init(
        videoCodecType: MediaSubType,
        width: Int,
        height: Int,
        extensions: [String: Any]? = nil
    ) throws {
        guard let width = Int32(exactly: width), let height = Int32(exactly: height) else {
            throw Error.invalidParameter
        }
        self.init(
            mediaType: kCMMediaType_Video,
            mediaSubType: videoCodecType.rawValue,
            dimensions: CMVideoDimensions(width: width, height: height),
            extensions: extensions.map { NSDictionary(dictionary: $0) }
        )
    }

    /// The width and height in pixels; both are 0 if this description does not describe video.
    public var dimensions: CMVideoDimensions { videoDimensions }

    /// Returns the display size of the video.
    /// - Parameters:
    ///   - usePixelAspectRatio: Whether the width is scaled by the pixel aspect ratio.
    ///   - useCleanAperture: Ignored.
    public func presentationDimensions(
        usePixelAspectRatio: Bool = true,
        useCleanAperture: Bool = true
    ) -> CGSize {
        var width = Double(videoDimensions.width)
        let key = kCMFormatDescriptionExtension_PixelAspectRatio
        if usePixelAspectRatio, let ratio = extensionDictionary?[key] as? NSDictionary,
            let across = ratio[kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing] as? NSNumber,
            let down = ratio[kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing] as? NSNumber,
            across.doubleValue > 0, down.doubleValue > 0
        {
            width *= across.doubleValue / down.doubleValue
        }
        return CGSize(width: width, height: Double(videoDimensions.height))
    }
}
