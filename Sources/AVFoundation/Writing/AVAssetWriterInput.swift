internal import AVFAudio
public import CoreMedia
public import Dispatch
public import Foundation
internal import SyrinxByteStream

/// An input of an asset writer.
///
/// Append buffers from one thread at a time.
open class AVAssetWriterInput: NSObject, @unchecked Sendable {
    // Unchecked: `writer` is set once; the rest is behind a lock.

    weak var writer: AVAssetWriter?
    /// The kind of media.
    public let mediaType: AVMediaType
    /// The format in the file; `nil` for that of the buffers, which then have to be uncompressed.
    public let outputSettings: [String: Any]?
    /// The format of the buffers, if it is known beforehand.
    public let sourceFormatHint: CMFormatDescription?
    /// Whether buffers come as they are recorded; without effect, as a buffer is encoded when it comes.
    open var expectsMediaDataInRealTime = false

    private let lock = NSRecursiveLock()
    private var sink: SoundSink?
    private var isFinished = false
    private var appended = 0

    /// An input of `mediaType`.
    /// - Parameters:
    ///   - mediaType: `.audio`.
    ///   - outputSettings: The format in the file: `AVFormatIDKey`, `AVSampleRateKey`, `AVNumberOfChannelsKey`, and the keys
    ///     `AVEncoder…` or `AVLinearPCM…`.
    ///   - sourceFormatHint: The format of the buffers, if it is known beforehand.
    public init(
        mediaType: AVMediaType,
        outputSettings: [String: Any]?,
        sourceFormatHint: CMFormatDescription? = nil
    ) {
        self.mediaType = mediaType
        self.outputSettings = outputSettings
        self.sourceFormatHint = sourceFormatHint
    }

    /// Whether a buffer is taken now: while the writer writes and the input is not finished.
    open var isReadyForMoreMediaData: Bool {
        guard let writer, writer.status == .writing else { return false }
        return lock.withLock { !isFinished }
    }

    /// Encodes the samples of a buffer, and writes them.
    ///
    /// Samples before the start of the session are dropped, and a gap to the buffer before is filled with silence.
    /// - Returns: Whether that succeeded; if not, the writer's `error` says why not.
    @discardableResult
    open func append(_ sampleBuffer: CMSampleBuffer) -> Bool {
        guard let writer, isReadyForMoreMediaData else { return false }
        do {
            return try lock.withLock {
                // The writer may have been asked to finish since.
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

    /// Says that no more buffers come.
    open func markAsFinished() { lock.withLock { isFinished = true } }

    /// Calls `block` on `queue` while the input takes buffers, until it is finished or a call appends none.
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
