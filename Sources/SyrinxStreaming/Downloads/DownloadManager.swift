public import Foundation
import Synchronization
public import SyrinxByteStream
public import SyrinxHTTPStream

/// Downloads recordings for offline playback, several at a time, and resumes them in later runs of the program.
///
/// The bytes are stored in a `DiskCache`. A `Streamer` with the same cache plays a complete download by its URL without
/// a request. If the download is incomplete, the streamer fetches the rest. The download does not fetch those bytes
/// again, except incomplete blocks of 64 KiB. Downloads do not count towards the size limit of the cache, and are never
/// evicted.
///
/// ```swift
/// let cache = DiskCache(directory: "/var/tmp/episodes")
/// let manager = try DownloadManager(cache: cache)
/// let episode = try manager.add(url)
/// for await event in manager.events {
///     if case .changed(let download) = event, download.id == episode.id {
///         print(download.state, download.fraction)
///         if download.state == .completed { break }
///     }
/// }
/// streamer.cache = cache
/// streamer.url = url
/// ```
///
/// Only one manager can use a cache at a time, among all processes. All methods may be called from any thread except
/// the render thread; methods that write to the disk block until the write is done.
public final class DownloadManager: Sendable {
    /// The settings of a download manager.
    ///
    /// ```swift
    /// var options = DownloadManager.Options()
    /// options.maximumConcurrentDownloads = 4
    /// options.network.headers.append((name: "Authorization", value: "Bearer \(token)"))
    /// let manager = try DownloadManager(cache: cache, options: options)
    /// ```
    public struct Options: Sendable {
        /// The maximum number of simultaneous downloads; 2 by default, at least 1.
        public var maximumConcurrentDownloads = 2
        /// Whether downloads pause while a stream with the same `DiskCache` object waits for bytes; true by default.
        ///
        /// A stream that has filled its window does not wait. A broadcast always does.
        public var givesWayToStreams = true
        /// The seconds without a waiting stream after which downloads resume; 2 by default.
        public var settleTime = 2.0
        /// The network options, such as headers and timeouts.
        ///
        /// The manager ignores the cache and the window sizes in them.
        public var network = HTTPByteStream.Options()

        /// Creates the default options.
        public init() {}
    }

    /// The cache that stores the bytes.
    public let cache: DiskCache
    private let options: Options
    private let state: Mutex<State>
    private let hub = EventHub<DownloadEvent>()
    /// A serial queue for checks whether a stream uses the network, so that the latest check wins.
    private let line = DispatchQueue(label: "syrinx.downloads")

    private struct State {
        var machine: DownloadMachine
        var workers: [Download.ID: DownloadWorker] = [:]
        /// URLs with user and password, in memory only.
        var sources: [Download.ID: String] = [:]
        /// `nil` after `close()`.
        var keeper: DiskCache.Keeper?
    }

    /// Creates a manager for the downloads in `cache` and resumes unfinished ones.
    /// - Throws: `SyrinxError` with `file.inUse` if another manager uses the cache, or `file.cacheFailed` if its folder
    ///   is not writable.
    public init(cache: DiskCache, options: Options = Options()) throws(SyrinxError) {
        self.cache = cache
        self.options = options
        let keeper = try Self.keeper(of: cache)
        var machine = DownloadMachine(limit: options.maximumConcurrentDownloads, settleTime: options.settleTime)
        machine.restore(Self.restored(cache))
        state = Mutex(State(machine: machine, keeper: keeper))
        if options.givesWayToStreams {
            cache.demand.observe { [weak self] in
                self?.line.async { [weak self] in self?.lineChanged() }
            }
            line.sync { lineChanged() }
        }
        act { $0.machine.begin() }
    }

    deinit { close() }

    private static func keeper(of cache: DiskCache) throws(SyrinxError) -> DiskCache.Keeper {
        do throws(DiskCache.Keeper.Refusal) {
            return try cache.makeKeeper()
        } catch {
            switch error {
            case .taken:
                let message = "Another manager, perhaps of another process, has the downloads of this folder."
                throw SyrinxError(.downloadsTaken, message, name: cache.directory)
            case .system(let message):
                throw SyrinxError(.cannotBeKept, "Downloads cannot be stored there: \(message)", name: cache.directory)
            }
        }
    }

    private static func restored(_ cache: DiskCache) -> [Download] {
        cache.keptRecords().compactMap { name, record -> Download? in
            // A record of a later version of this format is left for that version.
            guard let record = try? JSONDecoder().decode(DownloadRecord.self, from: Data(record)) else { return nil }
            return record.download(name, cache.entry(named: name) { _ in })
        }.sorted { ($0.addedAt, $0.id) < ($1.addedAt, $1.id) }
    }

    // MARK: State

    /// All downloads, in the order in which they were added.
    public var downloads: [Download] { state.withLock { $0.machine.downloads } }

    /// Returns the download with this identity, or `nil`.
    public func download(_ id: Download.ID) -> Download? { state.withLock { $0.machine.download(id) } }

    /// Returns the download of `url`, or `nil`; URLs with different users or passwords are different downloads.
    public func download(for url: URL) -> Download? {
        (try? HTTPByteStream.cacheName(for: url.absoluteString)).flatMap(download)
    }

    /// A new stream of all later events.
    ///
    /// Each access returns an independent stream. All streams end when the manager is deallocated.
    public var events: AsyncStream<DownloadEvent> { hub.makeStream() }

    // MARK: Commands

    /// Adds a download of `url` to the queue; an existing download of the same URL is resumed.
    ///
    /// A user and password in the URL are not stored. If such a download is incomplete in the next run, it fails with
    /// `usage.credentialsNeeded` until it is added again.
    /// - Parameters:
    ///   - url: An `http:` or `https:` URL.
    ///   - sha256: The expected SHA-256 of the file, as 64 hexadecimal digits; `nil`, the default, checks none.
    /// - Returns: The download, as it is after it was added.
    /// - Throws: `SyrinxError` with `usage.badURL`, `usage.badChecksum`, `file.cacheFailed` if the disk cannot store
    ///   the record, or `usage.cancelled` after `close()`.
    @discardableResult
    public func add(_ url: URL, sha256: String? = nil) throws(SyrinxError) -> Download {
        let name = StreamingInput.url(url).name
        let digits = sha256?.lowercased()
        if let digits, digits.utf8.count != 64 || !digits.allSatisfy(\.isHexDigit) {
            throw SyrinxError(.badChecksum, "A SHA-256 has 64 hexadecimal digits.", name: name)
        }
        let id = try HTTPByteStream.cacheName(for: url.absoluteString)
        let new = Download(
            id: id,
            url: URL(string: name) ?? url,
            addedAt: Date(),
            sha256: digits,
            state: .queued,
            receivedByteCount: cache.entry(named: id) { _ in }.heldByteCount
        )
        try note(new)
        act { state in
            if name != url.absoluteString { state.sources[id] = url.absoluteString }
            return state.machine.add(new)
        }
        return download(id) ?? new
    }

    /// Stores the record of a download before `add(_:sha256:)` returns, so that a crash cannot lose it.
    private func note(_ download: Download) throws(SyrinxError) {
        let (isOpen, known) = state.withLock { ($0.keeper != nil, $0.machine.download(download.id)) }
        guard isOpen else {
            throw SyrinxError(.cancelled, "The manager is closed.", name: download.url.absoluteString)
        }
        if let message = write(known ?? download) {
            throw SyrinxError(.cannotBeKept, "Nothing can be kept: \(message)", name: cache.directory)
        }
    }

    /// Pauses a download until it is resumed, in this run or a later one.
    /// - Throws: `usage.noSuchDownload` if there is no download with this identity.
    public func pause(_ id: Download.ID) throws(SyrinxError) { try change(id) { $0.pause(id) } }

    /// Resumes a download that was paused or has failed; it waits in the queue for its turn.
    /// - Throws: `usage.noSuchDownload` if there is no download with this identity.
    public func resume(_ id: Download.ID) throws(SyrinxError) { try change(id) { $0.resume(id) } }

    /// Removes a download from the list; its bytes stay in the cache like those of a played stream.
    /// - Throws: `usage.noSuchDownload` if there is no download with this identity.
    public func cancel(_ id: Download.ID) throws(SyrinxError) { try change(id) { $0.remove(id, erases: false) } }

    /// Removes a download from the list and deletes its bytes.
    /// - Throws: `usage.noSuchDownload` if there is no download with this identity.
    public func remove(_ id: Download.ID) throws(SyrinxError) { try change(id) { $0.remove(id, erases: true) } }

    /// Stops all downloads and releases the cache for another manager.
    ///
    /// Returns within 100 ms. The next manager resumes unfinished downloads.
    public func close() {
        let (workers, keeper) = state.withLock { state in
            if state.keeper != nil { cache.demand.observe(nil) }
            let workers = Array(state.workers.values)
            for case .tell(let download) in state.machine.close() { hub.send(.changed(download)) }
            state.workers = [:]
            defer { state.keeper = nil }
            return (workers, state.keeper)
        }
        for worker in workers { worker.stop() }
        let end = ContinuousClock.now + .milliseconds(80)
        for worker in workers { worker.join(timeout: max(0, (end - .now) / .seconds(1))) }
        // Another manager may start only after the workers have ended.
        withExtendedLifetime(keeper) {}
    }

    private func change(
        _ id: Download.ID,
        _ decide: (inout DownloadMachine) -> [DownloadMachine.Action]
    ) throws(SyrinxError) {
        guard download(id) != nil else {
            throw SyrinxError(.noSuchDownload, "There is no such download.", name: id)
        }
        act { decide(&$0.machine) }
    }

    // MARK: Actions

    private func lineChanged() {
        let isTaken = cache.demand.isThere
        act { $0.machine.lineChanged(isTaken: isTaken) }
    }

    private func heard(_ news: DownloadWorker.News, _ id: Download.ID, _ run: Int) {
        act { state in
            switch news {
            case .progress(let received, let length):
                state.machine.progressed(id, run: run, received: received, length: length)
            case .network(let isThere): state.machine.networkChanged(id, run: run, isThere: isThere)
            case .verifying: state.machine.verifies(id, run: run)
            case .ended(let outcome): state.machine.ended(id, run: run, outcome)
            }
        }
    }

    private func act(_ decide: (inout State) -> [DownloadMachine.Action]) {
        let stopped = state.withLock { state -> [DownloadWorker] in
            guard state.keeper != nil else { return [] }
            return decide(&state).compactMap { perform($0, &state) }
        }
        // Outside of the lock: stopping takes the network's lock, whose threads may be waiting for this one.
        for worker in stopped { worker.stop() }
    }

    /// Performs an action; returns a worker that the caller has to stop.
    private func perform(_ action: DownloadMachine.Action, _ state: inout State) -> DownloadWorker? {
        switch action {
        case .start(let id, let run): start(id, run, &state)
        case .stop(let id): return state.workers.removeValue(forKey: id)
        case .save(let id): save(id, state)
        case .erase(let id):
            state.sources[id] = nil
            cache.entry(named: id) { _ in }.erase()
        case .release(let id):
            state.sources[id] = nil
            cache.entry(named: id) { _ in }.release()
        case .tell(let download): hub.send(.changed(download))
        case .tellRemoved(let id): hub.send(.removed(id))
        case .wait(let token, let seconds):
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
                self?.act { $0.machine.timerFired(token) }
            }
        }
        return nil
    }

    private func start(_ id: Download.ID, _ run: Int, _ state: inout State) {
        guard let download = state.machine.download(id) else { return }
        let source = state.sources[id] ?? download.url.absoluteString
        guard (try? HTTPByteStream.cacheName(for: source)) == id else {
            let outcome = DownloadMachine.Outcome.failed(.credentialsNeeded(download))
            for action in state.machine.ended(id, run: run, outcome) { _ = perform(action, &state) }
            return
        }
        let worker = DownloadWorker(
            source,
            name: download.url.absoluteString,
            sha256: download.sha256,
            options: options.network,
            cache: cache
        ) { [weak self] news in self?.heard(news, id, run) }
        state.workers[id] = worker
        worker.start()
    }

    private func save(_ id: Download.ID, _ state: State) {
        guard let download = state.machine.download(id) else { return }
        if let message = write(download) {
            let name = download.url.absoluteString
            hub.send(.warning(id, SyrinxError(.cannotBeKept, "Its state cannot be kept: \(message)", name: name)))
        }
    }

    private func write(_ download: Download) -> String? {
        guard let record = try? JSONEncoder().encode(DownloadRecord(download)) else {
            return "it cannot be written as JSON"
        }
        return cache.entry(named: download.id) { _ in }.keep(Array(record))
    }
}
