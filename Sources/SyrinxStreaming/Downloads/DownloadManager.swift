public import Foundation
import Synchronization
public import SyrinxByteStream
public import SyrinxHTTPStream

/// Fetches recordings to be there without a network, several at a time, from one run of the program to the next.
///
/// The bytes lie in a `DiskCache`. A `Streamer` with the same cache plays a download by its URL, without a request if it is
/// whole. Otherwise the streamer fetches the rest, which the download then does not fetch again, except incomplete blocks of
/// 64 KiB. Downloads neither count towards the limit of the cache nor are evicted from it.
///
/// ```swift
/// let cache = DiskCache(directory: path)
/// let manager = try DownloadManager(cache: cache)
/// let episode = try manager.add(url)
/// for await event in manager.events { … }
/// streamer.cache = cache
/// streamer.url = url
/// ```
///
/// There is one manager of a cache at a time, among all processes. All methods may be called from any thread but the render
/// thread; those that write to the disk wait for it.
public final class DownloadManager: Sendable {
    /// The settings of downloads.
    public struct Options: Sendable {
        /// The number of resources fetched at a time; 2 by default, at least 1.
        public var maximumConcurrentDownloads = 2
        /// Whether downloads stand still while a stream that uses the same `DiskCache` object waits for bytes; true by default.
        ///
        /// A stream that has fetched as far ahead as it wants does not wait. A broadcast always does.
        public var givesWayToStreams = true
        /// Seconds that no stream may have waited before downloads go on; 2 by default.
        public var settleTime = 2.0
        /// Headers, time limits and what else the network is used with.
        ///
        /// Its `cache` and its windows are not used: the manager has its own.
        public var network = HTTPByteStream.Options()

        /// The defaults.
        public init() {}
    }

    /// The cache that holds the bytes.
    public let cache: DiskCache
    private let options: Options
    private let state: Mutex<State>
    private let hub = EventHub<DownloadEvent>()
    /// The queue for checks whether the network is in use: one at a time, so that the last one counts.
    private let line = DispatchQueue(label: "syrinx.downloads")

    private struct State {
        var machine: DownloadMachine
        var workers: [Download.ID: DownloadWorker] = [:]
        /// URLs with user and password, as long as the program runs.
        var sources: [Download.ID: String] = [:]
        /// `nil` once the manager is closed.
        var keeper: DiskCache.Keeper?
    }

    /// A manager of the downloads that lie in `cache`; what was not done in an earlier run goes on at once.
    /// - Throws: `SyrinxError` with `file.inUse` if there is a manager already, `file.cacheFailed` if the folder of the
    ///   cache cannot be written to.
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
                throw SyrinxError(.cannotBeKept, "Nothing can be kept there: \(message)", name: cache.directory)
            }
        }
    }

    private static func restored(_ cache: DiskCache) -> [Download] {
        cache.keptRecords().compactMap { name, record -> Download? in
            // One of a later version stays for that version.
            guard let record = try? JSONDecoder().decode(DownloadRecord.self, from: Data(record)) else { return nil }
            return record.download(name, cache.entry(named: name) { _ in })
        }.sorted { ($0.addedAt, $0.id) < ($1.addedAt, $1.id) }
    }

    // MARK: What is known

    /// All downloads, in the order in which they were added.
    public var downloads: [Download] { state.withLock { $0.machine.downloads } }

    /// The download of that name, if there is one.
    public func download(_ id: Download.ID) -> Download? { state.withLock { $0.machine.download(id) } }

    /// The download of a URL, if there is one; with another user or password it is another download.
    public func download(for url: URL) -> Download? {
        (try? HTTPByteStream.cacheName(for: url.absoluteString)).flatMap(download)
    }

    /// The events from now on.
    ///
    /// Each access is a stream of its own; all of them end with the manager.
    public var events: AsyncStream<DownloadEvent> { hub.makeStream() }

    // MARK: What is wanted

    /// Fetches what `url` names, when its turn has come.
    ///
    /// If there is such a download already it is resumed. A user and password in the URL are not written down: such a download
    /// fails in the next run with `usage.credentialsNeeded` unless it is whole, until it is added again.
    /// - Parameters:
    ///   - url: An `http:` or `https:` URL.
    ///   - sha256: The SHA-256 that the whole has to have, as 64 hexadecimal digits; `nil`, the default, if it is not known.
    /// - Throws: `SyrinxError` with `usage.badURL`, `usage.badChecksum`, `file.cacheFailed` if the disk does not take it, or
    ///   `usage.cancelled` if the manager is closed.
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

    /// Writes down that there is such a download, so that who adds it knows that it will not be forgotten.
    private func note(_ download: Download) throws(SyrinxError) {
        let (isOpen, known) = state.withLock { ($0.keeper != nil, $0.machine.download(download.id)) }
        guard isOpen else {
            throw SyrinxError(.cancelled, "The manager is closed.", name: download.url.absoluteString)
        }
        if let message = write(known ?? download) {
            throw SyrinxError(.cannotBeKept, "Nothing can be kept: \(message)", name: cache.directory)
        }
    }

    /// Lets a download stand still until it is resumed, in this run or a later one.
    public func pause(_ id: Download.ID) throws(SyrinxError) { try change(id) { $0.pause(id) } }

    /// Goes on with a download that was paused or has failed, when its turn has come.
    public func resume(_ id: Download.ID) throws(SyrinxError) { try change(id) { $0.resume(id) } }

    /// Forgets a download, and leaves what is there of it to the cache, as if it had been played.
    public func cancel(_ id: Download.ID) throws(SyrinxError) { try change(id) { $0.remove(id, erases: false) } }

    /// Forgets a download, and throws away what is there of it.
    public func remove(_ id: Download.ID) throws(SyrinxError) { try change(id) { $0.remove(id, erases: true) } }

    /// Ends: nothing is fetched any more, and another manager may take over.
    ///
    /// Returns within 100 ms. What was not done goes on with the next manager.
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
        // Only now may another one begin.
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

    // MARK: Acting

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
        // Outside of the lock: it takes that of the network, whose threads may be waiting for ours.
        for worker in stopped { worker.stop() }
    }

    /// Does what has been decided; returns a worker that is to be stopped.
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
