public import CoreAudioTypes
public import Foundation

/// The key of the pixel format, an `OSType` or an array of acceptable formats.
public let kCVPixelBufferPixelFormatTypeKey: String = "PixelFormatType"
/// The key of the width in pixels.
public let kCVPixelBufferWidthKey: String = "Width"
/// The key of the height in pixels.
public let kCVPixelBufferHeightKey: String = "Height"
/// The key of the row alignment in bytes, a power of two.
public let kCVPixelBufferBytesPerRowAlignmentKey: String = "BytesPerRowAlignment"
/// The key of the properties of a shared surface; has no effect, because buffers are in process memory.
public let kCVPixelBufferIOSurfacePropertiesKey: String = "IOSurfaceProperties"
/// The key for compatibility with `CGImage`; has no effect.
public let kCVPixelBufferCGImageCompatibilityKey: String = "CGImageCompatibility"
/// The key for compatibility with bitmap contexts; has no effect.
public let kCVPixelBufferCGBitmapContextCompatibilityKey: String = "CGBitmapContextCompatibility"
/// The key for compatibility with Metal; has no effect.
public let kCVPixelBufferMetalCompatibilityKey: String = "MetalCompatibility"

/// A function that is called when memory of the caller is no longer used, with the caller's reference and the memory.
public typealias CVPixelBufferReleaseBytesCallback = (UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Void

/// The sizes of the planes of a picture.
struct PixelBufferSize {
    /// The position and size of a plane in memory.
    struct Plane {
        let width: Int
        let height: Int
        let bytesPerRow: Int
        let offset: Int
    }

    let planes: [Plane]
    let byteCount: Int

    /// The maximum width and height in pixels.
    static let maximumSide = 1 << 20
    /// The row alignment in bytes, for fast vector code.
    static let alignment = 64
    /// The maximum row alignment in bytes.
    static let maximumAlignment = 1 << 16

    /// Returns the sizes; `nil` if a side is not positive or too large, or the size in bytes overflows.
    init?(_ layout: PixelLayout, width: Int, height: Int, alignment: Int) {
        guard (1...Self.maximumSide).contains(width), (1...Self.maximumSide).contains(height) else { return nil }
        var planes: [Plane] = []
        var offset = 0
        for plane in layout.planes {
            // Bounded: a side has 20 bits, an element 3, an alignment 16.
            let columns = (width + plane.subsampling - 1) / plane.subsampling
            let rows = (height + plane.subsampling - 1) / plane.subsampling
            let bytesPerRow = (columns * plane.elementSize + alignment - 1) / alignment * alignment
            planes.append(Plane(width: columns, height: rows, bytesPerRow: bytesPerRow, offset: offset))
            offset += bytesPerRow * rows
        }
        self.planes = planes
        byteCount = offset
    }
}

/// Creates a picture whose pixels are zero.
///
/// ```swift
/// var picture: CVPixelBuffer?
/// let status = CVPixelBufferCreate(nil, 640, 480, kCVPixelFormatType_32BGRA, nil, &picture)
/// guard status == kCVReturnSuccess, let picture else { return }
/// ```
/// - Parameters:
///   - allocator: Ignored.
///   - width: The width in pixels, at least 1.
///   - height: The height in pixels, at least 1.
///   - pixelFormatType: One of `kCVPixelFormatType_…`.
///   - pixelBufferAttributes: Values under the keys `kCVPixelBuffer…Key`; only the row alignment has an effect.
///   - pixelBufferOut: Receives the picture.
/// - Returns: `kCVReturnSuccess`, or `…InvalidPixelFormat`, `…InvalidSize`, `…InvalidPixelBufferAttributes`,
///   `…AllocationFailed`.
@discardableResult
public func CVPixelBufferCreate(
    _ allocator: CFAllocator?,
    _ width: Int,
    _ height: Int,
    _ pixelFormatType: OSType,
    _ pixelBufferAttributes: CFDictionary?,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    let result = PixelBufferPlan.make(width, height, pixelFormatType, pixelBufferAttributes)
    guard case .success(let plan) = result else { return result.status }
    guard let memory = plan.allocate() else { return kCVReturnAllocationFailed }
    pixelBufferOut.pointee = plan.buffer(in: memory) { free(memory) }
    return kCVReturnSuccess
}

/// Creates a picture in memory of the caller, in a format with one plane.
/// - Parameters:
///   - allocator: Ignored.
///   - width: The width in pixels, at least 1.
///   - height: The height in pixels, at least 1.
///   - pixelFormatType: One of `kCVPixelFormatType_…` that is not planar.
///   - baseAddress: The first pixel of the first row; the memory must be valid until the callback.
///   - bytesPerRow: The distance of two rows in bytes.
///   - releaseCallback: Called when the picture is deallocated.
///   - releaseRefCon: An argument for the callback.
///   - pixelBufferAttributes: Ignored.
///   - pixelBufferOut: Receives the picture.
/// - Returns: `kCVReturnSuccess`, or `…InvalidPixelFormat`, `…InvalidSize`, `…InvalidArgument` if `bytesPerRow` is too
///   small.
@discardableResult
public func CVPixelBufferCreateWithBytes(
    _ allocator: CFAllocator?,
    _ width: Int,
    _ height: Int,
    _ pixelFormatType: OSType,
    _ baseAddress: UnsafeMutableRawPointer,
    _ bytesPerRow: Int,
    _ releaseCallback: CVPixelBufferReleaseBytesCallback?,
    _ releaseRefCon: UnsafeMutableRawPointer?,
    _ pixelBufferAttributes: CFDictionary?,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    guard let layout = PixelLayout(pixelFormatType), !layout.isPlanar else { return kCVReturnInvalidPixelFormat }
    guard let size = PixelBufferSize(layout, width: width, height: height, alignment: 1) else {
        return kCVReturnInvalidSize
    }
    let (byteCount, overflow) = bytesPerRow.multipliedReportingOverflow(by: height)
    guard let least = size.planes.first?.bytesPerRow, bytesPerRow >= least, !overflow else {
        return kCVReturnInvalidArgument
    }
    pixelBufferOut.pointee = CVBuffer(
        format: pixelFormatType,
        width: width,
        height: height,
        planes: [CVBuffer.Plane(width: width, height: height, bytesPerRow: bytesPerRow, base: baseAddress)],
        byteCount: byteCount,
        isPlanar: false,
        attributes: pixelBufferAttributes,
        release: { releaseCallback?(releaseRefCon, baseAddress) }
    )
    return kCVReturnSuccess
}
