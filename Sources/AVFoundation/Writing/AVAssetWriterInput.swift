internal import AVFAudio
public import CoreMedia
public import Dispatch
public import Foundation
internal import SyrinxByteStream

/// An input of an asset writer.
///
/// Append buffers from one thread at a time.
open class AVAssetWriterInput: NSObject, @unchecked Sendable {
    // Unchecked: `writer` is set once; a lock guards the rest.

    weak var writer: AVAssetWriter?
    /// The kind of media.
    public let mediaType: AVMediaType
    /// The format in the file; `nil` selects the default codec of the file type.
    ///
    /// The sample rate and channel count default to those of the buffers, which must be linear PCM.
    public let outputSettings: [String: Any]?
    /// The format of the buffers, if it is known in advance.
    public let sourceFormatHint: CMFormatDescription?
    /// Whether buffers arrive in real time; has no effect, because each buffer is encoded when it is appended.
    open var expectsMediaDataInRealTime = false

    private let lock = NSRecursiveLock()
    private var sink: SoundSink?
    private var isFinished = false
    private var appended = 0

    /// Creates an input for a media type.
    /// - Parameters:
    ///   - mediaType: The media type: only `.audio` is supported; with another type `startWriting()` fails.
    ///   - outputSettings: The format in the file: `AVFormatIDKey`, `AVSampleRateKey`, `AVNumberOfChannelsKey`, and the
    ///     keys `AVEncoder…` or `AVLinearPCM…`. `nil` selects the default codec of the file type. The sample rate and
    ///     channel count default to those of the buffers.
    ///   - sourceFormatHint: The format of the buffers, if it is known in advance.
    public init(
        mediaType: AVMediaType,
        outputSettings: [String: Any]?,
        sourceFormatHint: CMFormatDescription? = nil
    ) {
        self.mediaType = mediaType
        self.outputSettings = outputSettings
        self.sourceFormatHint = sourceFormatHint
    }

    /// Whether the input accepts buffers: the writer is writing, and the input is not finished.
    open var isReadyForMoreMediaData: Bool {
        guard let writer, writer.status == .writing else { return false }
        return lock.withLock { !isFinished }
    }

    /// Encodes the samples of a buffer and writes them.
    ///
    /// Samples before the start of the session are dropped. A gap after the previous buffer is filled with silence.
    /// - Returns: Whether the samples were written; if not, the writer's `error` has the reason.
    @discardableResult
    open func append(_ sampleBuffer: CMSampleBuffer) -> Bool {
        guard let writer, isReadyForMoreMediaData else { return false }
        do {
            return try lock.withLock {
                // The input may have been finished in the meantime.
                guard !isFinished else { return false }
                guard let sink else {
                    throw AVError(
                        .operationNotAllowed,
                        .wrongState,
                        "No session has been started: call startSession(atSourceTime:) before append(_:)"
                    )
                }
                try sink.append(sampleBuffer)
                appended += 1
                return true
            }
        } catch {
            writer.fail(error)
            return false
        }
    }

    /// Signals that no more buffers follow.
    open func markAsFinished() { lock.withLock { isFinished = true } }

    /// Calls `block` on `queue` repeatedly while the input accepts buffers, until it is finished or a call appends no
    /// buffer.
    open func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        queue.deliver { [weak self] in
            guard let self, self.isReadyForMoreMediaData else { return }
            let before = self.lock.withLock { self.appended }
            block()
            let hasAppended = self.lock.withLock { self.appended } > before
            if hasAppended { self.requestMediaDataWhenReady(on: queue, using: block) }
        }
    }

    // MARK: For the writer

    func start(_ url: URL, _ fileType: AVFileType, _ metadata: [AVMetadataItem]) throws {
        let settings = try WriterSettings(outputSettings ?? [:], fileType: fileType)
        lock.withLock { sink = SoundSink(url: url, settings: settings, metadata: metadata) }
    }

    func startSession(at time: CMTime) { lock.withLock { sink?.sessionStart = time } }

    func endSession(at time: CMTime) { lock.withLock { sink?.sessionEnd = time } }

    func finish() throws {
        try lock.withLock {
            isFinished = true
            try sink?.finish()
            sink = nil
        }
    }

    func cancel() {
        lock.withLock {
            isFinished = true
            sink?.cancel()
            sink = nil
        }
    }
}
