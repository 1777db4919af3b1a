import Dispatch
import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxListening
import SyrinxPlayerUI
import SyrinxPodcastLibrary

/// The podcasts of the user's library as the full screen shows them.
///
/// The library is asked on a queue of its own: it may wait for the disk, for other processes or for the network.
final class PodcastBrowser: Sendable {
    private struct State {
        var library: PodcastLibrary?
        var hasTried = false
        var view = PodcastsView(isAvailable: false)
        var refreshing: Set<Podcast.ID> = []
        var downloading: [Episode.ID: Double?] = [:]
        /// The list that is open.
        var open = OpenEpisodes()
        /// The marks before the last change, which can be undone.
        var marks: EpisodeMarks?
        /// The lists that were read last; the episodes may be those of the list before.
        var lists: (of: EpisodeList, LibraryLists)?
        /// The notes that were asked for last, and their rows for a width.
        var notes = NotesView()
        var notesRows: (columns: Int, view: NotesView)?
        /// The task that reads the lists.
        var reading: Task<Void, Never>?
        /// The task that refreshes podcasts by itself.
        var upkeep: Task<Void, Never>?
    }

    /// A message to the listener.
    typealias Report = @Sendable (_ text: String, _ isFailure: Bool) -> Void

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "syrinx.podcasts")
    private let report: Report
    private let didChange: @Sendable () -> Void

    /// A browser that reports what it did, and calls `didChange` when its view is another, both on other threads.
    init(report: @escaping Report, didChange: @escaping @Sendable () -> Void) {
        self.report = report
        self.didChange = didChange
    }

    deinit {
        let tasks = state.withLock { [$0.reading, $0.upkeep] }
        for task in tasks { task?.cancel() }
    }

    /// The podcasts, and the episodes that are open.
    var view: PodcastsView { state.withLock { $0.view } }

    /// Opens the library, if there is one that can be opened.
    func open() {
        let isFirst = state.withLock { state in
            defer { state.hasTried = true }
            return !state.hasTried
        }
        if isFirst { read(.none) }
    }

    /// Refreshes podcasts now and at intervals, and continues downloads that were under way when a player ended.
    ///
    /// A refresh that failed is shown in the lists only, a download that failed as a message too.
    /// - Parameter refreshing: The interval.
    func keepUp(_ refreshing: PodcastRefreshing) {
        let task = Task { [weak self] in
            if let library = await self?.existingLibrary() { await self?.continueDownloads(of: library) }
            guard let interval = refreshing.interval else { return }
            var age = PodcastLibrary.freshSeconds
            while !Task.isCancelled {
                // There may be one only later.
                if let library = await self?.existingLibrary(), let ids = try? library.stalePodcasts(after: age) {
                    await library.refresh(ids)
                }
                // A refresh takes a while: the next one is due for all that this one fetched.
                age = interval / 2
                try? await Task.sleep(for: .seconds(interval))
            }
        }
        state.withLock { $0.upkeep = task }
    }

    /// The library, if there is one and it can be opened.
    private func existingLibrary() async -> PodcastLibrary? {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                if let library = state.withLock({ $0.library }) { return continuation.resume(returning: library) }
                guard let path = LibraryOptions.path, FilePath(path).status != nil else {
                    return continuation.resume(returning: nil)
                }
                let library = try? LibraryOptions.standard.open()
                state.withLock { $0.library = library }
                continuation.resume(returning: library)
            }
        }
    }

    private func continueDownloads(of library: PodcastLibrary) async {
        for id in (try? library.brokenOffDownloads()) ?? [] where !Task.isCancelled {
            // One that the listener has asked for meanwhile goes on as that.
            guard state.withLock({ $0.downloading[id] }) == nil else { continue }
            do throws(PodcastError) {
                try await fetch(id, of: library)
            } catch {
                // Another player may download it.
                if error.code != .downloadInUse, !Task.isCancelled {
                    let title = (try? library.episode(id).title) ?? error.name
                    report("The download of “\(title)” has failed: \(error.message)", true)
                }
            }
            update()
        }
    }

    /// The sentence about downloads that run, for when the player ends; `nil` if there are none.
    var unfinished: String? {
        let count = state.withLock { $0.downloading.count }
        guard count > 0 else { return nil }
        return count == 1
            ? "1 download is not finished: it continues at the next start."
            : "\(count) downloads are not finished: they continue at the next start."
    }

    /// Performs a request.
    /// - Returns: Whether it concerns the podcasts.
    func carryOut(_ action: PlayerAction) -> Bool {
        switch action {
        case .openShow(let id): read(.show(id))
        case .openInbox: read(.inbox)
        case .searchEpisodes(let text): read(.search(text))
        case .arrangeEpisodes(let arrangement): arrange(arrangement)
        case .subscribe(let url): subscribe(url)
        case .unsubscribe(let id): perform { library throws(PodcastError) in try library.unsubscribe(id) }
        case .refresh(let id): refresh(id)
        case .setEpisodePlayed(let id, let isPlayed): mark(.episodes([id]), isPlayed: isPlayed)
        case .markAllPlayed(let show): mark(show.map { EpisodeSelection.podcast($0) } ?? openSelection(before: nil))
        case .markOlderPlayed(let id): markOlder(than: id)
        case .undoMark: undoMark()
        case .removeDownload(let id): perform { library throws(PodcastError) in try library.removeDownload(id) }
        case .downloadEpisode(let id): download(id)
        case .readNotes(.episode(let id)): readNotes(ofEpisode: id)
        case .readNotes(.show(let id)): readNotes(ofShow: id)
        default: return false
        }
        return true
    }

    /// Finds an episode to play, and hands it to `handler` on another thread.
    func item(of id: Episode.ID, _ handler: @escaping @Sendable (EpisodeItem) -> Void) {
        perform { library throws(PodcastError) in handler(try EpisodeItem(library.episode(id), of: library)) }
    }

    // MARK: Notes

    /// Returns the notes that were asked for last, in rows.
    /// - Parameter columns: The width of the screen.
    func notes(columns: Int) -> NotesView {
        state.withLock { state in
            if let rows = state.notesRows, rows.columns == columns { return rows.view }
            let view = state.notes.wrapped(columns: columns)
            state.notesRows = (columns, view)
            return view
        }
    }

    private func readNotes(ofEpisode id: Episode.ID) {
        setNotes(NotesView(episode: id, isLoading: true))
        perform { [self] library throws(PodcastError) in
            let episode = try library.episode(id)
            let notes = ShowNotes(episode.summary, duration: episode.duration)
            setNotes(NotesView(title: episode.title, episode: id, lines: notes.rows))
        }
    }

    private func readNotes(ofShow id: Podcast.ID) {
        setNotes(NotesView(isLoading: true))
        perform { [self] library throws(PodcastError) in
            let podcast = try library.podcast(id)
            setNotes(NotesView(title: podcast.title, lines: ShowNotes(podcast.summary, hasTimes: false).rows))
        }
    }

    /// Shows notes in place of those before.
    func setNotes(_ notes: NotesView) {
        state.withLock { ($0.notes, $0.notesRows) = (notes, nil) }
        didChange()
    }

    // MARK: Marks

    /// The episodes of the open list, or those before a date; `nil` if the list cannot be marked.
    private func openSelection(before date: Date?) -> EpisodeSelection? {
        state.withLock { $0.open.selection(before: date) }
    }

    private func mark(_ selection: EpisodeSelection?, isPlayed: Bool = true) {
        guard let selection else { return }
        perform { [self] library throws(PodcastError) in try mark(selection, isPlayed: isPlayed, in: library) }
    }

    private func mark(_ selection: EpisodeSelection, isPlayed: Bool, in library: PodcastLibrary) throws(PodcastError) {
        let marks = try library.mark(selection, isPlayed: isPlayed)
        let text = EpisodeMarkText.marked(marks.count, isPlayed: isPlayed)
        guard marks.count > 0 else { return report(text, false) }
        state.withLock { $0.marks = marks }
        report(text + " U undoes it.", false)
    }

    private func markOlder(than id: Episode.ID) {
        perform { [self] library throws(PodcastError) in
            guard let date = try library.episode(id).published else {
                return report("The episode has no date, so none is older.", false)
            }
            guard let selection = openSelection(before: date) else { return }
            try mark(selection, isPlayed: true, in: library)
        }
    }

    private func undoMark() {
        perform { [self] library throws(PodcastError) in
            guard let marks = state.withLock({ $0.marks }) else {
                return report("There is no mark to undo.", false)
            }
            let count = try library.undo(marks)
            state.withLock { $0.marks = nil }
            report(EpisodeMarkText.undone(count), false)
        }
    }

    // MARK: The library

    private func perform(_ body: @escaping @Sendable (PodcastLibrary) throws(PodcastError) -> Void) {
        queue.async { [self] in
            guard let library = openLibrary() else { return }
            do throws(PodcastError) {
                try body(library)
            } catch {
                report(error.message, true)
            }
            // Another process may have changed the library, too.
            watch(library)
        }
    }

    private func openLibrary() -> PodcastLibrary? {
        if let library = state.withLock({ $0.library }) { return library }
        do throws(Failure) {
            let library = try LibraryOptions.standard.open()
            state.withLock { $0.library = library }
            return library
        } catch {
            report("\(error.name): \(error.message).", true)
            return nil
        }
    }

    /// Opens a list, and shows it again whenever it changes.
    private func read(_ list: OpenEpisodes.List) { change { $0.list = list } }

    /// Shows other episodes of the open list, or another order.
    private func arrange(_ arrangement: EpisodeArrangement) { change { $0.arrange(arrangement) } }

    private func change(_ body: (inout OpenEpisodes) -> Void) {
        state.withLock { state in
            body(&state.open)
            state.view.openShow = state.open.show
            state.view.arrangement = state.open.arrangement
            state.view.episodes = []
        }
        perform { _ in }
    }

    /// The largest number of episodes that a search shows.
    private static let mostFound = 100

    /// Reads the open list now and after each change.
    private func watch(_ library: PodcastLibrary) {
        let list = state.withLock { $0.open.episodes }
        let limit = if case .search = list { Self.mostFound } else { PodcastLibrary.EpisodeFilter().limit }
        let reading = Task { [weak self, report] in
            do {
                for try await lists in library.changes(of: list, limit: limit) { self?.take(lists, of: list) }
            } catch {
                report((error as? PodcastError)?.message ?? "\(error)", true)
            }
        }
        let former = state.withLock { state in
            defer { state.reading = reading }
            return state.reading
        }
        former?.cancel()
    }

    private func take(_ lists: LibraryLists, of list: EpisodeList) {
        state.withLock { state in
            // Another list may have been opened meanwhile.
            if state.open.episodes == list { state.lists = (list, lists) }
        }
        update()
    }

    private func subscribe(_ url: String) {
        report("Subscribing to \(url).", false)
        wait { [report] library in
            let podcast = try await library.subscribe(to: url)
            report("Subscribed to \(podcast.title).", false)
        }
    }

    private func refresh(_ id: Podcast.ID?) {
        let ids = id.map { [$0] } ?? state.withLock { $0.view.shows.map(\.id) }
        if ids.isEmpty { report("There are no podcasts to refresh.", false) }
        let tally = RefreshTally(count: ids.count)
        state.withLock { $0.refreshing.formUnion(ids) }
        update()
        for id in ids {
            wait { [self] library in
                defer { state.withLock { _ = $0.refreshing.remove(id) } }
                do {
                    let result = try await library.refresh(id)
                    tally.note(added: result.addedCount).map { report($0, false) }
                } catch {
                    tally.note(added: nil).map { report($0, false) }
                    throw error
                }
            }
        }
    }

    private func download(_ id: Episode.ID) {
        wait { [self] library in try await fetch(id, of: library) }
    }

    private func fetch(_ id: Episode.ID, of library: PodcastLibrary) async throws(PodcastError) {
        state.withLock { $0.downloading[id] = .some(nil) }
        defer { state.withLock { _ = $0.downloading.removeValue(forKey: id) } }
        try await library.fetch(id) { [weak self] count, length in
            guard let self else { return }
            let fraction = length.flatMap { $0 > 0 ? Double(count) / Double($0) : nil }
            state.withLock { state in
                state.downloading[id] = .some(fraction)
                guard let place = state.view.episodes.firstIndex(where: { $0.id == id }) else { return }
                state.view.episodes[place].download = .running(fraction)
            }
            didChange()
        }
    }

    /// Performs work on the network, then shows the library again.
    private func wait(_ body: @escaping @Sendable (PodcastLibrary) async throws -> Void) {
        queue.async { [self] in
            guard let library = openLibrary() else { return }
            Task {
                do {
                    try await body(library)
                } catch let error as PodcastError {
                    report(error.message, true)
                } catch {
                    report("\(error)", true)
                }
                watch(library)
            }
            update()
        }
    }

    /// Builds the view from the lists and the running jobs.
    private func update() {
        state.withLock { state in
            guard let (list, lists) = state.lists else { return }
            let titles = state.view.openShow == nil ? lists.titles : [:]
            let episodes = list == state.open.episodes ? lists.episodes : []
            state.view.shows = lists.podcasts.map {
                PodcastsView.Show($0, isRefreshing: state.refreshing.contains($0.id))
            }
            state.view.episodes = episodes.map { episode in
                PodcastsView.Episode(
                    episode,
                    show: titles[episode.podcastID],
                    download: state.downloading[episode.id].map { .running($0) }
                        ?? PodcastsView.Download(lists.downloads[episode.id])
                )
            }
            state.view.isAvailable = true
        }
        didChange()
    }
}

extension ShowNotes {
    /// The lines as the screen shows them.
    fileprivate var rows: [NotesView.Line] {
        lines.map { line in
            let times = line.parts.compactMap { part in if case .time(let time) = part.target { time } else { nil } }
            let hasLink = line.parts.contains { if case .link = $0.target { true } else { false } }
            return NotesView.Line(
                text: line.text,
                time: times.first,
                hasLink: hasLink,
                beginsParagraph: line.beginsParagraph
            )
        }
    }
}
