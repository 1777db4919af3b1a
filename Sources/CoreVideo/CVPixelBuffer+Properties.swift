public import CoreAudioTypes
public import Foundation

/// Options for locking the memory of a picture.
public struct CVPixelBufferLockFlags: OptionSet, Sendable {
    /// The option bits.
    public let rawValue: UInt64

    /// Creates options from bits.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The pixels are only read.
    public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// Locks the memory of a picture, so that its base address is available.
///
/// Locks are counted: balance each call with `CVPixelBufferUnlockBaseAddress`. Threads do not exclude each other.
/// - Parameters:
///   - pixelBuffer: The picture.
///   - lockFlags: Ignored.
/// - Returns: `kCVReturnSuccess`.
@discardableResult
public func CVPixelBufferLockBaseAddress(
    _ pixelBuffer: CVPixelBuffer,
    _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn {
    pixelBuffer.lockMemory()
    return kCVReturnSuccess
}

/// Unlocks the memory of a picture once.
/// - Returns: `kCVReturnSuccess`, or `kCVReturnInvalidArgument` if the memory was not locked.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
    _ pixelBuffer: CVPixelBuffer,
    _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn { pixelBuffer.unlockMemory() ? kCVReturnSuccess : kCVReturnInvalidArgument }

/// Returns the width in pixels.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

/// Returns the height in pixels.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

/// Returns the pixel format, one of `kCVPixelFormatType_…`.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType { pixelBuffer.format }

/// Returns a pointer to the first pixel; `nil` for a planar picture, or while the memory is not locked.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
    pixelBuffer.isPlanar || !pixelBuffer.isLocked ? nil : pixelBuffer.planes.first?.base
}

/// Returns the distance of two rows in bytes; for a planar picture, the total size divided by the height, rounded up.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
    guard pixelBuffer.isPlanar else { return pixelBuffer.planes.first?.bytesPerRow ?? 0 }
    return (pixelBuffer.byteCount + pixelBuffer.height - 1) / pixelBuffer.height
}

/// Returns the size of all planes in bytes.
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.byteCount }

/// Returns whether the picture has several planes.
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.isPlanar }

/// Returns the number of planes; 0 if the picture is not planar.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
    pixelBuffer.isPlanar ? pixelBuffer.planes.count : 0
}

/// Returns the width of a plane in elements; 0 for an invalid index.
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.plane(planeIndex)?.width ?? 0
}

/// Returns the height of a plane in rows; 0 for an invalid index.
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.plane(planeIndex)?.height ?? 0
}

/// Returns the distance of two rows of a plane in bytes; 0 for an invalid index.
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.plane(planeIndex)?.bytesPerRow ?? 0
}

/// Returns a pointer to the first byte of a plane; `nil` for an invalid index, or while the memory is not locked.
public func CVPixelBufferGetBaseAddressOfPlane(
    _ pixelBuffer: CVPixelBuffer,
    _ planeIndex: Int
) -> UnsafeMutableRawPointer? { pixelBuffer.isLocked ? pixelBuffer.plane(planeIndex)?.base : nil }

/// Returns the attributes with which the picture was created.
public func CVPixelBufferCopyCreationAttributes(_ pixelBuffer: CVPixelBuffer) -> CFDictionary {
    pixelBuffer.attributes ?? NSDictionary()
}

/// Returns the width and height in pixels.
public func CVImageBufferGetEncodedSize(_ imageBuffer: CVImageBuffer) -> CGSize {
    CGSize(width: Double(imageBuffer.width), height: Double(imageBuffer.height))
}

/// Returns the display size: the width is scaled by the pixel aspect ratio.
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
    /// Returns the plane with an index; the picture itself is plane 0 of a format that is not planar.
    func plane(_ index: Int) -> Plane? { planes.indices.contains(index) ? planes[index] : nil }
}
