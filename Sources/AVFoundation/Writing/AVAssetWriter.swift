public import CoreMedia
public import Foundation
internal import Synchronization
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// Writes sample buffers of sound to a file.
///
/// Add an input, call `startWriting()` and `startSession(atSourceTime:)`, append buffers, and call `finishWriting`. Encoding happens
/// on the thread that appends. The file appears when it is complete; one that exists is not overwritten.
open class AVAssetWriter: NSObject, @unchecked Sendable {
    // Unchecked: what changes is behind locks.

    /// The states of a writer.
    public enum Status: Int, Sendable {
        /// Writing has not started.
        case unknown = 0
        /// Writing has started.
        case writing = 1
        /// The file is complete.
        case completed = 2
        /// Writing has failed: see `error`.
        case failed = 3
        /// Writing was given up.
        case cancelled = 4
    }

    private struct State {
        var status = Status.unknown
        var error: AVError?
        var inputs: [AVAssetWriterInput] = []
        var metadata: [AVMetadataItem] = []
    }

    /// The file.
    public let outputURL: URL
    /// The kind of the file.
    public let outputFileType: AVFileType
    private let state = Mutex(State())

    /// A writer of a file.
    /// - Throws: `AVError` for a kind of file that cannot be written, and a URL that is none of a file.
    public init(outputURL: URL, fileType outputFileType: AVFileType) throws {
        guard outputURL.isFileURL else {
            throw AVError(
                .operationNotAllowed,
                .notAFile,
                "The output URL is no file URL: only files can be written",
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

    /// A writer of a file, under the name that Objective-C has for it.
    public convenience init(url outputURL: URL, fileType outputFileType: AVFileType) throws {
        try self.init(outputURL: outputURL, fileType: outputFileType)
    }

    /// The state.
    open var status: Status { state.withLock { $0.status } }
    /// The reason of a failure.
    open var error: (any Error)? { state.withLock { $0.error } }
    /// The inputs.
    open var inputs: [AVAssetWriterInput] { state.withLock { $0.inputs } }
    /// The tags and the cover picture that the file is to have; set it before writing starts.
    open var metadata: [AVMetadataItem] {
        get { state.withLock { $0.metadata } }
        set { state.withLock { if $0.status == .unknown { $0.metadata = newValue } } }
    }
    /// Whether what a listener needs first is written first; always so for files of MPEG-4.
    open var shouldOptimizeForNetworkUse = false
    /// The kinds of media that can be written: sound.
    open var availableMediaTypes: [AVMediaType] { [.audio] }

    /// Returns whether an input can be added: it is the first, of sound, and writing has not started.
    open func canAdd(_ input: AVAssetWriterInput) -> Bool {
        input.mediaType == .audio && input.writer == nil
            && state.withLock { $0.status == .unknown && $0.inputs.isEmpty }
    }

    /// Returns whether an input of such settings could be added.
    open func canApply(outputSettings: [String: Any]?, forMediaType mediaType: AVMediaType) -> Bool {
        guard mediaType == .audio else { return false }
        return outputSettings.map { (try? WriterSettings($0, fileType: outputFileType)) != nil } ?? true
    }

    /// Adds an input; one that cannot be added makes `startWriting()` fail.
    open func add(_ input: AVAssetWriterInput) {
        input.writer = self
        state.withLock { $0.inputs.append(input) }
    }

    /// Opens the inputs.
    /// - Returns: Whether that succeeded; if not, `error` says why not.
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

    /// Says which time of the buffers is the start of the file; what lies before it is not written.
    open func startSession(atSourceTime startTime: CMTime) { for input in inputs { input.startSession(at: startTime) } }

    /// Says which time of the buffers is the end of the file; the file has no sound after it.
    ///
    /// Buffers after that time may have been appended before. The last ten seconds are encoded when more is appended or the file is
    /// completed. If the end is earlier than that, the file is copied up to the end when it is completed: a format that loses something,
    /// such as AAC, is then decoded and encoded once more.
    open func endSession(atSourceTime endTime: CMTime) { for input in inputs { input.endSession(at: endTime) } }

    /// Completes the file in the background, and calls `handler` when that is done or has failed.
    open func finishWriting(completionHandler handler: @escaping @Sendable () -> Void) {
        loadingQueue.async {
            self.complete()
            handler()
        }
    }

    /// Completes the file; `status` tells whether that succeeded.
    open func finishWriting() async {
        await withCheckedContinuation { continuation in
            finishWriting { continuation.resume() }
        }
    }

    /// Gives writing up, and leaves no file.
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

    /// Takes note of a failure.
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
