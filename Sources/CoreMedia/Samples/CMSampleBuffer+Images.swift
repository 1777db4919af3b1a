public import CSyrinxCoreMedia
public import CoreAudioTypes
public import CoreVideo
internal import Foundation

extension CMSampleBuffer {
    /// A buffer of one sample that is a picture.
    /// - Parameters:
    ///   - imageBuffer: The picture.
    ///   - formatDescription: The format, which has to be that of the picture.
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

    /// The picture; `nil` of other samples.
    public var imageBuffer: CVImageBuffer? { isInvalidated ? nil : contents.imageBuffer }
}

/// Returns the picture; `nil` of other samples.
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { sbuf.imageBuffer }

/// Makes a buffer of one sample that is a picture.
/// - Parameters:
///   - allocator: Without effect.
///   - imageBuffer: The picture.
///   - formatDescription: The format, which has to be that of the picture.
///   - sampleTiming: The times of the sample.
///   - sampleBufferOut: Receives the buffer.
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

/// Makes a buffer of one sample that is a picture, which may be filled later.
/// - Parameters:
///   - allocator: Without effect.
///   - imageBuffer: The picture.
///   - dataReady: Whether the pixels are there.
///   - makeDataReadyCallback: Makes them ready.
///   - makeDataReadyRefcon: Is passed to the callback.
///   - formatDescription: The format, which has to be that of the picture.
///   - sampleTiming: The times of the sample.
///   - sampleBufferOut: Receives the buffer.
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
    /// The description of a picture: its pixel format, its size, and the shape of its pixels if that is attached.
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

/// Makes the description of a picture.
/// - Parameters:
///   - allocator: Without effect.
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

/// Returns whether a description is one of such a picture: of its pixel format, its size and its attachments.
public func CMVideoFormatDescriptionMatchesImageBuffer(
    _ videoDesc: CMVideoFormatDescription,
    imageBuffer: CVImageBuffer
) -> Bool {
    guard let own = try? CMFormatDescription(imageBuffer: imageBuffer) else { return false }
    return own == videoDesc
}
