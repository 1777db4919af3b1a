public import CoreMedia
public import CoreVideo
public import Foundation
internal import Synchronization

/// Makes still pictures of an asset's moving ones: for a list, a scrubber, or a thumbnail.
///
/// There is no `CGImage` on Linux. A picture is a `CVPixelBuffer` of the format `32BGRA` with square pixels, and the methods that
/// have `CGImage` in their names do not exist. Pictures are made one after the other, on a thread of the generator, which keeps the
/// asset open. Any thread may use it.
open class AVAssetImageGenerator: NSObject, @unchecked Sendable {
    // Unchecked: what changes is behind a lock.

    /// The asset.
    public let asset: AVAsset
    private let settings = Mutex(StillSettings())
    private let maker: StillMaker

    /// A generator of the pictures of `asset`; nothing is opened before the first of them.
    public init(asset: AVAsset) {
        self.asset = asset
        maker = StillMaker(asset)
    }

    /// Whether pictures are turned and mirrored as the track's `preferredTransform` says; false by default.
    ///
    /// Turns by other angles than quarters are not applied.
    open var appliesPreferredTrackTransform: Bool {
        get { settings.withLock { $0.appliesTransform } }
        set { settings.withLock { $0.appliesTransform = newValue } }
    }

    /// The size that pictures are made smaller to fit into, their shape kept; a side of 0, the default, does not limit.
    ///
    /// Pictures are never made larger.
    open var maximumSize: CGSize {
        get { settings.withLock { $0.maximumSize } }
        set { settings.withLock { $0.maximumSize = newValue } }
    }

    /// The time before the one that is asked for, from which a picture may be instead; `positiveInfinity` by default.
    ///
    /// A picture that is decoded without others is then taken, which is fast. With `zero` it is the one that is shown at that time.
    open var requestedTimeToleranceBefore: CMTime {
        get { settings.withLock { $0.toleranceBefore } }
        set { settings.withLock { $0.toleranceBefore = newValue } }
    }

    /// The time behind the one that is asked for, from which a picture may be instead; `positiveInfinity` by default.
    ///
    /// A later picture is only taken where none is shown at that time: before the first.
    open var requestedTimeToleranceAfter: CMTime {
        get { settings.withLock { $0.toleranceAfter } }
        set { settings.withLock { $0.toleranceAfter = newValue } }
    }

    /// Makes the picture of a time; blocks.
    ///
    /// In the place of Apple's `copyCGImage(at:actualTime:)`.
    /// - Parameters:
    ///   - requestedTime: The time.
    ///   - actualTime: Receives the time at which the picture begins.
    /// - Throws: `AVError`: `.noImageAtTime` if none is shown within the tolerances, `.noSourceTrack` without moving pictures,
    ///   `.operationCancelled`, or the reason why the asset cannot be opened or decoded.
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

    /// Makes the picture of a time.
    /// - Returns: The picture, and the time at which it begins.
    /// - Throws: As `copyPixelBuffer(at:actualTime:)`; `.operationCancelled` also if the task is cancelled.
    open func image(at time: CMTime) async throws -> (image: CVPixelBuffer, actualTime: CMTime) {
        try await image(at: time, maker.round).get()
    }

    /// Makes the pictures of several times, in their order, each when it is asked for.
    open func images(for times: [CMTime]) -> Images {
        Images(times: times, round: maker.round) { [self] time, round in await image(at: time, round) }
    }

    /// Cancels what has been asked for and is not there yet, which then fails with `.operationCancelled`.
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

    /// Pictures of several times, in their order.
    ///
    /// A time that fails does not end the sequence; a cancelled task does.
    public struct Images: AsyncSequence, Sendable {
        typealias Make = @Sendable (CMTime, Int) async -> Result<(image: CVPixelBuffer, actualTime: CMTime), AVError>

        let times: [CMTime]
        let round: Int
        let make: Make

        /// The picture of a time, or the reason why there is none.
        public enum Element: Sendable {
            /// The picture, and the time at which it begins.
            case success(requestedTime: CMTime, image: CVPixelBuffer, actualTime: CMTime)
            /// The reason why there is none.
            case failure(requestedTime: CMTime, error: any Error)

            /// The time that was asked for.
            public var requestedTime: CMTime {
                switch self {
                case .success(let time, _, _), .failure(let time, _): time
                }
            }

            /// The picture; throws the reason if there is none.
            public var image: CVPixelBuffer {
                get throws {
                    switch self {
                    case .success(_, let image, _): image
                    case .failure(_, let error): throw error
                    }
                }
            }

            /// The time at which the picture begins; throws the reason if there is none.
            public var actualTime: CMTime {
                get throws {
                    switch self {
                    case .success(_, _, let time): time
                    case .failure(_, let error): throw error
                    }
                }
            }
        }

        /// Asks for one picture after the other.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let images: Images
            fileprivate var index = 0

            /// Makes the next picture; `nil` after the last, and once the task is cancelled.
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

        /// Returns an iterator from the first time on.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(images: self) }
    }
}
