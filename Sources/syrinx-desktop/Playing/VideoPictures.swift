import AVFoundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening

/// The moving pictures of the recording that plays, by the time of its sound.
@MainActor
final class VideoPictures {
    private var item: AVPlayerItem?
    private var output: AVPlayerItemVideoOutput?
    /// One picture is requested at a time; during a drag, the newest position is next.
    private var requests = SeekScheduler(minimumInterval: 0)
    /// The interval in milliseconds at which a picture that is being decoded is polled, and the number of polls.
    private static let (interval, maximumLooks): (UInt32, Int) = (4, 100)
    /// The maximum age in seconds of a picture relative to the requested position, during a drag and at its end.
    private static let (tolerance, exactTolerance) = (0.1, 0.045)
    /// The number of polls for a better picture after the end of a drag.
    private static let settlingLooks = 50
    private var settlements = 0
    /// Shows the pictures.
    var picture: MovingPicture?
    /// Called when another picture is shown.
    var onShow: (() -> Void)?
    /// The time at which the picture that is shown begins, in seconds; negative for none.
    private(set) var shownStart = -1.0

    /// Begins the pictures of a recording; there are none if it is not a kind of file that has some.
    func open(_ url: URL?) {
        close()
        guard let url, PlayableKind(endingOf: url) == .film else { return }
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
    /// Whether a picture is shown.
    var isShown: Bool { isOpen && shownStart >= 0 }

    /// Shows the picture of a time as soon as it is decoded, unless another request comes first.
    /// - Parameters:
    ///   - time: Seconds.
    ///   - isExact: Whether this is the last request of a drag.
    func scrub(to time: Double, isExact: Bool) {
        guard isOpen else { return }
        if let request = requests.request(time, isExact: isExact, now: 0) { carryOut(request) }
    }

    private func carryOut(_ request: SeekScheduler.Seek) {
        var looks = 0
        let output = output
        func look() -> Bool {
            guard output === self.output, requests.inFlight == request else { return true }
            looks += 1
            let tolerance = request.isExact ? Self.exactTolerance : Self.tolerance
            let found = buffer(at: request.time)
            let isNear = found.map { abs(request.time - $0.start) <= tolerance } ?? false
            guard isNear || looks >= Self.maximumLooks else { return false }
            if let found, found.start != shownStart { show(found, moves: !request.isExact) }
            if let next = requests.finish(request.id, now: 0) {
                carryOut(next)
            } else if request.isExact {
                settle(at: request.time)
            }
            return true
        }
        if !look() { repeatEvery(milliseconds: Self.interval) { !look() } }
    }

    /// Shows later pictures that are nearer to a time than the current one, until another picture is
    /// requested.
    private func settle(at time: Double) {
        picture?.rest()
        var looks = 0
        settlements += 1
        let (output, number) = (output, settlements)
        repeatEvery(milliseconds: Self.interval) { [weak self] in
            guard let self, output === self.output, number == self.settlements, self.requests.inFlight == nil else {
                return false
            }
            looks += 1
            if let found = self.buffer(at: time), found.start > self.shownStart, found.start <= time + 0.001 {
                self.show(found, moves: false)
            }
            return looks < Self.settlingLooks
        }
    }

    /// Shows the picture for a time in seconds, if it is not the one before and has been decoded.
    func play(at time: Double) {
        let itemTime = CMTime(seconds: time, preferredTimescale: 90_000)
        settlements += 1
        guard let output, output.hasNewPixelBuffer(forItemTime: itemTime), let found = buffer(at: time) else { return }
        show(found, moves: true)
    }

    private func show(_ found: (buffer: CVPixelBuffer, start: Double), moves: Bool) {
        CVPixelBufferLockBaseAddress(found.buffer, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(found.buffer, .readOnly) }
        guard let picture, let base = CVPixelBufferGetBaseAddress(found.buffer) else { return }
        let (stride, height) = (CVPixelBufferGetBytesPerRow(found.buffer), CVPixelBufferGetHeight(found.buffer))
        let isShown = picture.show(
            width: CVPixelBufferGetWidth(found.buffer),
            height: height,
            stride: stride,
            rows: UnsafeRawBufferPointer(start: base, count: stride * height),
            moves: moves
        )
        guard isShown else { return }
        shownStart = found.start
        onShow?()
    }

    private func buffer(at time: Double) -> (buffer: CVPixelBuffer, start: Double)? {
        var start = CMTime.zero
        let itemTime = CMTime(seconds: time, preferredTimescale: 90_000)
        guard let buffer = output?.copyPixelBuffer(forItemTime: itemTime, itemTimeForDisplay: &start) else {
            return nil
        }
        return (buffer, start.seconds)
    }
}
