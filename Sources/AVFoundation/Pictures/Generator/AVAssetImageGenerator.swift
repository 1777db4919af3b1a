public import CoreMedia
public import CoreVideo
public import Foundation
internal import Synchronization

/// An object that makes still pictures from a video, for lists, scrubbers and thumbnails.
///
/// Linux has no `CGImage`. A picture is a `CVPixelBuffer` in the format `32BGRA` with square pixels, and the methods
/// that return a `CGImage` do not exist. The generator makes pictures one after the other on its own thread, and keeps
/// the asset open. Any thread may use it.
///
/// ```swift
/// let generator = AVAssetImageGenerator(asset: AVURLAsset(url: URL(fileURLWithPath: "film.mp4")))
/// generator.maximumSize = CGSize(width: 320, height: 180)
/// let (picture, time) = try await generator.image(at: CMTime(seconds: 30, preferredTimescale: 600))
/// print(CVPixelBufferGetWidth(picture), time.seconds)
/// ```
open class AVAssetImageGenerator: NSObject, @unchecked Sendable {
    // Unchecked: a lock guards the mutable state.

    /// The asset.
    public let asset: AVAsset
    private let settings = Mutex(StillSettings())
    private let maker: StillMaker

    /// Creates a generator for `asset`; the asset is opened for the first picture.
    public init(asset: AVAsset) {
        self.asset = asset
        maker = StillMaker(asset)
    }

    /// Whether pictures are rotated and mirrored according to the track's `preferredTransform`; false by default.
    ///
    /// Only rotations by multiples of 90° are applied.
    open var appliesPreferredTrackTransform: Bool {
        get { settings.withLock { $0.appliesTransform } }
        set { settings.withLock { $0.appliesTransform = newValue } }
    }

    /// The maximum size of the pictures, which keep their aspect ratio; a side of 0, the default, is not limited.
    ///
    /// Pictures are never enlarged.
    open var maximumSize: CGSize {
        get { settings.withLock { $0.maximumSize } }
        set { settings.withLock { $0.maximumSize = newValue } }
    }

    /// The tolerance before the requested time; `positiveInfinity` by default.
    ///
    /// Within the tolerance, the generator prefers a key frame, because that is fast. With `zero`, the picture is the
    /// one that is shown at the requested time.
    open var requestedTimeToleranceBefore: CMTime {
        get { settings.withLock { $0.toleranceBefore } }
        set { settings.withLock { $0.toleranceBefore = newValue } }
    }

    /// The tolerance after the requested time; `positiveInfinity` by default.
    ///
    /// A later picture is used only if no picture is shown at the requested time, that is, before the first picture.
    open var requestedTimeToleranceAfter: CMTime {
        get { settings.withLock { $0.toleranceAfter } }
        set { settings.withLock { $0.toleranceAfter = newValue } }
    }

    /// Makes the picture for a time; blocks.
    ///
    /// This method replaces Apple's `copyCGImage(at:actualTime:)`.
    /// - Parameters:
    ///   - requestedTime: The requested time.
    ///   - actualTime: Receives the start time of the picture.
    /// - Throws: `AVError`: `.noImageAtTime` if no picture is shown within the tolerances, `.noSourceTrack` without a
    ///   video track, `.operationCancelled`, or the error of opening or decoding the asset.
    open func copyPixelBuffer(at requestedTime: CMTime, actualTime: UnsafeMutablePointer<CMTime>?) throws
        -> CVPixelBuffer
    {
        let done = DispatchSemaphore(value: 0)
        let answer = Mutex<Result<(image: CVPixelBuffer, actualTime: CMTime), AVError>?>(nil)
        maker.make(StillMaker.Request(), maker.round, at: requestedTime, settings.withLock { $0 }) { result in
            answer.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let made = try answer.withLock({ $0 })?.get() else { preconditionFailure("There was no answer.") }
        actualTime?.pointee = made.actualTime
        return made.image
    }

    /// Makes the picture for a time.
    /// - Returns: The picture, and its start time.
    /// - Throws: The errors of `copyPixelBuffer(at:actualTime:)`; `.operationCancelled` also if the task is cancelled.
    open func image(at time: CMTime) async throws -> (image: CVPixelBuffer, actualTime: CMTime) {
        try await image(at: time, maker.round).get()
    }

    /// Makes the pictures for several times, in order, each when the sequence is asked for it.
    ///
    /// ```swift
    /// let generator = AVAssetImageGenerator(asset: asset)
    /// let times = stride(from: 0.0, to: 60, by: 10).map { CMTime(seconds: $0, preferredTimescale: 600) }
    /// for await result in generator.images(for: times) {
    ///     if let picture = try? result.image { print(result.requestedTime.seconds, CVPixelBufferGetWidth(picture)) }
    /// }
    /// ```
    open func images(for times: [CMTime]) -> Images {
        Images(times: times, round: maker.round) { [self] time, round in await image(at: time, round) }
    }

    /// Cancels all pending requests, which then fail with `.operationCancelled`.
    open func cancelAllCGImageGeneration() { maker.cancelAll() }

    private func image(at time: CMTime, _ round: Int) async -> Result<
        (image: CVPixelBuffer, actualTime: CMTime), AVError
    > {
        let request = StillMaker.Request()
        let settings = settings.withLock { $0 }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                maker.make(request, round, at: time, settings) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            maker.cancel(request)
        }
    }

    /// A sequence of pictures for several times, in order.
    ///
    /// A time that fails does not end the sequence; cancelling the task does.
    public struct Images: AsyncSequence, Sendable {
        typealias Make = @Sendable (CMTime, Int) async -> Result<(image: CVPixelBuffer, actualTime: CMTime), AVError>

        let times: [CMTime]
        let round: Int
        let make: Make

        /// A picture, or the error of its request.
        public enum Element: Sendable {
            /// The picture, and its start time.
            case success(requestedTime: CMTime, image: CVPixelBuffer, actualTime: CMTime)
            /// The error of the request.
            case failure(requestedTime: CMTime, error: any Error)

            /// The requested time.
            public var requestedTime: CMTime {
                switch self {
                case .success(let time, _, _), .failure(let time, _): time
                }
            }

            /// The picture; throws the error of a failed request.
            public var image: CVPixelBuffer {
                get throws {
                    switch self {
                    case .success(_, let image, _): image
                    case .failure(_, let error): throw error
                    }
                }
            }

            /// The start time of the picture; throws the error of a failed request.
            public var actualTime: CMTime {
                get throws {
                    switch self {
                    case .success(_, _, let time): time
                    case .failure(_, let error): throw error
                    }
                }
            }
        }

        /// An iterator that requests one picture at a time.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let images: Images
            fileprivate var index = 0

            /// Makes the next picture; returns `nil` after the last one, or if the task is cancelled.
            public mutating func next() async -> Element? {
                guard index < images.times.count, !Task.isCancelled else { return nil }
                let time = images.times[index]
                index += 1
                switch await images.make(time, images.round) {
                case .success(let made):
                    return .success(requestedTime: time, image: made.image, actualTime: made.actualTime)
                case .failure(let error):
                    return Task.isCancelled ? nil : .failure(requestedTime: time, error: error)
                }
            }
        }

        /// Returns an iterator that starts with the first time.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(images: self) }
    }
}
