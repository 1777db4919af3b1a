import Dispatch
import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPodcastLibrary

/// The user's library of podcasts, which the command shares, off the main thread.
///
/// All windows share one, so that nothing is fetched twice, and each is notified of changes.
@MainActor
final class LibraryWorker {
    /// A running task that can be cancelled.
    private enum Job: Hashable {
        case subscribe(String)
        case refresh(Int64)
        case download(Int64)
    }

    /// The library, opened by the first that needs it.
    private final class Opening: Sendable {
        private let library = Mutex<PodcastLibrary?>(nil)

        func open() throws(PodcastError) -> PodcastLibrary {
            if let library = library.withLock({ $0 }) { return library }
            var options = PodcastLibrary.Options()
            options.network.maximumOutage = 30
            options.busyTimeout = 10
            options.newEpisodeCount = NewEpisodes.ofUser.count
            let new = try PodcastLibrary(file: LibraryWorker.file, options: options)
            library.withLock { $0 = new }
            return new
        }
    }

    /// All reads and writes, in order.
    private nonisolated static let queue = DispatchQueue(label: "syrinx.podcasts")
    private static let maximumRefreshCount = 4
    private static let maximumDownloadCount = 3

    private var listeners: [ObjectIdentifier: @MainActor (PodcastsState.Event) -> Void] = [:]
    private let opening = Opening()
    private var tasks: [Job: Task<Void, Never>] = [:]
    private var upkeep: Task<Void, Never>?
    private var waitingRefreshes: [Int64] = []
    private var waitingDownloads: [Int64] = []
    /// Downloads that continue from an earlier start, which the listener has not asked for in a window.
    private var continued: Set<Int64> = []
    /// Downloads that are being removed; they can begin anew when that is done.
    private var removing: Set<Int64> = []

    /// The file of the library: that of the command.
    nonisolated static var file: URL {
        let folder = UserFolder.data.path() ?? NSHomeDirectory() + "/.local/share/syrinx"
        return URL(fileURLWithPath: folder + "/library.sqlite")
    }

    /// Adds a listener.
    /// - Parameters:
    ///   - owner: The object that listens, by which it is removed.
    ///   - handler: Receives the events.
    func listen(_ owner: AnyObject, _ handler: @escaping @MainActor (PodcastsState.Event) -> Void) {
        listeners[ObjectIdentifier(owner)] = handler
    }

    /// Removes a listener.
    func forget(_ owner: AnyObject) { listeners[ObjectIdentifier(owner)] = nil }

    private func tell(_ event: PodcastsState.Event) {
        for listener in listeners.values { listener(event) }
    }

    /// Waits until all that was to be saved has been, for some seconds at most.
    nonisolated static func drain() {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + 5)
    }

    /// Returns the picture of an episode, or of its podcast: the file beside the library, which is fetched if there is
    /// none.
    nonisolated func artwork(of id: Episode.ID) async -> MediaPicture? {
        // A picture is no reason to say anything.
        guard let file = try? await opening.open().fetchArtwork(of: id) else { return nil }
        return (try? Data(contentsOf: file)).map { MediaPicture(file: [UInt8]($0)) }
    }

    /// Returns the file of the picture of a podcast beside the library, which is fetched if there is none.
    nonisolated func artworkFile(ofPodcast id: Podcast.ID) async -> URL? {
        try? await opening.open().fetchArtwork(ofPodcast: id)
    }

    /// Reads or changes the library.
    func use<Value: Sendable>(
        _ body: @escaping @Sendable (PodcastLibrary) throws(PodcastError) -> Value
    ) async -> Result<Value, PodcastError> {
        await withCheckedContinuation { [opening] continuation in
            Self.queue.async {
                do throws(PodcastError) {
                    continuation.resume(returning: .success(try body(try opening.open())))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
    }

    /// Changes the library; visible lists are updated.
    /// - Parameter failed: Receives the failure.
    func change(
        _ body: @escaping @Sendable (PodcastLibrary) throws(PodcastError) -> Void,
        failed: @escaping @MainActor @Sendable (PageState.Failure) -> Void
    ) {
        // Dispatched immediately, so that changes stay in order.
        let opening = opening
        Self.queue.async {
            do throws(PodcastError) {
                try body(try opening.open())
            } catch {
                let failure = PageState.Failure(error)
                Task { @MainActor in failed(failure) }
            }
        }
    }

    /// Saves something without a report of the result.
    func save(_ body: @escaping @Sendable (PodcastLibrary) throws(PodcastError) -> Void) {
        // A failure to store a position is not shown.
        Self.queue.async { [opening] in
            do throws(PodcastError) { try body(try opening.open()) } catch {}
        }
    }

    /// Reads the lists now and after each change, until the task is cancelled.
    /// - Parameters:
    ///   - scope: The list of episodes.
    ///   - arrangement: The choice and the order of the episodes; `nil` if the list has none.
    ///   - limit: The maximum number of episodes.
    ///   - handler: Receives the lists, or the failure that ends reading.
    func read(
        _ scope: PodcastsState.Scope,
        _ arrangement: EpisodeArrangement?,
        limit: Int,
        _ handler: @MainActor (PodcastsState.Event) -> Void
    ) async {
        do {
            let library = try await use { library throws(PodcastError) in library }.get()
            let isOfOneShow = if case .show = scope { true } else { false }
            for try await lists in library.changes(of: EpisodeList(scope, arrangement), limit: limit) {
                var read = PodcastsState.Lists(lists, isOfOneShow: isOfOneShow)
                read.arrangement = arrangement
                handler(.read(read, scope: scope))
            }
        } catch {
            guard !Task.isCancelled, let error = error as? PodcastError else { return }
            handler(.unreadable(PageState.Failure(error)))
        }
    }

    /// Subscribes to a feed.
    func subscribe(_ address: String) {
        run(.subscribe(address)) { library throws(PodcastError) in
            let podcast = try await library.subscribe(to: address)
            return .subscribed(address: address, show: podcast.id)
        } failed: {
            .notSubscribed(address: address, $0)
        }
    }

    /// Fetches feeds, several at a time.
    func refresh(_ ids: [Int64]) {
        // A feed that is waiting or being fetched is not fetched twice; all windows receive the event of its end.
        waitingRefreshes += ids.filter { !waitingRefreshes.contains($0) && tasks[.refresh($0)] == nil }
        startNext()
    }

    /// Downloads a recording, or resumes its download.
    func download(_ id: Int64) {
        // A download that is being removed starts again afterwards.
        let runs = tasks[.download(id)] != nil && !removing.contains(id)
        guard !runs, !waitingDownloads.contains(id) else { return }
        waitingDownloads.append(id)
        startNext()
    }

    /// Cancels the download of a recording, and removes its file.
    /// - Parameter failed: Receives the failure.
    func removeDownload(_ id: Int64, failed: @escaping @MainActor (PageState.Failure) -> Void) {
        waitingDownloads.removeAll { $0 == id }
        removing.insert(id)
        let running = tasks[.download(id)]
        running?.cancel()
        Task { [weak self] in
            // Wait for the download: a file that is being written cannot be removed.
            await running?.value
            let result = await self?.use { library throws(PodcastError) in try library.removeDownload(id) }
            guard let self else { return }
            self.removing.remove(id)
            self.tell(.downloadRemoved(id))
            if case .failure(let error) = result { failed(PageState.Failure(error)) }
            self.startNext()
        }
    }

    /// Refreshes podcasts now and at intervals, and continues downloads that were under way when a player ended.
    ///
    /// A refresh that failed is shown in the lists only, a download that failed as a message too.
    func keepUp() {
        guard upkeep == nil else { return }
        let opening = opening
        upkeep = Task { [weak self] in
            let text = SettingsFile.text(environment: ProcessInfo.processInfo.environment)
            guard let self else { return }
            let broken = await existing { library throws(PodcastError) in try library.brokenOffDownloads() }
            for id in broken ?? [] {
                continued.insert(id)
                download(id)
            }
            guard let interval = PodcastRefreshing(settings: text).interval else { return }
            var age = PodcastLibrary.freshSeconds
            while !Task.isCancelled {
                let ids = await existing { [age] library throws(PodcastError) in
                    try library.stalePodcasts(after: age)
                }
                if let ids, !ids.isEmpty { await Self.refresh(ids, opening) }
                // A refresh takes a while: the next one is due for all that this one fetched.
                age = interval / 2
                try? await Task.sleep(for: .seconds(interval))
            }
        }
    }

    private nonisolated static func refresh(_ ids: [Int64], _ opening: Opening) async {
        _ = try? await opening.open().refresh(ids)
    }

    /// Reads the library, if there is one already and it can be read.
    private func existing<Value: Sendable>(
        _ body: @escaping @Sendable (PodcastLibrary) throws(PodcastError) -> Value
    ) async -> Value? {
        guard FilePath(Self.file)?.status != nil else { return nil }
        return try? await use(body).get()
    }

    /// Reports that a download could not be continued.
    ///
    /// Of others, the windows report it.
    private func reportContinued(_ event: PodcastsState.Event) async {
        guard case .downloadEnded(let id, let failure) = event, continued.remove(id) != nil, let failure else { return }
        let title = try? await use { library throws(PodcastError) in try library.episode(id).title }.get()
        tell(.failed("The download of “\(title ?? "an episode")” has failed", failure))
    }

    /// The number of downloads that run or wait.
    var downloadCount: Int {
        tasks.keys.count { if case .download = $0 { true } else { false } } + waitingDownloads.count
    }

    /// Ends all that runs.
    func cancelAll() {
        upkeep?.cancel()
        (waitingRefreshes, waitingDownloads) = ([], [])
        for task in tasks.values { task.cancel() }
        listeners = [:]
    }

    private func startNext() {
        var refreshes = 0
        var downloads = 0
        for job in tasks.keys {
            if case .refresh = job { refreshes += 1 }
            if case .download = job { downloads += 1 }
        }
        while refreshes < Self.maximumRefreshCount, !waitingRefreshes.isEmpty {
            let id = waitingRefreshes.removeFirst()
            refreshes += 1
            run(.refresh(id)) { library throws(PodcastError) in
                .refreshed(id, added: try await library.refresh(id).addedCount, nil)
            } failed: {
                .refreshed(id, added: 0, $0)
            }
        }
        while downloads < Self.maximumDownloadCount, let place = waitingDownloads.firstIndex(where: canStart) {
            downloads += 1
            startDownload(waitingDownloads.remove(at: place))
        }
    }

    private func canStart(_ id: Int64) -> Bool { tasks[.download(id)] == nil && !removing.contains(id) }

    private func startDownload(_ id: Int64) {
        run(.download(id)) { [weak self] library throws(PodcastError) in
            try await library.fetch(id) { count, length in
                let share = length.flatMap { $0 > 0 ? Double(count) / Double($0) : nil }
                Task { @MainActor in
                    guard let self, self.tasks[.download(id)] != nil, !self.removing.contains(id) else { return }
                    self.tell(.downloaded(id, share: share))
                }
            }
            return .downloadEnded(id, nil)
        } failed: {
            // Another player downloads it, which the lists show.
            .downloadEnded(id, $0.code == ErrorCode.downloadInUse.rawValue ? nil : $0)
        }
    }

    private func run(
        _ job: Job,
        _ body: @escaping @Sendable (PodcastLibrary) async throws(PodcastError) -> PodcastsState.Event,
        failed: @escaping @MainActor (PageState.Failure) -> PodcastsState.Event
    ) {
        guard tasks[job] == nil else { return }
        tasks[job] = Task { [weak self] in
            guard let opened = await self?.use({ library throws(PodcastError) in library }) else { return }
            let event: PodcastsState.Event
            do throws(PodcastError) {
                event = try await body(try opened.get())
            } catch {
                event = failed(PageState.Failure(error))
            }
            guard let self else { return }
            self.tasks[job] = nil
            if !Task.isCancelled {
                self.tell(event)
                await self.reportContinued(event)
            }
            self.startNext()
        }
    }
}

extension PageState.Failure {
    /// A failure of the library.
    init(_ error: PodcastError) { self.init(code: error.code.rawValue, message: error.message) }
}
