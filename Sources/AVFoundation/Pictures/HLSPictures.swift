internal import CoreMedia
internal import Foundation
internal import SyrinxMediaCodec
internal import SyrinxStreaming

/// The video of an HTTP Live Streaming presentation.
final class HLSPictures: PictureSource {
    private let reader: HLSPictureReader

    init(_ reader: HLSPictureReader) { self.reader = reader }

    var name: String { reader.name }
    var isAtEnd: Bool { reader.isAtEnd }
    /// The display size of the video.
    var size: CGSize {
        let info = reader.info
        return CGSize(width: (Double(info.width) * info.pixelAspectRatio.value).rounded(), height: Double(info.height))
    }

    func next() throws -> DecodedPicture? {
        guard let picture = try reader.next() else { return nil }
        let start = CMTime(playerSeconds: picture.start)
        return DecodedPicture(
            frame: picture.frame,
            start: start,
            duration: CMTime(playerSeconds: picture.end) - start,
            pixelAspectRatio: picture.pixelAspectRatio
        )
    }

    func seek(to time: CMTime, orFrom earliest: CMTime?) throws {
        guard time.isNumeric else { return try reader.seek(to: time > .zero ? 1e9 : 0) }
        // Times of players are rounded to nanoseconds.
        try reader.seek(to: time.seconds + 1e-9)
    }

    func cancel() { reader.cancel() }
}
