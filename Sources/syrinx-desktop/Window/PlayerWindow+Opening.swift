import Foundation
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxMediaCodec
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
        // Opening clears the messages of before.
        defer { for problem in problems { warn(problem) } }
        guard !inputs.isEmpty else { return }
        let tracks = inputs.map { Track(source: $0) }
        if adds, queue.count > 0, page.page != .empty {
            queue.insert(tracks, at: min(place ?? queue.count, queue.count))
            return queueChanged()
        }
        replaceQueue(tracks)
        revealQueue(count: tracks.count)
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
        case .episode(let id): podcasts.playback.play(id)
        case .queue(let inputs, let index):
            let tracks = inputs.map { Track(source: $0) }
            startPlace = (tracks[index], entry.start(now: now))
            replaceQueue(tracks, keepsFirst: true, at: index)
            revealQueue(count: tracks.count)
        }
    }

    private func revealQueue(count: Int) {
        // Before the window is shown it has no width.
        let width = window.width > 0 ? window.width : Double(saved.memory.window.width)
        if count > 1, width > 700 { widgets.get("flap").set("reveal-flap", .bool(true)) }
    }

    private func warn(_ problem: SyrinxError) {
        let name = FilePath(location: problem.name)?.displayName ?? problem.name
        perform(page.handle(.warning("“\(name)”: \(problem.message)")))
    }

    // MARK: Playlists whose turn has come

    /// Reads the playlist that the current input is, and opens the first input that it names in its place.
    /// - Parameters:
    ///   - item: The number of the item.
    ///   - refusal: The error of playing the input, if its name does not say that it is a playlist.
    func expandCurrent(_ item: Int, after refusal: SyrinxError? = nil) {
        guard let track = queue.current?.element else { return }
        Task { [weak self, player] in
            let found = await player.expand(self?.withLogin(track.source) ?? track.source)
            guard let self, item == self.page.item, self.queue.current?.element == track else { return }
            switch found {
            case .success(let found):
                self.replaceCurrent(with: found.inputs.map { Track(source: $0) })
                self.openCurrent(item, plays: self.page.wantsPlayback)
                if let warning = found.warning { self.warn(warning) }
            // Of what is named as a list, the reason why it is none says more.
            case .failure(let error): self.fail(track.source.mayBeList ? error : refusal ?? error, item)
            }
        }
    }

    /// Returns a playlist with the name and the password for its server.
    private func withLogin(_ source: ListeningInput) -> ListeningInput {
        let url = app.logins.added(to: source.url)
        return source.isWeb && url != source.url ? ListeningInput(location: url.absoluteString) ?? source : source
    }

    /// Whether an input that is no recording may be a playlist all the same.
    func mayBePlaylist(_ error: SyrinxError) -> Bool {
        guard error.code == .notAudio, info == nil, let track = queue.current?.element else { return false }
        return !track.source.isList && track.episode == nil
    }

    private func replaceCurrent(with tracks: [Track]) {
        queue.replace(at: queue.currentIndex, with: tracks)
        if order.isShuffled {
            var generator = SystemRandomNumberGenerator()
            queue.shuffle(queue.currentIndex + 1..<queue.currentIndex + tracks.count, using: &generator)
        }
        revealQueue(count: tracks.count)
    }
}
