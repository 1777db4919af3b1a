internal import ByteStream
internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import MediaCodec

/// Makes pixel buffers of decoded pictures.
///
/// One thread at a time.
final class PictureMaker {
    private let settings: PictureSettings
    private let info: VideoInfo
    private let converter: PictureConverter
    private let name: String

    init(_ settings: PictureSettings, _ reader: VideoReader) {
        self.settings = settings
        info = reader.info
        name = reader.stream.name
        converter = PictureConverter(name: name)
    }

    /// Returns a picture in memory of its own.
    /// - Throws: `MediaError` if it cannot be converted, or there is no memory.
    func make(_ frame: VideoFrame) throws(MediaError) -> CVPixelBuffer {
        let width = settings.width ?? frame.width
        let height = settings.height ?? frame.height
        var made: CVPixelBuffer?
        guard CVPixelBufferCreate(nil, width, height, settings.pixelFormat, nil, &made) == kCVReturnSuccess, let made
        else { throw MediaError(.outOfMemory, "There is not enough memory for a picture.", name: name) }
        CVPixelBufferLockBaseAddress(made, [])
        defer { CVPixelBufferUnlockBaseAddress(made, []) }
        var planes: [PicturePlane] = []
        for index in 0..<max(CVPixelBufferGetPlaneCount(made), 1) {
            guard let base = CVPixelBufferGetBaseAddressOfPlane(made, index) else { continue }
            planes.append(
                PicturePlane(base: base, bytesPerRow: CVPixelBufferGetBytesPerRowOfPlane(made, index))
            )
        }
        try converter.convert(frame, to: settings.format, width: width, height: height, planes: planes)
        attach(to: made, frame)
        return made
    }

    private func attach(to buffer: CVPixelBuffer, _ frame: VideoFrame) {
        let ratio = info.pixelAspectRatio
        let isScaled = settings.width != nil || settings.height != nil
        if ratio.numerator != ratio.denominator, !isScaled {
            CVBufferSetAttachment(buffer, kCVImageBufferPixelAspectRatioKey, ratio.dictionary, .shouldPropagate)
        }
        guard settings.format.isYCbCr else { return }
        let matrix =
            switch frame.matrix {
            case .bt601: kCVImageBufferYCbCrMatrix_ITU_R_601_4
            case .bt709: kCVImageBufferYCbCrMatrix_ITU_R_709_2
            case .bt2020: kCVImageBufferYCbCrMatrix_ITU_R_2020
            case .smpte240m: kCVImageBufferYCbCrMatrix_SMPTE_240M_1995
            }
        CVBufferSetAttachment(buffer, kCVImageBufferYCbCrMatrixKey, matrix, .shouldPropagate)
    }
}
