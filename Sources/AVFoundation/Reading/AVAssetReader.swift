public import CoreMedia
public import Foundation
internal import Synchronization
internal import SyrinxByteStream

/// Reads the media of an asset as sample buffers, as fast as it can be decoded.
///
/// Add outputs, call `startReading()`, and ask each output for buffers until it has no more; then look at `status`. It blocks
/// while it reads. Each output may be read on a thread of its own.
open class AVAssetReader: NSObject, @unchecked Sendable {
    // Unchecked: what changes is behind locks; outputs are added before reading starts.

    /// The states of a reader.
    public enum Status: Int, Sendable {
        /// Reading has not started.
        case unknown = 0
        /// Reading has started.
        case reading = 1
        /// All has been read.
        case completed = 2
        /// Reading has failed: see `error`.
        case failed = 3
        /// Reading was given up.
        case cancelled = 4
    }

    private struct State {
        var status = Status.unknown
        var error: AVError?
        var outputs: [AVAssetReaderOutput] = []
        var open = 0
        var range = CMTimeRange(start: .zero, duration: .positiveInfinity)
    }

    /// The asset that is read.
    public let asset: AVAsset
    private let state = Mutex(State())

    /// A reader of `asset`.
    /// - Throws: `AVError` if the asset cannot be opened.
    public init(asset: AVAsset) throws {
        self.asset = asset
        super.init()
        _ = try asset.describe()
    }

    /// The state.
    open var status: Status { state.withLock { $0.status } }
    /// The reason of a failure.
    open var error: (any Error)? { state.withLock { $0.error } }
    /// The outputs.
    open var outputs: [AVAssetReaderOutput] { state.withLock { $0.outputs } }
    /// The part of the asset that is read: all, unless it is set before reading starts.
    open var timeRange: CMTimeRange {
        get { state.withLock { $0.range } }
        set { state.withLock { if $0.status == .unknown, newValue.isValid { $0.range = newValue } } }
    }

    /// Returns whether an output can be added: reading has not started, the track is one of the asset, and the settings can be met.
    open func canAdd(_ output: AVAssetReaderOutput) -> Bool {
        state.withLock { $0.status == .unknown } && output.reader == nil && output.refusal(by: self) == nil
    }

    /// Adds an output; one that cannot be added makes `startReading()` fail.
    open func add(_ output: AVAssetReaderOutput) {
        guard output.reader == nil else { return }
        output.reader = self
        state.withLock { $0.outputs.append(output) }
    }

    /// Opens the outputs.
    /// - Returns: Whether that succeeded; if not, `error` says why not.
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

    /// Gives reading up; outputs give no more buffers.
    open func cancelReading() {
        let outputs = state.withLock { state -> [AVAssetReaderOutput] in
            guard state.status == .reading || state.status == .unknown else { return [] }
            state.status = .cancelled
            return state.outputs
        }
        for output in outputs { output.cancel() }
    }

    /// Takes note of an output that has come to its end.
    func finish() {
        state.withLock { state in
            state.open -= 1
            if state.open <= 0, state.status == .reading { state.status = .completed }
        }
    }

    /// Takes note of a failure.
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
