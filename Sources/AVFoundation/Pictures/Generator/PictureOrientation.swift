internal import CoreVideo
internal import Foundation

/// A rotation by a multiple of 90°, a mirroring, or both: the part of a transform that moves pixels without blending
/// them.
struct PictureOrientation: Equatable {
    /// Whether rows become columns.
    let swapsSides: Bool
    /// Whether the columns are reversed in the result.
    let mirrorsX: Bool
    /// Whether the rows are reversed in the result.
    let mirrorsY: Bool

    /// The tolerance for transforms in files, which have 16 fractional bits.
    private static let latitude = 1e-3

    /// Returns the orientation of a transform; `nil` if it rotates by another angle, or skews.
    init?(_ transform: CGAffineTransform) {
        let (a, b, c, d) = (transform.a, transform.b, transform.c, transform.d)
        let largest = [a, b, c, d].map(abs).max() ?? 0
        guard largest > 0, largest.isFinite else { return nil }
        let isSmall = { (number: CGFloat) in abs(number) < largest * Self.latitude }
        if isSmall(b), isSmall(c), !isSmall(a), !isSmall(d) {
            (swapsSides, mirrorsX, mirrorsY) = (false, a < 0, d < 0)
        } else if isSmall(a), isSmall(d), !isSmall(b), !isSmall(c) {
            (swapsSides, mirrorsX, mirrorsY) = (true, b < 0, c < 0)
        } else {
            return nil
        }
    }

    /// Whether the orientation moves no pixels.
    var isUpright: Bool { !swapsSides && !mirrorsX && !mirrorsY }

    /// Copies a picture with four bytes per pixel into `target`, whose size must match the orientation.
    func copy(_ source: CVPixelBuffer, to target: CVPixelBuffer) {
        CVPixelBufferLockBaseAddress(source, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(source, .readOnly) }
        CVPixelBufferLockBaseAddress(target, [])
        defer { CVPixelBufferUnlockBaseAddress(target, []) }
        guard let from = CVPixelBufferGetBaseAddress(source), let into = CVPixelBufferGetBaseAddress(target) else {
            return
        }
        let (columns, rows) = (CVPixelBufferGetWidth(source), CVPixelBufferGetHeight(source))
        let rowSize = CVPixelBufferGetBytesPerRow(source)
        let (width, height) = (CVPixelBufferGetWidth(target), CVPixelBufferGetHeight(target))
        precondition(swapsSides ? (columns, rows) == (height, width) : (columns, rows) == (width, height))
        // The distance in bytes, in the source, between horizontal and between vertical neighbors of the result.
        let (right, down) = (mirrorsX ? -4 : 4, mirrorsY ? -rowSize : rowSize)
        let (across, beneath) = swapsSides ? (down, right) : (right, down)
        let corner = (mirrorsX ? (columns - 1) * 4 : 0) + (mirrorsY ? (rows - 1) * rowSize : 0)
        for y in 0..<height {
            let line = into + y * CVPixelBufferGetBytesPerRow(target)
            var offset = corner + y * beneath
            for x in 0..<width {
                line.storeBytes(
                    of: from.load(fromByteOffset: offset, as: UInt32.self),
                    toByteOffset: 4 * x,
                    as: UInt32.self
                )
                offset += across
            }
        }
    }
}

/// The size of a still picture.
struct StillSize: Equatable {
    /// The pixels of the result.
    let width: Int
    let height: Int

    /// The maximum side and the maximum number of pixels of a scaled picture.
    private static let (maximumSide, maximumCount) = (16384.0, 67_000_000.0)

    /// Returns the size of a picture, reduced to fit into `maximum`; never enlarged.
    /// - Parameter maximum: The maximum size; a side of 0 or less is not limited.
    init(_ size: CGSize, maximum: CGSize) {
        let (width, height) = (Double(size.width), Double(size.height))
        guard width > 0, height > 0, width.isFinite, height.isFinite else {
            (self.width, self.height) = (1, 1)
            return
        }
        var scale = min(1, Self.maximumSide / max(width, height), (Self.maximumCount / (width * height)).squareRoot())
        if maximum.width > 0 { scale = min(scale, Double(maximum.width) / width) }
        if maximum.height > 0 { scale = min(scale, Double(maximum.height) / height) }
        self.width = max(Int((width * scale).rounded()), 1)
        self.height = max(Int((height * scale).rounded()), 1)
    }
}
