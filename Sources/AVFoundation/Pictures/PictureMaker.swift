internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// Converts decoded pictures to pixel buffers, and reuses the memory of released ones.
///
/// Use it on one thread at a time.
final class PictureMaker {
    private let settings: PictureSettings
    private let converter: PictureConverter
    private let name: String
    private var pool: (width: Int, height: Int, pool: CVPixelBufferPool)?

    /// - Parameter name: The name of the recording, for errors.
    init(_ settings: PictureSettings, name: String) {
        self.settings = settings
        self.name = name
        converter = PictureConverter(name: name)
    }

    /// Converts a picture to a new pixel buffer.
    /// - Parameter size: The size in pixels; by default that of the settings, or of the picture.
    /// - Throws: `SyrinxError` if the conversion fails, or memory is exhausted.
    func make(
        _ picture: DecodedPicture,
        size: (width: Int, height: Int)? = nil
    ) throws(SyrinxError) -> CVPixelBuffer {
        let width = size?.width ?? settings.width ?? picture.frame.width
        let height = size?.height ?? settings.height ?? picture.frame.height
        let made = try makeBuffer(width, height)
        CVPixelBufferLockBaseAddress(made, [])
        defer { CVPixelBufferUnlockBaseAddress(made, []) }
        var planes: [PicturePlane] = []
        for index in 0..<max(CVPixelBufferGetPlaneCount(made), 1) {
            guard let base = CVPixelBufferGetBaseAddressOfPlane(made, index) else { continue }
            planes.append(
                PicturePlane(base: base, bytesPerRow: CVPixelBufferGetBytesPerRowOfPlane(made, index))
            )
        }
        try converter.convert(picture.frame, to: settings.format, width: width, height: height, planes: planes)
        attach(to: made, picture, isScaled: size != nil || settings.width != nil || settings.height != nil)
        return made
    }

    /// Returns an uninitialized pixel buffer in the pixel format of the settings.
    /// - Throws: `SyrinxError` with `.outOfMemory`.
    func makeBuffer(_ width: Int, _ height: Int) throws(SyrinxError) -> CVPixelBuffer {
        var made: CVPixelBuffer?
        if let pool = makePool(width, height) { CVPixelBufferPoolCreatePixelBuffer(nil, pool, &made) }
        guard let made else {
            throw SyrinxError(.outOfMemory, "There is not enough memory for a picture.", name: name)
        }
        return made
    }

    private func makePool(_ width: Int, _ height: Int) -> CVPixelBufferPool? {
        if let pool, pool.width == width, pool.height == height { return pool.pool }
        let attributes: NSDictionary = [
            kCVPixelBufferPixelFormatTypeKey: Int(settings.pixelFormat), kCVPixelBufferWidthKey: width,
            kCVPixelBufferHeightKey: height,
        ]
        var made: CVPixelBufferPool?
        CVPixelBufferPoolCreate(nil, nil, attributes, &made)
        pool = made.map { (width, height, $0) }
        return made
    }

    private func attach(to buffer: CVPixelBuffer, _ picture: DecodedPicture, isScaled: Bool) {
        let ratio = picture.pixelAspectRatio
        if ratio.numerator != ratio.denominator, !isScaled {
            CVBufferSetAttachment(buffer, kCVImageBufferPixelAspectRatioKey, ratio.dictionary, .shouldPropagate)
        }
        guard settings.format.isYCbCr else { return }
        let matrix =
            switch picture.frame.matrix {
            case .bt601: kCVImageBufferYCbCrMatrix_ITU_R_601_4
            case .bt709: kCVImageBufferYCbCrMatrix_ITU_R_709_2
            case .bt2020: kCVImageBufferYCbCrMatrix_ITU_R_2020
            case .smpte240m: kCVImageBufferYCbCrMatrix_SMPTE_240M_1995
            }
        CVBufferSetAttachment(buffer, kCVImageBufferYCbCrMatrixKey, matrix, .shouldPropagate)
    }
}
