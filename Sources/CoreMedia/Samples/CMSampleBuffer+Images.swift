public import CSyrinxCoreMedia
public import CoreAudioTypes
public import CoreVideo
internal import Foundation

extension CMSampleBuffer {
    /// Creates a sample buffer with one picture.
    /// - Parameters:
    ///   - imageBuffer: The picture.
    ///   - formatDescription: The format, which must match the picture.
    ///   - sampleTiming: The times of the sample.
    public convenience init(
        imageBuffer: CVImageBuffer,
        formatDescription: CMFormatDescription,
        sampleTiming: CMSampleTimingInfo
    ) throws {
        guard CMVideoFormatDescriptionMatchesImageBuffer(formatDescription, imageBuffer: imageBuffer) else {
            throw NSError.status(kCMSampleBufferError_InvalidMediaFormat)
        }
        var contents = Contents(formatDescription: formatDescription, sampleCount: 1, timings: [sampleTiming])
        contents.imageBuffer = imageBuffer
        self.init(contents)
    }

    /// The picture; `nil` for other media types.
    public var imageBuffer: CVImageBuffer? { isInvalidated ? nil : contents.imageBuffer }
}

/// Returns the picture; `nil` for other media types.
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { sbuf.imageBuffer }

/// Creates a sample buffer with one picture.
/// - Parameters:
///   - allocator: Ignored.
///   - imageBuffer: The picture.
///   - formatDescription: The format, which must match the picture.
///   - sampleTiming: The times of the sample.
///   - sampleBufferOut: Receives the buffer.
/// - Returns: `noErr`, or `kCMSampleBufferError_InvalidMediaFormat` if `formatDescription` does not match the picture.
@discardableResult
public func CMSampleBufferCreateReadyWithImageBuffer(
    allocator: CFAllocator?,
    imageBuffer: CVImageBuffer,
    formatDescription: CMVideoFormatDescription,
    sampleTiming: UnsafePointer<CMSampleTimingInfo>,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    guard
        let buffer = try? CMSampleBuffer(
            imageBuffer: imageBuffer,
            formatDescription: formatDescription,
            sampleTiming: sampleTiming.pointee
        )
    else { return kCMSampleBufferError_InvalidMediaFormat }
    sampleBufferOut.pointee = buffer
    return noErr
}

/// Creates a sample buffer with one picture, whose pixels may be provided later.
/// - Parameters:
///   - allocator: Ignored.
///   - imageBuffer: The picture.
///   - dataReady: Whether the pixels are ready.
///   - makeDataReadyCallback: Called by `CMSampleBufferMakeDataReady` if the pixels are not ready.
///   - makeDataReadyRefcon: An argument for the callback.
///   - formatDescription: The format, which must match the picture.
///   - sampleTiming: The times of the sample.
///   - sampleBufferOut: Receives the buffer.
/// - Returns: `noErr`, or `kCMSampleBufferError_InvalidMediaFormat` if `formatDescription` does not match the picture.
@discardableResult
public func CMSampleBufferCreateForImageBuffer(
    allocator: CFAllocator?,
    imageBuffer: CVImageBuffer,
    dataReady: Bool,
    makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?,
    refcon makeDataReadyRefcon: UnsafeMutableRawPointer?,
    formatDescription: CMVideoFormatDescription,
    sampleTiming: UnsafePointer<CMSampleTimingInfo>,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    var made: CMSampleBuffer?
    let status = CMSampleBufferCreateReadyWithImageBuffer(
        allocator: allocator,
        imageBuffer: imageBuffer,
        formatDescription: formatDescription,
        sampleTiming: sampleTiming,
        sampleBufferOut: &made
    )
    guard status == noErr, let made else { return status }
    made.contents.isReady = dataReady
    made.makeReady = makeDataReadyCallback.map { callback in { callback($0, makeDataReadyRefcon) } }
    sampleBufferOut.pointee = made
    return noErr
}

extension CMFormatDescription {
    /// Creates the description of a picture from its pixel format, its size and its attached pixel aspect ratio.
    public convenience init(imageBuffer: CVImageBuffer) throws {
        guard let width = Int32(exactly: CVPixelBufferGetWidth(imageBuffer)),
            let height = Int32(exactly: CVPixelBufferGetHeight(imageBuffer))
        else { throw Error.invalidParameter }
        var extensions: [String: Any] = [:]
        for key in [kCVImageBufferPixelAspectRatioKey, kCVImageBufferYCbCrMatrixKey] {
            extensions[key] = CVBufferCopyAttachment(imageBuffer, key, nil)
        }
        self.init(
            mediaType: kCMMediaType_Video,
            mediaSubType: CVPixelBufferGetPixelFormatType(imageBuffer),
            dimensions: CMVideoDimensions(width: width, height: height),
            extensions: NSDictionary(dictionary: extensions)
        )
    }
}

/// Creates the description of a picture.
/// - Parameters:
///   - allocator: Ignored.
///   - imageBuffer: The picture.
///   - formatDescriptionOut: Receives the description.
@discardableResult
public func CMVideoFormatDescriptionCreateForImageBuffer(
    allocator: CFAllocator?,
    imageBuffer: CVImageBuffer,
    formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
    guard let made = try? CMFormatDescription(imageBuffer: imageBuffer) else {
        return kCMFormatDescriptionError_InvalidParameter
    }
    formatDescriptionOut.pointee = made
    return noErr
}

/// Returns whether a description matches a picture in pixel format, size and attachments.
public func CMVideoFormatDescriptionMatchesImageBuffer(
    _ videoDesc: CMVideoFormatDescription,
    imageBuffer: CVImageBuffer
) -> Bool {
    guard let own = try? CMFormatDescription(imageBuffer: imageBuffer) else { return false }
    return own == videoDesc
}
