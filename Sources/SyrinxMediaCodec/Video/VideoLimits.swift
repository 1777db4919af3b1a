internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// The size limits of pictures that are decoded.
enum VideoLimits {
    /// The maximum width and height, in pixels.
    static let side = 16384
    /// The maximum number of pixels, 8192 × 8192; libavcodec holds up to about twenty pictures.
    static let pixelCount = 1 << 26

    /// Checks the size of pictures.
    /// - Throws: `.corrupt` if a dimension is not positive, `.unsupported` if the size is too large.
    static func check(width: Int32, height: Int32, _ name: String) throws(SyrinxError) {
        guard width > 0, height > 0 else {
            throw SyrinxError(.corrupt, "The size of its pictures is not known: it is damaged or cut off.", name: name)
        }
        guard width <= side, height <= side, Int(width) * Int(height) <= pixelCount else {
            let message =
                "Its pictures have \(width) × \(height) pixels; up to \(side) each way, and \(pixelCount) in all, can be decoded."
            throw SyrinxError(.unsupported, message, name: name)
        }
    }
}
