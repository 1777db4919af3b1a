internal import CSyrinxCoreMedia
public import CoreAudioTypes
public import CoreVideo
public import Foundation

/// A parameter is not suitable for the format.
public let kCMFormatDescriptionError_InvalidParameter: OSStatus = -12710
/// The description could not be allocated.
public let kCMFormatDescriptionError_AllocationFailed: OSStatus = -12711
/// The description does not contain the requested value.
public let kCMFormatDescriptionError_ValueNotAvailable: OSStatus = -12718

/// The key of the sample description's extension atoms.
public let kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms: String = "SampleDescriptionExtensionAtoms"
/// The key of the name of the format.
public let kCMFormatDescriptionExtension_FormatName: String = "FormatName"
/// The key of the number of bits in a pixel.
public let kCMFormatDescriptionExtension_Depth: String = "Depth"
/// The key of the pixel aspect ratio, a dictionary of two spacings.
public let kCMFormatDescriptionExtension_PixelAspectRatio: String = "CVPixelAspectRatio"
/// The key of the horizontal spacing of the pixel aspect ratio.
public let kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: String = "HorizontalSpacing"
/// The key of the vertical spacing of the pixel aspect ratio.
public let kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: String = "VerticalSpacing"

/// The description of a media format: media type, codec, and decoder configuration.
///
/// Two descriptions are equal if all of their parts are equal.
///
/// Unchecked: the memory is filled before the object is shared and not changed afterwards; the dictionary is a copy.
public final class CMFormatDescription: Hashable, @unchecked Sendable {
    let mediaTypeCode: CMMediaType
    let mediaSubTypeCode: FourCharCode
    let videoDimensions: CMVideoDimensions
    let extensionDictionary: NSDictionary?
    let sound: SoundDescription?

    init(
        mediaType: CMMediaType,
        mediaSubType: FourCharCode,
        dimensions: CMVideoDimensions = CMVideoDimensions(width: 0, height: 0),
        extensions: NSDictionary? = nil,
        sound: SoundDescription? = nil
    ) {
        mediaTypeCode = mediaType
        mediaSubTypeCode = mediaSubType
        videoDimensions = dimensions
        extensionDictionary = extensions.flatMap {
            $0.count == 0 ? nil : NSDictionary(dictionary: $0 as? [AnyHashable: Any] ?? [:])
        }
        self.sound = sound
    }

    /// Creates a description for any media type.
    public convenience init(
        mediaType: MediaType,
        mediaSubType: MediaSubType,
        extensions: [String: Any]? = nil
    ) throws {
        self.init(
            mediaType: mediaType.rawValue,
            mediaSubType: mediaSubType.rawValue,
            extensions: extensions.map { NSDictionary(dictionary: $0) }
        )
    }

    /// Returns whether all parts of both descriptions are equal.
    public static func == (lhs: CMFormatDescription, rhs: CMFormatDescription) -> Bool {
        CMFormatDescriptionEqual(lhs, otherFormatDescription: rhs)
    }

    /// Hashes the media type and the codec.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(mediaTypeCode)
        hasher.combine(mediaSubTypeCode)
    }

    /// The media type.
    public var mediaType: MediaType { MediaType(rawValue: mediaTypeCode) }
    /// The codec or pixel format.
    public var mediaSubType: MediaSubType { MediaSubType(rawValue: mediaSubTypeCode) }
    /// The extensions, under the keys `kCMFormatDescriptionExtension_…`.
    public var extensions: [String: Any] { extensionDictionary as? [String: Any] ?? [:] }

    func hasEqualExtensions(_ other: CMFormatDescription) -> Bool {
        (extensionDictionary ?? NSDictionary()).isEqual(other.extensionDictionary ?? NSDictionary())
    }
}

/// Creates a description for any media type.
/// - Parameters:
///   - allocator: Ignored.
///   - mediaType: The media type.
///   - mediaSubType: The codec or pixel format.
///   - extensions: Further properties, under the keys `kCMFormatDescriptionExtension_…`, or `nil`.
///   - formatDescriptionOut: Receives the description.
@discardableResult
public func CMFormatDescriptionCreate(
    allocator: CFAllocator?,
    mediaType: CMMediaType,
    mediaSubType: FourCharCode,
    extensions: CFDictionary?,
    formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
    formatDescriptionOut.pointee = CMFormatDescription(
        mediaType: mediaType,
        mediaSubType: mediaSubType,
        extensions: extensions
    )
    return noErr
}

/// Returns whether all parts of two descriptions are equal; two `nil` values are equal.
public func CMFormatDescriptionEqual(
    _ formatDescription: CMFormatDescription?,
    otherFormatDescription: CMFormatDescription?
) -> Bool {
    guard let one = formatDescription, let two = otherFormatDescription else {
        return formatDescription == nil && otherFormatDescription == nil
    }
    if one === two { return true }
    return one.mediaTypeCode == two.mediaTypeCode && one.mediaSubTypeCode == two.mediaSubTypeCode
        && one.videoDimensions.width == two.videoDimensions.width
        && one.videoDimensions.height == two.videoDimensions.height && one.hasEqualExtensions(two)
        && one.sound == two.sound
}

/// Returns the media type of a description.
public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType { desc.mediaTypeCode }

/// Returns the codec or pixel format of a description.
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode { desc.mediaSubTypeCode }

/// Returns the extensions; `nil` if there are none.
public func CMFormatDescriptionGetExtensions(_ desc: CMFormatDescription) -> CFDictionary? { desc.extensionDictionary }

/// Returns the extension with this key, or `nil`.
public func CMFormatDescriptionGetExtension(_ desc: CMFormatDescription, extensionKey: String) -> Any? {
    desc.extensionDictionary?[extensionKey]
}

extension CMFormatDescription {
    /// The errors of format descriptions in `NSOSStatusErrorDomain`.
    public struct Error {
        /// A parameter is not suitable for the format.
        public static var invalidParameter: NSError { .status(kCMFormatDescriptionError_InvalidParameter) }
        /// The description could not be allocated.
        public static var allocationFailed: NSError { .status(kCMFormatDescriptionError_AllocationFailed) }
        /// The description does not contain the requested value.
        public static var valueNotAvailable: NSError { .status(kCMFormatDescriptionError_ValueNotAvailable) }
    }
}
