public import CSyrinxCoreMedia
public import CoreAudioTypes
public import CoreVideo
public import Foundation

/// The description of moving pictures.
public typealias CMVideoFormatDescription = CMFormatDescription

/// Makes a description of moving pictures.
/// - Parameters:
///   - allocator: Without effect.
///   - codecType: The encoding.
///   - width: Pixels of a row.
///   - height: Rows.
///   - extensions: Further properties.
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

/// Returns the pixels of a row and the rows; both 0 if `videoDesc` is none of pictures.
public func CMVideoFormatDescriptionGetDimensions(_ videoDesc: CMVideoFormatDescription) -> CMVideoDimensions {
    videoDesc.videoDimensions
}

/// Returns the size at which the pictures are to be shown.
/// - Parameters:
///   - videoDesc: The description.
///   - usePixelAspectRatio: Whether pixels that are not square stretch the width.
///   - useCleanAperture: Without effect.
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
    /// A description of moving pictures.
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

    /// The pixels of a row and the rows; both 0 if this is none of pictures.
    public var dimensions: CMVideoDimensions { videoDimensions }

    /// Returns the size at which the pictures are to be shown.
    /// - Parameters:
    ///   - usePixelAspectRatio: Whether pixels that are not square stretch the width.
    ///   - useCleanAperture: Without effect.
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
