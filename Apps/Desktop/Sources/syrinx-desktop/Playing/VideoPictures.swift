import AVFoundation
import GTK

/// The moving pictures of the recording that plays, by the time of its sound.
@MainActor
final class VideoPictures {
    private var item: AVPlayerItem?
    private var output: AVPlayerItemVideoOutput?
    /// The endings of names of files that may have moving pictures.
    private static let endings: Set = ["avi", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "ts", "webm", "wmv"]

    /// Begins the pictures of a recording; there are none if it is not a kind of file that has some.
    func open(_ url: URL?) {
        close()
        guard let url, Self.endings.contains(url.pathExtension.lowercased()) else { return }
        let output = AVPlayerItemVideoOutput(
            pixelBufferAttributes: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
        )
        let item = AVPlayerItem(url: url)
        item.add(output)
        (self.item, self.output) = (item, output)
    }

    /// Ends the pictures.
    func close() {
        if let output { item?.remove(output) }
        (item, output) = (nil, nil)
    }

    /// Whether there may be pictures.
    var isOpen: Bool { output != nil }

    /// Returns the picture for a time in seconds; `nil` if it is the one before, or has not been decoded yet.
    func picture(at time: Double) -> Texture? {
        let time = CMTime(seconds: time, preferredTimescale: 90_000)
        guard let output, output.hasNewPixelBuffer(forItemTime: time) else { return nil }
        guard let buffer = output.copyPixelBuffer(forItemTime: time, itemTimeForDisplay: nil) else { return nil }
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
        guard let base = CVPixelBufferGetBaseAddress(buffer) else { return nil }
        let (stride, height) = (CVPixelBufferGetBytesPerRow(buffer), CVPixelBufferGetHeight(buffer))
        return Texture.make(
            width: CVPixelBufferGetWidth(buffer),
            height: height,
            stride: stride,
            rows: UnsafeRawBufferPointer(start: base, count: stride * height)
        )
    }
}
