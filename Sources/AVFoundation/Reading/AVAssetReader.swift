public import CoreMedia
public import Foundation
internal import Synchronization
internal import SyrinxByteStream

/// Reads the media of an asset as sample buffers, as fast as possible.
///
/// Add outputs, call `startReading()`, and read each output until it returns `nil`; then check `status`. Reading
/// blocks. Each output may be read on its own thread.
///
/// ```swift
/// let reader = try AVAssetReader(asset: asset)
/// let settings: [String: Any] = [
///     AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1,
/// ]
/// let output = AVAssetReaderTrackOutput(track: asset.tracks(withMediaType: .audio)[0], outputSettings: settings)
/// reader.add(output)
/// guard reader.startReading() else { throw reader.error! }
/// while let buffer = output.copyNextSampleBuffer() { print(buffer.presentationTimeStamp.seconds, buffer.numSamples) }
/// if reader.status == .failed { throw reader.error! }
/// ```
open class AVAssetReader: NSObject, @unchecked Sendable {
    // Unchecked: locks guard the mutable state; outputs are added before reading starts.

    /// The status of a reader.
    public enum Status: Int, Sendable {
        /// Reading has not started.
        case unknown = 0
        /// Reading has started.
        case reading = 1
        /// All outputs were read to their ends.
        case completed = 2
        /// Reading has failed: see `error`.
        case failed = 3
        /// Reading was cancelled.
        case cancelled = 4
    }

    private struct State {
        var status = Status.unknown
        var error: AVError?
        var outputs: [AVAssetReaderOutput] = []
        var open = 0
        var range = CMTimeRange(start: .zero, duration: .positiveInfinity)
    }

    /// The asset to read.
    public let asset: AVAsset
    private let state = Mutex(State())

    /// Creates a reader for `asset`; blocks while the asset is opened.
    /// - Throws: `AVError` if the asset cannot be opened.
    public init(asset: AVAsset) throws {
        self.asset = asset
        super.init()
        _ = try asset.describe()
    }

    /// The status of the reader.
    open var status: Status { state.withLock { $0.status } }
    /// The error of a failed reader.
    open var error: (any Error)? { state.withLock { $0.error } }
    /// The outputs.
    open var outputs: [AVAssetReaderOutput] { state.withLock { $0.outputs } }
    /// The time range to read; the whole asset by default.
    ///
    /// Changes after `startReading()` have no effect.
    open var timeRange: CMTimeRange {
        get { state.withLock { $0.range } }
        set { state.withLock { if $0.status == .unknown, newValue.isValid { $0.range = newValue } } }
    }

    /// Returns whether an output can be added: reading has not started, the track belongs to the asset, and the
    /// settings are supported.
    open func canAdd(_ output: AVAssetReaderOutput) -> Bool {
        state.withLock { $0.status == .unknown } && output.reader == nil && output.refusal(by: self) == nil
    }

    /// Adds an output; an unsuitable output makes `startReading()` fail.
    open func add(_ output: AVAssetReaderOutput) {
        guard output.reader == nil else { return }
        output.reader = self
        state.withLock { $0.outputs.append(output) }
    }

    /// Opens the outputs and starts reading.
    /// - Returns: Whether reading started; if not, `error` has the reason.
    @discardableResult
    open func startReading() -> Bool {
        let (begins, outputs, range) = state.withLock { state in
            let begins = state.status == .unknown
            if begins {
                state.status = .reading
                state.open = state.outputs.count
            }
            return (begins, state.outputs, state.range)
        }
        guard begins else { return false }
        do {
            for output in outputs {
                if let refusal = output.refusal(by: self) { throw refusal }
                try output.start(range, asset: asset)
            }
        } catch {
            fail(error)
            return false
        }
        if outputs.isEmpty { finish() }
        return true
    }

    /// Cancels reading; outputs return no more buffers.
    open func cancelReading() {
        let outputs = state.withLock { state -> [AVAssetReaderOutput] in
            guard state.status == .reading || state.status == .unknown else { return [] }
            state.status = .cancelled
            return state.outputs
        }
        for output in outputs { output.cancel() }
    }

    /// Notes that an output has reached its end.
    func finish() {
        state.withLock { state in
            state.open -= 1
            if state.open <= 0, state.status == .reading { state.status = .completed }
        }
    }

    /// Notes a failure and cancels the outputs.
    func fail(_ error: any Error) {
        let failure = AVError(error, url: asset.resource)
        let outputs = state.withLock { state -> [AVAssetReaderOutput] in
            guard state.status == .reading else { return [] }
            state.status = .failed
            state.error = failure
            return state.outputs
        }
        for output in outputs { output.cancel() }
    }
}
