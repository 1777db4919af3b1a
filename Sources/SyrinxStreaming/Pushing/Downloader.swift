public import Foundation
import SyrinxByteStream

/// Downloads a URL, or reads a file, and delivers the bytes in order.
///
/// The downloader reads no further ahead than it has delivered, so a slow delegate slows the sender down. Lost
/// connections are resumed at the same offset. All methods may be called from any thread.
///
/// ```swift
/// let downloader = Downloader()
/// downloader.url = url
/// downloader.progressHandler = { data, fraction in print(data.count, fraction) }
/// downloader.completionHandler = { error in print(error ?? "done") }
/// downloader.start()
/// ```
open class Downloader: Downloading, @unchecked Sendable {
    // Unchecked: `condition` guards all mutable state.
    private let condition = NSCondition()
    private var mutable = Mutable()

    private struct Mutable {
        weak var delegate: (any DownloadingDelegate)?
        var completionHandler: (@Sendable ((any Error)?) -> Void)?
        var progressHandler: (@Sendable (Data, Float) -> Void)?
        var state = DownloadingState.notStarted
        var url: URL?
        var received: Int64 = 0
        var stream: (any ByteStream)?
        /// Incremented for each download, so that the thread of an old download can detect that it is obsolete.
        var generation = 0
    }

    /// The number of bytes in each delivery.
    private static let pieceSize = 16_384

    /// Creates a downloader without a URL.
    public init() {}

    deinit { mutable.stream?.cancel() }

    /// The delegate, which the downloader does not retain.
    ///
    /// Data and the end arrive on the downloader's thread. A change of the state by `start()`, `pause()` or `stop()` is
    /// reported on the caller's thread.
    public var delegate: (any DownloadingDelegate)? {
        get { condition.withLock { mutable.delegate } }
        set { condition.withLock { mutable.delegate = newValue } }
    }

    /// A handler that is called once at the end, with the error if the download failed; called on the downloader's
    /// thread.
    public var completionHandler: (@Sendable ((any Error)?) -> Void)? {
        get { condition.withLock { mutable.completionHandler } }
        set { condition.withLock { mutable.completionHandler = newValue } }
    }

    /// A handler that receives each piece of data, and the progress after it, 0…1; called on the downloader's thread.
    public var progressHandler: (@Sendable (Data, Float) -> Void)? {
        get { condition.withLock { mutable.progressHandler } }
        set { condition.withLock { mutable.progressHandler = newValue } }
    }

    /// The state of the downloader.
    public var state: DownloadingState { condition.withLock { mutable.state } }

    /// The number of bytes delivered so far.
    public var totalBytesReceived: Int64 { condition.withLock { mutable.received } }

    /// The length of the resource in bytes; `nil` until it is known.
    public var totalBytesCount: Int64? { condition.withLock { mutable.stream }?.length }

    /// The delivered fraction, 0…1; 0 while the length is unknown.
    public var progress: Float {
        guard let total = totalBytesCount, total > 0 else { return 0 }
        return min(1, Float(Double(totalBytesReceived) / Double(total)))
    }

    /// The URL to download.
    ///
    /// Setting it cancels the current download.
    open var url: URL? {
        get { condition.withLock { mutable.url } }
        set {
            end(as: .notStarted)
            condition.withLock {
                mutable.url = newValue
                mutable.received = 0
            }
        }
    }

    /// Starts the download, or resumes it after `pause()`.
    ///
    /// Has no effect without a `url`, or after the download has completed.
    open func start() {
        let (begins, generation): (Bool, Int?) = condition.withLock {
            switch mutable.state {
            case .started, .completed: return (false, nil)
            case .paused:
                mutable.state = .started
                condition.broadcast()
                return (true, nil)
            case .notStarted, .stopped:
                guard mutable.url != nil else { return (false, nil) }
                mutable.state = .started
                mutable.received = 0
                mutable.generation += 1
                return (true, mutable.generation)
            }
        }
        if begins { tell(.started) }
        guard let generation else { return }
        let thread = Thread { [weak self] in Self.run({ [weak self] in self }, generation) }
        thread.name = "syrinx.download"
        thread.start()
    }

    /// Pauses the download.
    ///
    /// The connection stays open as long as the server allows; otherwise `start()` resumes at the same offset.
    open func pause() {
        let pauses = condition.withLock {
            guard mutable.state == .started else { return false }
            mutable.state = .paused
            return true
        }
        if pauses { tell(.paused) }
    }

    /// Cancels the download and closes the connection.
    open func stop() {
        let runs = condition.withLock { mutable.state == .started || mutable.state == .paused }
        end(as: .stopped)
        if runs { tell(.stopped) }
    }

    private func end(as state: DownloadingState) {
        let stream = condition.withLock {
            mutable.state = state
            mutable.generation += 1
            defer { mutable.stream = nil }
            condition.broadcast()
            return mutable.stream
        }
        stream?.cancel()
    }

    private func tell(_ state: DownloadingState) {
        delegate?.download(self, changedState: state)
    }

    // MARK: The thread

    /// Holds the downloader only briefly, so that an unused downloader and its connection can be deallocated.
    private static func run(_ downloader: () -> Downloader?, _ generation: Int) {
        var offset: Int64 = 0
        do {
            guard let stream = try downloader()?.openStream(generation) else { return }
            let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
            defer { piece.deallocate() }
            while true {
                while downloader()?.waitWhilePaused(generation) == .paused {}
                guard downloader()?.waitWhilePaused(generation) == .running else { return }
                let count = try stream.read(at: offset, into: piece)
                guard count > 0 else { break }
                offset += Int64(count)
                downloader()?.deliver(Data(piece.prefix(count)), generation)
            }
            downloader()?.complete(nil, generation)
        } catch {
            downloader()?.complete(error, generation)
        }
    }

    private func openStream(_ generation: Int) throws -> (any ByteStream)? {
        guard let url else { return nil }
        let stream = try StreamingInput.url(url).makeByteStream()
        let isCurrent = condition.withLock {
            guard mutable.generation == generation else { return false }
            mutable.stream = stream
            return true
        }
        return isCurrent ? stream : nil
    }

    private enum Wait {
        case running
        case paused
        case over
    }

    /// Waits at most 0.5 s while the download is paused.
    private func waitWhilePaused(_ generation: Int) -> Wait {
        condition.withLock {
            if mutable.generation == generation, mutable.state == .paused {
                _ = condition.wait(until: Date(timeIntervalSinceNow: 0.5))
            }
            guard mutable.generation == generation else { return .over }
            return mutable.state == .paused ? .paused : .running
        }
    }

    private func deliver(_ data: Data, _ generation: Int) {
        let handler: (@Sendable (Data, Float) -> Void)?? = condition.withLock {
            guard mutable.generation == generation else { return nil }
            mutable.received += Int64(data.count)
            return .some(mutable.progressHandler)
        }
        guard let handler else { return }
        let progress = progress
        delegate?.download(self, didReceiveData: data, progress: progress)
        handler?(data, progress)
    }

    private func complete(_ error: (any Error)?, _ generation: Int) {
        let handler: (@Sendable ((any Error)?) -> Void)?? = condition.withLock {
            guard mutable.generation == generation else { return nil }
            mutable.state = .completed
            return .some(mutable.completionHandler)
        }
        guard let handler else { return }
        tell(.completed)
        delegate?.download(self, completedWithError: error)
        handler?(error)
    }
}
