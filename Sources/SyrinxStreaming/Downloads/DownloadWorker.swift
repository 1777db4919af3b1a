import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxMediaCodec

/// One run of a download: a thread that fetches the missing bytes into the cache and then checks all of them.
final class DownloadWorker: Sendable {
    /// A report of a run, sent on its thread or on a network thread.
    enum News: Sendable {
        case progress(received: Int64, length: Int64?)
        case network(isThere: Bool)
        case verifying
        case ended(DownloadMachine.Outcome)
    }

    private struct State {
        var stream: HTTPByteStream?
        var isStopped = false
        /// The error message of the disk, after a write failed.
        var diskFailure: String?
        var entry: DiskCacheEntry?
    }

    private let url: String
    private let name: String
    private let sha256: String?
    private let options: HTTPByteStream.Options
    private let cache: DiskCache
    private let report: @Sendable (News) -> Void
    private let state = Mutex(State())
    private let running = DispatchGroup()

    /// The number of bytes that are read before the disk is waited for, because pending bytes are in memory.
    private static let stretch = 4 << 20

    init(
        _ url: String,
        name: String,
        sha256: String?,
        options: HTTPByteStream.Options,
        cache: DiskCache,
        report: @escaping @Sendable (News) -> Void
    ) {
        self.url = url
        self.name = name
        self.sha256 = sha256
        self.cache = cache
        self.report = report
        var options = options
        options.cache = cache
        options.isInTheBackground = true
        // It is never read backwards, and bytes ahead go to the disk.
        options.windowAhead = 1 << 20
        options.windowBehind = 0
        options.pinnedHead = 0
        self.options = options
    }

    func start() {
        running.enter()
        let thread = Thread { [self] in
            let timer = DispatchSource.makeTimerSource(queue: .global())
            // Ten reports a second look smooth; blocks are written even while nothing is read.
            timer.schedule(deadline: .now() + 0.1, repeating: 0.1, leeway: .milliseconds(20))
            timer.setEventHandler { [weak self] in self?.tellProgress() }
            timer.resume()
            defer { timer.cancel() }
            if let outcome = work() { report(.ended(outcome)) }
            state.withLock { $0.stream }?.cancel()
            running.leave()
        }
        thread.name = "syrinx.download"
        thread.start()
    }

    /// Ends it soon; does not wait.
    func stop() {
        let stream = state.withLock { state in
            state.isStopped = true
            return state.stream
        }
        stream?.cancel()
    }

    /// Waits for the thread to end.
    func join(timeout: Double) { _ = running.wait(timeout: .now() + timeout) }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    // MARK: The thread

    private func work() -> DownloadMachine.Outcome? {
        do throws(SyrinxError) {
            let entry = try fetch()
            guard !isStopped else { return nil }
            report(.verifying)
            return try verify(entry)
        } catch {
            if isStopped { return nil }
            return error.code == .resourceChanged ? .changed(error) : .failed(error)
        }
    }

    /// Fetches and writes all missing data.
    private func fetch() throws(SyrinxError) -> DiskCacheEntry {
        // A player of this process may have fetched blocks that are not written yet; they would be fetched again.
        cache.flush()
        let stream = try HTTPByteStream(url: url, options: options)
        stream.onEvent = { [weak self] event in self?.heard(event) }
        let isStopped = state.withLock { state in
            state.stream = stream
            return state.isStopped
        }
        if isStopped { stream.cancel() }
        try stream.waitForResponse()
        guard let entry = stream.storedEntry, let length = entry.resource?.length else { throw notStorable }
        state.withLock { $0.entry = entry }
        tellProgress()
        try read(stream, entry, length)
        cache.flush()
        stream.cancel()
        tellProgress()
        return entry
    }

    private func read(_ stream: HTTPByteStream, _ entry: DiskCacheEntry, _ length: Int64) throws(SyrinxError) {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { piece.deallocate() }
        var offset = entry.firstMissing(from: 0)
        var unwritten = 0
        while offset < length {
            let count = try stream.read(at: offset, into: piece)
            if count == 0 { break }
            offset += Int64(count)
            unwritten += count
            if unwritten >= Self.stretch {
                cache.flush()
                unwritten = 0
            }
            if let failure = state.withLock({ $0.diskFailure }) { throw diskFull(failure) }
            offset = entry.firstMissing(from: offset)
        }
        cache.flush()
        if let failure = state.withLock({ $0.diskFailure }) { throw diskFull(failure) }
    }

    /// Reads all blocks back from disk and verifies their checksums.
    private func verify(_ entry: DiskCacheEntry) throws(SyrinxError) -> DownloadMachine.Outcome? {
        guard let length = entry.resource?.length else { return .damaged }
        let digest = sha256 == nil ? nil : SHA256Digest()
        var offset: Int64 = 0
        while offset < length {
            if isStopped { return nil }
            guard let block = entry.block(containing: offset) else {
                tellProgress()
                return .damaged
            }
            digest?.update(block.bytes)
            offset = block.start + Int64(block.bytes.count)
        }
        guard let sha256, let digest, digest.finalize() != sha256 else { return .whole }
        entry.drop()
        let message = "The SHA-256 of the download is wrong, so it was discarded."
        throw SyrinxError(.checksumMismatch, message, name: name)
    }

    // MARK: Events

    private func heard(_ event: HTTPStreamEvent) {
        switch event {
        case .warning(.cacheFailed, let message):
            // The reader finds it at its next piece.
            state.withLock { $0.diskFailure = message }
        case .waitingForNetwork: report(.network(isThere: false))
        case .networkIsBack: report(.network(isThere: true))
        case .response, .received, .retry, .discontinuity, .metadata, .warning, .completed, .failed: break
        }
    }

    private func tellProgress() {
        guard let entry = state.withLock({ $0.isStopped ? nil : $0.entry }) else { return }
        report(.progress(received: entry.heldByteCount, length: entry.resource?.length))
    }

    private var notStorable: SyrinxError {
        let message =
            "the server forbids storing it, or states neither its length nor its version (ETag, Last-Modified)"
        return SyrinxError(.notStorable, message, name: name)
    }

    private func diskFull(_ message: String) -> SyrinxError { SyrinxError(.cacheFailed, message, name: name) }
}
