internal import CoreMedia
internal import CoreVideo
internal import Dispatch
internal import Foundation
internal import Synchronization
internal import SyrinxMediaCodec

/// The settings for a still picture.
struct StillSettings: Sendable {
    var appliesTransform = false
    var maximumSize = CGSize.zero
    var toleranceBefore = CMTime.positiveInfinity
    var toleranceAfter = CMTime.positiveInfinity

    /// The earliest end time of a picture for `time`.
    func earliest(_ time: CMTime) -> CMTime {
        toleranceBefore.isValid ? time - CMTimeMaximum(toleranceBefore, .zero) : time
    }

    /// Returns whether a picture is acceptable for `time`: whether it is shown at a time within the tolerances.
    func allow(_ start: CMTime, _ end: CMTime, for time: CMTime) -> Bool {
        let latest = toleranceAfter.isValid ? time + CMTimeMaximum(toleranceAfter, .zero) : time
        guard start <= latest else { return false }
        return end > time || end > earliest(time)
    }
}

/// Makes still pictures of an asset, one after the other, on its own queue.
///
/// The asset stays open between requests. Any thread may call the methods.
final class StillMaker: Sendable {
    /// A request that may be cancelled.
    final class Request: Sendable {
        fileprivate let isCancelled = Mutex(false)
    }

    private struct State {
        /// The number of calls of `cancelAll()`.
        var round = 0
        var running: Request?
        var source: Interrupt?
    }

    private struct Interrupt: @unchecked Sendable {
        // Unchecked: only `cancel()` is called, which is thread-safe.
        let source: any PictureSource
    }

    /// The open video, which only the queue uses.
    private final class Film: @unchecked Sendable {
        var source: (any PictureSource)?
        var maker: PictureMaker?
        var size = CGSize.zero
        var transform = CGAffineTransform.identity
    }

    private let asset: AVAsset
    private let queue = DispatchQueue(label: "syrinx.stills")
    private let state = Mutex(State())
    private let film = Film()

    init(_ asset: AVAsset) {
        self.asset = asset
    }

    /// The number of calls of `cancelAll()`.
    var round: Int { state.withLock { $0.round } }

    /// Makes the picture for a time, then calls a function with the picture and its start time, or with the error.
    func make(
        _ request: Request,
        _ round: Int,
        at time: CMTime,
        _ settings: StillSettings,
        _ answer: @escaping @Sendable (Result<(image: CVPixelBuffer, actualTime: CMTime), AVError>) -> Void
    ) {
        queue.async { answer(self.result(request, round, time, settings)) }
    }

    /// Cancels one request; the others continue.
    func cancel(_ request: Request) {
        request.isCancelled.withLock { $0 = true }
        state.withLock { if $0.running === request { $0.source?.source.cancel() } }
    }

    /// Cancels all requests made so far.
    func cancelAll() {
        state.withLock { state in
            state.round += 1
            if state.running != nil { state.source?.source.cancel() }
        }
    }

    // MARK: The queue

    private func result(
        _ request: Request,
        _ round: Int,
        _ time: CMTime,
        _ settings: StillSettings
    ) -> Result<(image: CVPixelBuffer, actualTime: CMTime), AVError> {
        state.withLock { $0.running = request }
        let result = Result { try isCancelled(request, round) ? nil : picture(at: time, settings) }
        let wasCancelled = state.withLock { state in
            state.running = nil
            return state.round != round || request.isCancelled.withLock { $0 }
        }
        if wasCancelled {
            close()
            return .failure(AVError(.operationCancelled, .cancelled, "The request for a picture was cancelled"))
        }
        do {
            if let made = try result.get() { return .success(made) }
            return .failure(noPicture(at: time))
        } catch {
            // The stream may have failed: the next request opens it again.
            close()
            return .failure(AVError(error, url: asset.resource))
        }
    }

    private func isCancelled(_ request: Request, _ round: Int) -> Bool {
        state.withLock { $0.round != round } || request.isCancelled.withLock { $0 }
    }

    private func noPicture(at time: CMTime) -> AVError {
        let message =
            "No picture is shown at \(time.isNumeric ? "\(time.seconds) s" : "such a time"), or near enough to it"
        return AVError(.noImageAtTime, .noPicture, message, url: asset.resource)
    }

    /// Returns the picture for a time and its start time; `nil` if no picture is within the tolerances.
    private func picture(at time: CMTime, _ settings: StillSettings) throws -> (CVPixelBuffer, CMTime)? {
        guard time.isNumeric else { return nil }
        let (source, maker) = try open()
        let earliest = settings.earliest(time)
        try source.seek(to: time, orFrom: earliest < time ? earliest : nil)
        guard let picture = try source.next(), settings.allow(picture.start, picture.end, for: time) else { return nil }
        return (try image(of: picture, maker, settings), picture.start)
    }

    private func open() throws -> (any PictureSource, PictureMaker) {
        if let source = film.source, let maker = film.maker { return (source, maker) }
        let description = try asset.describe()
        let track = description.tracks.first { $0.mediaType == .video }
        guard track != nil || description.isPresentation else {
            throw AVError(.noSourceTrack, .noTrack, "The asset has no moving pictures", url: asset.resource)
        }
        let source = try asset.openPictures(of: track)
        let maker = PictureMaker(try PictureSettings(format: kCVPixelFormatType_32BGRA), name: source.name)
        (film.source, film.maker) = (source, maker)
        film.size = track?.naturalSize ?? (source as? HLSPictures)?.size ?? .zero
        film.transform = track?.preferredTransform ?? .identity
        let interrupt = Interrupt(source: source)
        state.withLock { $0.source = interrupt }
        return (source, maker)
    }

    private func close() {
        state.withLock { $0.source = nil }
        (film.source, film.maker) = (nil, nil)
    }

    private func image(
        of picture: DecodedPicture,
        _ maker: PictureMaker,
        _ settings: StillSettings
    ) throws -> CVPixelBuffer {
        let orientation = settings.appliesTransform ? PictureOrientation(film.transform) : nil
        guard let orientation, !film.transform.isIdentity else {
            let size = StillSize(film.size, maximum: settings.maximumSize)
            return try maker.make(picture, size: (size.width, size.height))
        }
        let box = CGRect(origin: .zero, size: film.size).applying(film.transform)
        let size = StillSize(box.size, maximum: settings.maximumSize)
        let swaps = orientation.swapsSides
        let upright = try maker.make(
            picture,
            size: swaps ? (width: size.height, height: size.width) : (width: size.width, height: size.height)
        )
        if orientation.isUpright { return upright }
        let turned = try maker.makeBuffer(size.width, size.height)
        orientation.copy(upright, to: turned)
        return turned
    }
}
