import Foundation
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPodcastLibrary

/// Opens inputs, including folders and playlists, and episodes of the library.
@MainActor
final class InputOpener {
    /// Receives the reason why an episode could not be played.
    var onEpisodeFailure: (PageState.Failure) -> Void = { _ in }
    /// Receives the address of a feed that the user dropped or pasted.
    var onFeed: (String) -> Void = { _ in }
    private unowned let app: DesktopApp
    private let window: Window
    private let control: PlayerControl
    private let queue: QueuePane

    /// Creates the opener of a window.
    init(_ app: DesktopApp, _ window: Window, _ control: PlayerControl, _ queue: QueuePane) {
        (self.app, self.window, self.control, self.queue) = (app, window, control, queue)
    }

    /// Replaces the queue with inputs, including those in folders and playlists, and plays it.
    /// - Parameters:
    ///   - inputs: The inputs.
    ///   - adds: Whether the inputs are added to the queue instead of replacing it.
    ///   - place: The index in the queue at which they are added; `nil` for the end.
    func open(_ inputs: [ListeningInput], adds: Bool = false, at place: Int? = nil) {
        guard !inputs.isEmpty else { return }
        Task { [weak self] in
            let found = await Task.detached { InputExpansion(recursively: true).expandLocal(inputs) }.value
            self?.take(found.inputs, found.problems, adds: adds, at: place)
        }
    }

    /// Opens dropped or pasted items, and reports those that cannot be opened.
    /// - Parameters:
    ///   - list: The items.
    ///   - target: The drop target.
    ///   - place: The index in the queue; `nil` for the end.
    func open(_ list: DropList, on target: DropList.Target, at place: Int? = nil) {
        if let message = list.message { control.tell(.warning(message)) }
        func inputs(_ entries: [DropList.Entry]) -> [ListeningInput] {
            entries.compactMap { ListeningInput(location: $0.location) }
        }
        switch list.effect(on: target) {
        case .none: break
        case .play(let entry): open(inputs([entry]))
        case .replaceQueue(let entries): open(inputs(entries))
        case .enqueue(let entries): open(inputs(entries), adds: true, at: place)
        case .subscribe(let address): onFeed(address)
        }
    }

    /// Goes to a position of a recording, in seconds, which opens if it does not play.
    func open(_ input: ListeningInput, at time: Double) {
        let session = control.session
        if session.queue.current.identity == input.identity, session.item.isOpen {
            return control.carryOut(.seek(.to(time)))
        }
        open([input], playing: 0, isChosen: true, at: time)
    }

    /// Resumes an entry of the start page at its stored position.
    func open(_ entry: StartList.Entry) {
        switch entry.target {
        case .episode(let id): play(episode: id)
        case .queue(let inputs, let index):
            open(inputs, playing: index, isChosen: true, at: entry.start(now: Date().timeIntervalSince1970))
        }
    }

    private func take(_ inputs: [ListeningInput], _ problems: [SyrinxError], adds: Bool, at place: Int?) {
        if !inputs.isEmpty {
            if adds, !control.session.queue.isEmpty {
                control.act { $0.add(inputs, place.map { .at($0) } ?? .last) }
            } else {
                open(inputs, playing: 0, isChosen: false)
            }
        }
        for problem in problems {
            let name = FilePath(location: problem.name)?.displayName ?? problem.name
            control.tell(.warning("“\(name)”: \(problem.message)"))
        }
    }

    /// Opens inputs in place of the queue.
    /// - Parameters:
    ///   - inputs: The inputs.
    ///   - index: The index of the input that plays first.
    ///   - isChosen: Whether the user chose that input, so that it plays first even if the queue is shuffled.
    ///   - start: The position at which it begins, in seconds; `nil` for its stored position, or its start.
    private func open(_ inputs: [ListeningInput], playing index: Int, isChosen: Bool, at start: Double? = nil) {
        StartTrace.mark("open")
        queue.view.closeSearch()
        control.beginOpening()
        // A recording may still play in another window.
        app.keepPlaces()
        let former = control.session.queue.count
        control.act { $0.add(inputs, .replacing(at: index, isChosen: isChosen), startingAt: start) }
        if former > 1 { control.tell(.undoable("A queue of \(former) recordings was replaced.")) }
        revealQueue(count: inputs.count)
    }

    // MARK: Episodes

    /// Plays an episode, and then those in the library's queue.
    /// - Parameters:
    ///   - id: The episode.
    ///   - time: The position at which it begins, in seconds; `nil` for the stored position.
    func play(episode id: Int64, at time: Double? = nil) {
        // Store the positions first, because the episode may be playing in another window.
        app.keepPlaces()
        Task { [weak self, worker = app.library] in
            let found = await worker.use { library throws(PodcastError) in
                SavedState.positions.drain()
                return try EpisodeItem.list(from: id, in: library)
            }
            guard let self else { return }
            switch found {
            case .success(var items):
                items[0].chosenStart = time
                self.control.beginOpening()
                self.queue.view.closeSearch()
                self.control.act { $0.handle(.episodes(items, .replacing(at: 0, isChosen: true))) }
                self.revealQueue(count: items.count)
            case .failure(let error): self.onEpisodeFailure(PageState.Failure(error))
            }
        }
    }

    /// Adds an episode to the playing queue, after it was added to the library's queue.
    ///
    /// Only a queue of episodes follows the library's queue.
    func enqueue(episode id: Int64, _ placement: QueuePlacement) {
        guard control.session.episode != nil else { return }
        Task { [weak self, worker = app.library] in
            let found = await worker.use { library throws(PodcastError) in
                try EpisodeItem(library.episode(id), of: library)
            }
            guard let self, case .success(let item) = found else { return }
            self.control.act { player in
                let queue = player.session.queue
                if let index = queue.inputs.firstIndex(of: item.input), index != queue.index {
                    player.carryOut(.remove(index))
                }
                player.handle(.episodes([item], placement))
            }
        }
    }

    private func revealQueue(count: Int) {
        // A window that is not shown yet has no width.
        let width = window.width > 0 ? window.width : Double(app.saved.memory.window.width)
        if count > 1, width > 700 { queue.isShown = true }
    }
}
