public import CoreAudioTypes
public import Foundation

/// The key of the pixel format, an `OSType`, or an array of those that will do.
public let kCVPixelBufferPixelFormatTypeKey: String = "PixelFormatType"
/// The key of the pixels of a row.
public let kCVPixelBufferWidthKey: String = "Width"
/// The key of the rows.
public let kCVPixelBufferHeightKey: String = "Height"
/// The key of a number of bytes of which that of each row is to be a multiple; a power of two.
public let kCVPixelBufferBytesPerRowAlignmentKey: String = "BytesPerRowAlignment"
/// The key of the properties of a shared surface; without effect, as buffers lie in the memory of the process.
public let kCVPixelBufferIOSurfacePropertiesKey: String = "IOSurfaceProperties"
/// The key that asks for a buffer that a drawing context can use; without effect.
public let kCVPixelBufferCGImageCompatibilityKey: String = "CGImageCompatibility"
/// The key that asks for a buffer that a drawing context can be made of; without effect.
public let kCVPixelBufferCGBitmapContextCompatibilityKey: String = "CGBitmapContextCompatibility"
/// The key that asks for a buffer that Metal can use; without effect.
public let kCVPixelBufferMetalCompatibilityKey: String = "MetalCompatibility"

/// Is called when memory of the caller's is no longer used, with the caller's own reference and the memory.
public typealias CVPixelBufferReleaseBytesCallback = (UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Void

/// The sizes of the planes of a picture.
struct PixelBufferSize {
    /// The position of a plane in memory, and its rows.
    struct Plane {
        let width: Int
        let height: Int
        let bytesPerRow: Int
        let offset: Int
    }

    let planes: [Plane]
    let byteCount: Int

    /// The largest width and height in pixels.
    static let maximumSide = 1 << 20
    /// Bytes of which that of each row is a multiple, so that vector code is fast.
    static let alignment = 64
    /// The largest alignment of rows that can be asked for, in bytes.
    static let maximumAlignment = 1 << 16

    /// Returns the sizes; `nil` if a side is not positive or too large, or the bytes are more than an `Int` holds.
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

/// Makes a picture, whose pixels are zero.
/// - Parameters:
///   - allocator: Without effect.
///   - width: Pixels of a row, from 1 on.
///   - height: Rows, from 1 on.
///   - pixelFormatType: One of `kCVPixelFormatType_…`.
///   - pixelBufferAttributes: Values under the keys `kCVPixelBuffer…Key`, of which the alignment of rows counts.
///   - pixelBufferOut: Receives the picture.
/// - Returns: `kCVReturnSuccess`, or `…InvalidPixelFormat`, `…InvalidSize`, `…InvalidPixelBufferAttributes`, `…AllocationFailed`.
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

/// Makes a picture of memory of the caller's, in a format of one plane.
/// - Parameters:
///   - allocator: Without effect.
///   - width: Pixels of a row, from 1 on.
///   - height: Rows, from 1 on.
///   - pixelFormatType: One of `kCVPixelFormatType_…` that is not planar.
///   - baseAddress: The first pixel of the first row; it has to stay until the callback.
///   - bytesPerRow: The bytes from one row to the next.
///   - releaseCallback: Is called when the picture goes.
///   - releaseRefCon: Is passed to the callback.
///   - pixelBufferAttributes: Without effect.
///   - pixelBufferOut: Receives the picture.
/// - Returns: `kCVReturnSuccess`, or `…InvalidPixelFormat`, `…InvalidSize`, `…InvalidArgument` if a row does not hold the pixels.
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
