import Foundation
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPodcastLibrary
import SyrinxStreaming

/// Opens inputs, and what folders and playlists among them stand for.
extension PlayerWindow {
    /// Opens what inputs stand for, in place of the queue, and plays it.
    /// - Parameters:
    ///   - inputs: The inputs.
    ///   - adds: Whether the queue is kept, and what is found is added to it.
    ///   - place: The place in the queue to which it is added; its end if there is none.
    func open(_ inputs: [ListeningInput], adds: Bool = false, at place: Int? = nil) {
        guard !inputs.isEmpty else { return }
        Task { [weak self] in
            let found = await Task.detached { InputExpansion(recursively: true).expandLocal(inputs) }.value
            self?.take(found.inputs, found.problems, adds: adds, at: place)
        }
    }

    private func take(_ inputs: [ListeningInput], _ problems: [SyrinxError], adds: Bool, at place: Int?) {
        let count = player.session.queue.count
        if !inputs.isEmpty {
            if adds, count > 0 {
                act { $0.add(inputs, place.map { .at($0) } ?? .last) }
            } else {
                open(inputs, playing: 0, isChosen: false)
            }
        }
        for problem in problems { warn(problem) }
    }

    /// Opens inputs in place of the queue.
    /// - Parameters:
    ///   - inputs: The inputs.
    ///   - index: The place of the one that plays.
    ///   - isChosen: Whether the listener has chosen that one, so that it plays first in an order by chance too.
    ///   - start: The position at which it begins, in seconds; `nil` for its stored position, or its start.
    private func open(_ inputs: [ListeningInput], playing index: Int, isChosen: Bool, at start: Double? = nil) {
        StartTrace.mark("open")
        queueView.closeSearch()
        perform(page.handle(.opening))
        shown.followsEnd = false
        // A recording may still play in another window.
        for window in app.all { window.player.keepPlace() }
        let former = player.session.queue.count
        act { $0.add(inputs, .replacing(at: index, isChosen: isChosen), startingAt: start) }
        if former > 1 { perform(page.handle(.undoable("A queue of \(former) recordings was replaced."))) }
        revealQueue(count: inputs.count)
    }

    // MARK: The start page

    /// Reads what can be continued, if the page for it is shown.
    func readStart() {
        guard page.page == .empty else { return }
        startPage.read(
            stations: saved.memory.places.compactMap { place in
                place.station.flatMap { title in ListeningInput(location: place.input).map { ($0, title) } }
            }
        )
    }

    /// Continues what was chosen on the start page, where it was left.
    func continueListening(_ entry: StartList.Entry) {
        switch entry.target {
        case .episode(let id): playEpisode(id)
        case .queue(let inputs, let index):
            open(inputs, playing: index, isChosen: true, at: entry.start(now: Date().timeIntervalSince1970))
        }
    }

    // MARK: Episodes

    /// Plays an episode, and after it those of the library's queue.
    /// - Parameters:
    ///   - id: The number in the library.
    ///   - time: The position at which it begins, in seconds; `nil` for the stored position.
    func playEpisode(_ id: Int64, at time: Double? = nil) {
        // The episode may play in another window, whose position is read with it.
        for window in app.all { window.player.keepPlace() }
        Task { [weak self, worker = app.library] in
            let found = await worker.use { library throws(PodcastError) in
                SavedState.positions.drain()
                return try EpisodeItem.list(from: id, in: library)
            }
            guard let self else { return }
            switch found {
            case .success(var items):
                items[0].chosenStart = time
                self.perform(self.page.handle(.opening))
                self.shown.followsEnd = false
                self.queueView.closeSearch()
                self.act { $0.handle(.episodes(items, .replacing(at: 0, isChosen: true))) }
                self.revealQueue(count: items.count)
            case .failure(let error):
                self.podcasts.handle(.failed("The episode could not be played", PageState.Failure(error)))
            }
        }
    }

    /// Puts an episode into the queue that plays, as it was put into the library's queue.
    ///
    /// Only a queue of episodes follows the library's.
    func enqueueEpisode(_ id: Int64, _ placement: QueuePlacement) {
        guard player.session.episode != nil else { return }
        Task { [weak self, worker = app.library] in
            let found = await worker.use { library throws(PodcastError) in
                try EpisodeItem(library.episode(id), of: library)
            }
            guard let self, case .success(let item) = found else { return }
            self.act { player in
                let queue = player.session.queue
                if let index = queue.inputs.firstIndex(of: item.input), index != queue.index {
                    player.carryOut(.remove(index))
                }
                player.handle(.episodes([item], placement))
            }
        }
    }

    private func revealQueue(count: Int) {
        // Before the window is shown it has no width.
        let width = window.width > 0 ? window.width : Double(saved.memory.window.width)
        if count > 1, width > 700 { widgets.flap.set("reveal-flap", .bool(true)) }
    }

    private func warn(_ problem: SyrinxError) {
        let name = FilePath(location: problem.name)?.displayName ?? problem.name
        perform(page.handle(.warning("“\(name)”: \(problem.message)")))
    }
}
