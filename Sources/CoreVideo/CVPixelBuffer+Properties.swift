public import CoreAudioTypes
public import Foundation

/// Options of locking the memory of a picture.
public struct CVPixelBufferLockFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt64

    /// Options of these bits.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The pixels are read and not written.
    public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// Makes the memory of a picture available, until it has been unlocked as often.
@discardableResult
public func CVPixelBufferLockBaseAddress(
    _ pixelBuffer: CVPixelBuffer,
    _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn {
    pixelBuffer.lockMemory()
    return kCVReturnSuccess
}

/// Takes back one call of `CVPixelBufferLockBaseAddress`.
/// - Returns: `kCVReturnSuccess`, or `kCVReturnInvalidArgument` if the memory was not locked.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
    _ pixelBuffer: CVPixelBuffer,
    _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn { pixelBuffer.unlockMemory() ? kCVReturnSuccess : kCVReturnInvalidArgument }

/// Returns the pixels of a row.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

/// Returns the rows.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

/// Returns the pixel format, one of `kCVPixelFormatType_…`.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType { pixelBuffer.format }

/// Returns the first pixel of the first row; `nil` of a planar picture, and while the memory is not locked.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
    pixelBuffer.isPlanar || !pixelBuffer.isLocked ? nil : pixelBuffer.planes.first?.base
}

/// Returns the bytes from one row to the next; of a planar picture, those of all planes divided by the rows, rounded up.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
    guard pixelBuffer.isPlanar else { return pixelBuffer.planes.first?.bytesPerRow ?? 0 }
    return (pixelBuffer.byteCount + pixelBuffer.height - 1) / pixelBuffer.height
}

/// Returns the bytes of all planes.
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.byteCount }

/// Returns whether the picture consists of several planes.
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.isPlanar }

/// Returns the number of planes; 0 if the picture is not planar.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
    pixelBuffer.isPlanar ? pixelBuffer.planes.count : 0
}

/// Returns the elements of a plane's row; 0 if there is no such plane.
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.plane(planeIndex)?.width ?? 0
}

/// Returns the rows of a plane; 0 if there is no such plane.
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.plane(planeIndex)?.height ?? 0
}

/// Returns the bytes from one row of a plane to the next; 0 if there is no such plane.
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.plane(planeIndex)?.bytesPerRow ?? 0
}

/// Returns the first byte of a plane; `nil` if there is no such plane, and while the memory is not locked.
public func CVPixelBufferGetBaseAddressOfPlane(
    _ pixelBuffer: CVPixelBuffer,
    _ planeIndex: Int
) -> UnsafeMutableRawPointer? { pixelBuffer.isLocked ? pixelBuffer.plane(planeIndex)?.base : nil }

/// Returns the attributes that the picture was made with.
public func CVPixelBufferCopyCreationAttributes(_ pixelBuffer: CVPixelBuffer) -> CFDictionary {
    pixelBuffer.attributes ?? NSDictionary()
}

/// Returns the pixels of a row and the rows.
public func CVImageBufferGetEncodedSize(_ imageBuffer: CVImageBuffer) -> CGSize {
    CGSize(width: Double(imageBuffer.width), height: Double(imageBuffer.height))
}

/// Returns the size at which the picture is to be shown: pixels that are not square stretch the width.
public func CVImageBufferGetDisplaySize(_ imageBuffer: CVImageBuffer) -> CGSize {
    var size = CVImageBufferGetEncodedSize(imageBuffer)
    let ratio = imageBuffer.attachment(kCVImageBufferPixelAspectRatioKey)?.value as? NSDictionary
    if let across = ratio?[kCVImageBufferPixelAspectRatioHorizontalSpacingKey] as? NSNumber,
        let down = ratio?[kCVImageBufferPixelAspectRatioVerticalSpacingKey] as? NSNumber,
        across.doubleValue > 0, down.doubleValue > 0
    {
        size.width *= across.doubleValue / down.doubleValue
    }
    return size
}

extension CVBuffer {
    /// The plane of a number; the picture itself is plane 0 of a format that is not planar.
    func plane(_ index: Int) -> Plane? { planes.indices.contains(index) ? planes[index] : nil }
}
