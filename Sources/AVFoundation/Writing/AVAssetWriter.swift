public import CoreMedia
public import Foundation
internal import Synchronization
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// Encodes audio sample buffers into a file.
///
/// Add an input, call `startWriting()` and `startSession(atSourceTime:)`, append buffers, and call `finishWriting()`.
/// Encoding runs on the appending thread. The file appears when it is complete; an existing file is not overwritten.
///
/// ```swift
/// let writer = try AVAssetWriter(outputURL: URL(fileURLWithPath: "copy.m4a"), fileType: .m4a)
/// let settings: [String: Any] = [
///     AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
/// ]
/// let input = AVAssetWriterInput(mediaType: .audio, outputSettings: settings)
/// writer.add(input)
/// guard writer.startWriting() else { throw writer.error! }
/// writer.startSession(atSourceTime: .zero)
/// while let buffer = output.copyNextSampleBuffer() { input.append(buffer) } // of an AVAssetReader
/// input.markAsFinished()
/// await writer.finishWriting()
/// ```
open class AVAssetWriter: NSObject, @unchecked Sendable {
    // Unchecked: locks guard the mutable state.

    /// The status of a writer.
    public enum Status: Int, Sendable {
        /// Writing has not started.
        case unknown = 0
        /// Writing has started.
        case writing = 1
        /// The file is complete.
        case completed = 2
        /// Writing has failed: see `error`.
        case failed = 3
        /// Writing was cancelled.
        case cancelled = 4
    }

    private struct State {
        var status = Status.unknown
        var error: AVError?
        var inputs: [AVAssetWriterInput] = []
        var metadata: [AVMetadataItem] = []
    }

    /// The URL of the file.
    public let outputURL: URL
    /// The type of the file.
    public let outputFileType: AVFileType
    private let state = Mutex(State())

    /// Creates a writer for a file.
    /// - Throws: `AVError` for a file type that cannot be written, or a URL that is not a file URL.
    public init(outputURL: URL, fileType outputFileType: AVFileType) throws {
        guard outputURL.isFileURL else {
            throw AVError(
                .operationNotAllowed,
                .notAFile,
                "The output URL is not a file URL",
                url: outputURL
            )
        }
        guard outputFileType.container != nil else {
            let message = "Files of the type \(outputFileType.rawValue) cannot be written"
            throw AVError(.formatUnsupported, .unsupported, message, url: outputURL)
        }
        self.outputURL = outputURL
        self.outputFileType = outputFileType
    }

    /// Creates a writer for a file, under the Objective-C name of the initializer.
    public convenience init(url outputURL: URL, fileType outputFileType: AVFileType) throws {
        try self.init(outputURL: outputURL, fileType: outputFileType)
    }

    /// The status of the writer.
    open var status: Status { state.withLock { $0.status } }
    /// The error of a failed writer.
    open var error: (any Error)? { state.withLock { $0.error } }
    /// The inputs.
    open var inputs: [AVAssetWriterInput] { state.withLock { $0.inputs } }
    /// The metadata of the file, including its cover picture; set it before writing starts.
    open var metadata: [AVMetadataItem] {
        get { state.withLock { $0.metadata } }
        set { state.withLock { if $0.status == .unknown { $0.metadata = newValue } } }
    }
    /// Whether the index precedes the media in the file; MPEG-4 files always have this order.
    open var shouldOptimizeForNetworkUse = false
    /// The media types that can be written: audio.
    open var availableMediaTypes: [AVMediaType] { [.audio] }

    /// Returns whether an input can be added: it is the first, has audio, and writing has not started.
    open func canAdd(_ input: AVAssetWriterInput) -> Bool {
        input.mediaType == .audio && input.writer == nil
            && state.withLock { $0.status == .unknown && $0.inputs.isEmpty }
    }

    /// Returns whether an input with these settings could be added.
    open func canApply(outputSettings: [String: Any]?, forMediaType mediaType: AVMediaType) -> Bool {
        guard mediaType == .audio else { return false }
        return outputSettings.map { (try? WriterSettings($0, fileType: outputFileType)) != nil } ?? true
    }

    /// Adds an input; an unsuitable input makes `startWriting()` fail.
    open func add(_ input: AVAssetWriterInput) {
        input.writer = self
        state.withLock { $0.inputs.append(input) }
    }

    /// Opens the inputs and starts writing.
    /// - Returns: Whether writing started; if not, `error` has the reason.
    @discardableResult
    open func startWriting() -> Bool {
        let (begins, inputs, metadata) = state.withLock { state in
            let begins = state.status == .unknown
            if begins { state.status = .writing }
            return (begins, state.inputs, state.metadata)
        }
        guard begins else { return false }
        do {
            guard inputs.count == 1, inputs[0].mediaType == .audio else {
                throw AVError(
                    .operationNotAllowed,
                    .wrongState,
                    "The writer needs exactly one input, of media type audio",
                    url: outputURL
                )
            }
            guard !FileManager.default.fileExists(atPath: outputURL.path) else {
                throw AVError(
                    .fileAlreadyExists,
                    .fileExists,
                    "A file of that name exists already: remove it, or choose another name",
                    url: outputURL
                )
            }
            try inputs[0].start(outputURL, outputFileType, metadata)
            return true
        } catch {
            fail(error)
            return false
        }
    }

    /// Sets the source time at which the file starts; earlier samples are not written.
    open func startSession(atSourceTime startTime: CMTime) { for input in inputs { input.startSession(at: startTime) } }

    /// Sets the source time at which the file ends; later samples are not written.
    ///
    /// Buffers after that time may already have been appended. The writer holds the last 10 seconds unencoded. If the
    /// end is earlier than that, the writer copies the file up to the end when it is completed. A lossy format such as
    /// AAC is then decoded and encoded again.
    open func endSession(atSourceTime endTime: CMTime) { for input in inputs { input.endSession(at: endTime) } }

    /// Completes the file in the background, and calls `handler` when it is complete or has failed.
    open func finishWriting(completionHandler handler: @escaping @Sendable () -> Void) {
        loadingQueue.async {
            self.complete()
            handler()
        }
    }

    /// Completes the file; check `status` afterwards.
    open func finishWriting() async {
        await withCheckedContinuation { continuation in
            finishWriting { continuation.resume() }
        }
    }

    /// Cancels writing: `status` becomes `cancelled`, and the incomplete file is deleted.
    ///
    /// Has no effect after writing has completed or failed.
    open func cancelWriting() {
        let inputs = state.withLock { state -> [AVAssetWriterInput] in
            guard state.status == .writing || state.status == .unknown else { return [] }
            state.status = .cancelled
            return state.inputs
        }
        for input in inputs { input.cancel() }
    }

    private func complete() {
        guard status == .writing else { return }
        do {
            for input in inputs { try input.finish() }
            state.withLock { if $0.status == .writing { $0.status = .completed } }
        } catch {
            fail(error)
        }
    }

    /// Notes a failure and cancels the inputs.
    func fail(_ error: any Error) {
        let failure = AVError(error, url: outputURL)
        let inputs = state.withLock { state -> [AVAssetWriterInput] in
            guard state.status == .writing else { return [] }
            state.status = .failed
            state.error = failure
            return state.inputs
        }
        for input in inputs { input.cancel() }
    }
}
