import AVFoundation
import DesktopModel
import GTK

/// The moving pictures of the recording that plays, by the time of its sound.
@MainActor
final class VideoPictures {
    private var item: AVPlayerItem?
    private var output: AVPlayerItemVideoOutput?
    /// One picture is asked for at a time; the newest wish of a drag comes next.
    private var requests = SeekScheduler(minimumInterval: 0)
    /// Milliseconds between two looks at a picture that is being decoded, and the number of looks.
    private static let (interval, maximumLooks): (UInt32, Int) = (4, 100)
    /// Seconds by which a picture may be older than a wish during a drag, and the last one of it.
    private static let (tolerance, exactTolerance) = (0.1, 0.045)
    /// The time at which the picture that is shown begins, in seconds; negative for none.
    private(set) var shownStart = -1.0

    /// Begins the pictures of a recording; there are none if it is not a kind of file that has some.
    func open(_ url: URL?) {
        close()
        guard let url, DropList.kind(ofEnding: url.pathExtension.lowercased()) == .video else { return }
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
        requests.reset()
        shownStart = -1
    }

    /// Whether there may be pictures.
    var isOpen: Bool { output != nil }

    /// Shows the picture of a time as soon as it has been decoded, unless a later wish comes first.
    /// - Parameters:
    ///   - time: Seconds.
    ///   - isExact: Whether it is the last wish of a drag.
    ///   - show: Gets the picture.
    func scrub(to time: Double, isExact: Bool, _ show: @escaping @MainActor (Texture) -> Void) {
        guard isOpen else { return }
        if let request = requests.request(time, isExact: isExact, now: 0) { carryOut(request, show) }
    }

    private func carryOut(_ request: SeekScheduler.Seek, _ show: @escaping @MainActor (Texture) -> Void) {
        var looks = 0
        let output = output
        func look() -> Bool {
            guard output === self.output, requests.inFlight == request else { return true }
            looks += 1
            let tolerance = request.isExact ? Self.exactTolerance : Self.tolerance
            let found = buffer(at: request.time)
            let isNear = found.map { abs(request.time - $0.start) <= tolerance } ?? false
            guard isNear || looks >= Self.maximumLooks else { return false }
            if let found, found.start != shownStart, let picture = Self.texture(found.buffer) {
                shownStart = found.start
                show(picture)
            }
            if let next = requests.finish(request.id, now: 0) { carryOut(next, show) }
            return true
        }
        if !look() { repeatEvery(milliseconds: Self.interval) { !look() } }
    }

    /// Returns the picture for a time in seconds; `nil` if it is the one before, or has not been decoded yet.
    func picture(at time: Double) -> Texture? {
        let itemTime = CMTime(seconds: time, preferredTimescale: 90_000)
        guard let output, output.hasNewPixelBuffer(forItemTime: itemTime), let found = buffer(at: time) else {
            return nil
        }
        shownStart = found.start
        return Self.texture(found.buffer)
    }

    private func buffer(at time: Double) -> (buffer: CVPixelBuffer, start: Double)? {
        var start = CMTime.zero
        let itemTime = CMTime(seconds: time, preferredTimescale: 90_000)
        guard let buffer = output?.copyPixelBuffer(forItemTime: itemTime, itemTimeForDisplay: &start) else {
            return nil
        }
        return (buffer, start.seconds)
    }

    private static func texture(_ buffer: CVPixelBuffer) -> Texture? {
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
