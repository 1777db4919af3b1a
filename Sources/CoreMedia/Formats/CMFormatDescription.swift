internal import CSyrinxCoreMedia
public import CoreAudioTypes
public import CoreVideo
public import Foundation

/// A parameter does not fit the format.
public let kCMFormatDescriptionError_InvalidParameter: OSStatus = -12710
/// The description could not be allocated.
public let kCMFormatDescriptionError_AllocationFailed: OSStatus = -12711
/// The description has no such value.
public let kCMFormatDescriptionError_ValueNotAvailable: OSStatus = -12718

/// The key of the data of a sample description's atoms.
public let kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms: String = "SampleDescriptionExtensionAtoms"
/// The key of the name of the format.
public let kCMFormatDescriptionExtension_FormatName: String = "FormatName"
/// The key of the bits of a pixel.
public let kCMFormatDescriptionExtension_Depth: String = "Depth"
/// The key of the shape of a pixel, a dictionary of its spacings.
public let kCMFormatDescriptionExtension_PixelAspectRatio: String = "CVPixelAspectRatio"
/// The key of a pixel's width in relation to its height.
public let kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: String = "HorizontalSpacing"
/// The key of a pixel's height in relation to its width.
public let kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: String = "VerticalSpacing"

/// The description of media: kind, encoding, and what a decoder needs beside the samples.
///
/// Two descriptions are equal if all of their parts are.
///
/// Unchecked: its memory is filled before anybody else has it, nothing writes to it later, and the dictionary is a copy.
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

    /// A description of media of any kind.
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

    /// Returns whether all parts of both are equal.
    public static func == (lhs: CMFormatDescription, rhs: CMFormatDescription) -> Bool {
        CMFormatDescriptionEqual(lhs, otherFormatDescription: rhs)
    }

    /// Feeds the kind and the encoding into `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(mediaTypeCode)
        hasher.combine(mediaSubTypeCode)
    }

    /// The kind of media.
    public var mediaType: MediaType { MediaType(rawValue: mediaTypeCode) }
    /// The encoding.
    public var mediaSubType: MediaSubType { MediaSubType(rawValue: mediaSubTypeCode) }
    /// Further properties, under the keys `kCMFormatDescriptionExtension_…`.
    public var extensions: [String: Any] { extensionDictionary as? [String: Any] ?? [:] }

    func hasEqualExtensions(_ other: CMFormatDescription) -> Bool {
        (extensionDictionary ?? NSDictionary()).isEqual(other.extensionDictionary ?? NSDictionary())
    }
}

/// Makes a description of media of any kind.
/// - Parameters:
///   - allocator: Without effect.
///   - mediaType: The kind.
///   - mediaSubType: The encoding.
///   - extensions: Further properties.
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

/// Returns whether all parts of two descriptions are equal; two that are missing are.
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

/// Returns the kind of media.
public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType { desc.mediaTypeCode }

/// Returns the encoding.
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode { desc.mediaSubTypeCode }

/// Returns further properties; `nil` if there are none.
public func CMFormatDescriptionGetExtensions(_ desc: CMFormatDescription) -> CFDictionary? { desc.extensionDictionary }

/// Returns a further property, if there is one of that key.
public func CMFormatDescriptionGetExtension(_ desc: CMFormatDescription, extensionKey: String) -> Any? {
    desc.extensionDictionary?[extensionKey]
}

extension CMFormatDescription {
    /// The failures of format descriptions as errors of `NSOSStatusErrorDomain`.
    public struct Error {
        /// A parameter does not fit the format.
        public static var invalidParameter: NSError { .status(kCMFormatDescriptionError_InvalidParameter) }
        /// The description could not be allocated.
        public static var allocationFailed: NSError { .status(kCMFormatDescriptionError_AllocationFailed) }
        /// The description has no such value.
        public static var valueNotAvailable: NSError { .status(kCMFormatDescriptionError_ValueNotAvailable) }
    }
}
