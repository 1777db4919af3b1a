import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPlayback
import SyrinxStreaming

extension PlayerWindow {
    /// The actions whose keys menus show.
    static let actions: [(action: String, command: BoundCommand)] = [
        ("app.new-window", .face(.newWindow)), ("app.quit", .face(.quit)), ("win.open-folder", .face(.openFolder)),
        ("win.podcasts", .page(.podcasts)), ("win.podcast-add", .face(.subscribe)),
        ("win.podcast-refresh", .face(.refreshAll)), ("win.podcast-search", .face(.search)),
    ]

    func addActions() {
        func add(_ name: String, _ action: @escaping @MainActor (PlayerWindow) -> Void) {
            window.addAction(name) { [weak self] in self.map(action) }
        }
        add("open") { $0.chooseFiles() }
        add("open-folder") { $0.chooseFiles(folders: true) }
        add("open-address") { $0.askForAddress() }
        add("paste") { $0.paste() }
        add("retry") { $0.perform($0.page.handle(.retry)) }
        add("toggle") { $0.perform($0.page.handle(.togglePlayback)) }
        add("skip-back") { $0.skip(forward: false) }
        add("skip-forward") { $0.skip(forward: true) }
        add("previous") { $0.previous() }
        add("next") { $0.next() }
        add("close-item") { $0.perform($0.page.handle(.closedItem)) }
        add("close") { $0.close() }
        add("queue") { $0.toggleQueue() }
        add("full-screen") { $0.window.isFullScreen.toggle() }
        add("zoom-in") { $0.waveform.handle(.zoom(2)) }
        add("zoom-out") { $0.waveform.handle(.zoom(0.5)) }
        add("show-whole") { $0.waveform.handle(.showWhole) }
        window.addToggle("spectrogram", isOn: waveform.showsSpectrogram) { [weak self] in
            self?.toggleSpectrogram()
        }
        add("remove-item") { $0.removeChosen() }
        add("queue-play-next") { $0.playChosenNext() }
        add("queue-show-file") { $0.showChosenFile() }
        add("queue-to-playing") { $0.showPlayingRow() }
        add("queue-clear") { $0.carryOut(ListeningCommand.clear) }
        for index in 0..<Self.recentCount { add("recent-\(index)") { $0.openRecent(index) } }
    }

    /// Shows the spectrogram in place of the waveform, or the waveform again.
    func toggleSpectrogram() {
        waveform.showsSpectrogram.toggle()
        saved.showsSpectrogram = waveform.showsSpectrogram
        window.setToggle("spectrogram", waveform.showsSpectrogram)
    }

    /// Skips by seconds.
    func skip(_ seconds: Double) {
        if case .player = page.page { waveform.handle(.step(seconds)) }
    }

    /// Skips by the seconds of the podcast, or else of the settings.
    func skip(forward: Bool) {
        let seconds = skipSeconds(forward: forward)
        skip(forward ? seconds : -seconds)
    }

    private func skipSeconds(forward: Bool) -> Double {
        podcasts.playback.skipInterval(forward: forward)
            ?? (forward ? app.settings.skips.forward : app.settings.skips.back)
    }

    /// Shows on the buttons how far they skip.
    func showSkipIntervals() {
        for (name, key, isForward) in [("skipBack", "Left", false), ("skipForward", "Right", true)] {
            let description = SkipButton(seconds: skipSeconds(forward: isForward), isForward: isForward)
            let button = widgets.get(name)
            button.set("icon-name", .string(description.icon))
            button.tooltip = "\(description.label) (\(key))"
            button.setAccessibleLabel(description.label)
        }
    }

    /// Ends the recording where its outro begins, unless a part is repeated.
    func endAtOutro() {
        guard page.page == .player(.playing), !waveform.interaction.isScrubbing,
            loop.start == nil || loop.end == nil, podcasts.playback.reached(player.time)
        else { return }
        finishItem()
    }

    /// Ends the recording as if it had been played to its end.
    func finishItem() {
        switch order.end(of: queue.currentIndex, count: queue.count) {
        case .again: beginAgain()
        case .go(let index):
            keep(progress?.ended(at: now))
            go(to: index)
            isAdvanceUntold = true
        case .stop:
            keep(progress?.ended(at: now))
            remember()
            guard let duration = info?.duration else { return }
            // The player ends by itself there.
            do { try player.streamer.seek(to: duration) } catch { player.streamer.pause() }
        }
    }

    /// Forgets what belongs to the recording that was open.
    func forgetRecording() {
        info = nil
        isOpenedAgain = false
        chapters = ChapterList()
        bookmarks = BookmarkList()
        progress = nil
        loop = ABLoop()
        seekUndo.clear()
        waveform.reset(.unknown)
    }

    /// Goes to the next recording of the queue.
    func next() {
        if let index = order.next(after: queue.currentIndex, count: queue.count) { go(to: index) }
    }

    /// Goes to the start of the recording, or to the one before if it has just begun.
    func previous() {
        let former = order.previous(before: queue.currentIndex, count: queue.count)
        if waveform.position <= 3, let former {
            go(to: former)
        } else {
            waveform.handle(.jump(0))
        }
    }

    /// Whether a recording could not be opened.
    var showsError: Bool { if case .error = page.page { true } else { false } }

    /// Opens a recording of the queue, which plays if one was to be heard.
    func go(to index: Int) {
        let plays = page.wantsPlayback || page.page == .player(.ended) || showsError
        order.began(index, after: queue.currentIndex)
        queue.move(to: index)
        guard let track = queue.current?.element else { return }
        perform(page.handle(.opened(name: track.title, plays: plays)))
    }

    /// Asks for files, or for a folder.
    func chooseFiles(folders: Bool = false) {
        window.chooseFiles(
            folders ? "Open Folder" : "Open Recordings",
            folders: folders,
            filters: folders
                ? []
                : [
                    (
                        "Recordings and Playlists",
                        [
                            "audio/*", "video/*", "application/ogg", "application/xspf+xml",
                            "application/vnd.apple.mpegurl",
                        ]
                    ),
                    ("All Files", ["*/*"]),
                ]
        ) { [weak self] urls in self?.open(urls.compactMap(ListeningInput.init(location:))) }
    }

    /// Opens what the clipboard holds: addresses or paths.
    func paste() {
        window.readClipboard { [weak self] text in
            guard let self else { return }
            let list = DropList(text: text ?? "")
            // A host without a scheme, as browsers take it.
            if list.entries.isEmpty, let text, AddressAttempt(typed: text) != nil {
                self.askForAddress(text)
            } else if list.entries.isEmpty, list.refusals.isEmpty {
                self.perform(self.page.handle(.warning("The clipboard holds no address.")))
            } else {
                self.take(list, on: .player)
            }
        }
    }

    /// Asks for an address.
    /// - Parameter address: One that is tried at once; `nil` lets the listener type one.
    func askForAddress(_ address: String? = nil) {
        guard addressDialog == nil else { return }
        addressDialog = AddressDialog(app, parent: window) { [weak self] in
            self?.open([$0])
        } didClose: { [weak self] in
            self?.addressDialog = nil
        }
        if let address { addressDialog?.open(address) }
    }

    /// Asks for the name and the password that a server wants, and tries again.
    func askForLogin(of input: ListeningInput) {
        guard addressDialog == nil else { return }
        addressDialog = AddressDialog(app, parent: window, refused: input) { [weak self] _ in
            guard let self else { return }
            self.perform(self.page.handle(.retry))
        } didClose: { [weak self] in
            self?.addressDialog = nil
        }
    }
}
