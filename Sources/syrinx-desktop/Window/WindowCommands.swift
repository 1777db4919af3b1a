import AVFAudio
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPlayback
import SyrinxStreaming

/// The commands of a window, which keys, menus and buttons give.
@MainActor
final class WindowCommands {
    private unowned let app: DesktopApp
    private let window: Window
    private let widgets: WindowWidgets
    private let parts: WindowParts
    /// The window of all bookmarks, while it is open.
    private var allBookmarks: AllBookmarksWindow?
    private var control: PlayerControl { parts.control }
    private var waveform: WaveformView { parts.recording.waveform }

    /// The actions whose keys menus show.
    static let actions: [(action: String, command: BoundCommand)] = [
        ("app.new-window", .face(.newWindow)), ("app.quit", .face(.quit)), ("win.open-folder", .face(.openFolder)),
        ("win.podcasts", .page(.podcasts)), ("win.podcast-add", .face(.subscribe)),
        ("win.podcast-refresh", .face(.refreshAll)), ("win.podcast-search", .face(.search)),
    ]

    /// Adds the actions of a window's menus and buttons.
    init(_ app: DesktopApp, _ window: Window, _ widgets: WindowWidgets, _ parts: WindowParts) {
        (self.app, self.window, self.widgets, self.parts) = (app, window, widgets, parts)
        addActions()
    }

    private func addActions() {
        func add(_ name: String, _ action: @escaping @MainActor (WindowCommands) -> Void) {
            window.addAction(name) { [weak self] in self.map(action) }
        }
        add("open") { $0.parts.dialogs.chooseFiles() }
        add("open-folder") { $0.parts.dialogs.chooseFiles(folders: true) }
        add("open-address") { $0.parts.dialogs.askForAddress() }
        add("paste") { $0.parts.dialogs.paste() }
        add("retry") { $0.control.carryOut(.reload) }
        add("toggle") { $0.togglePlayback() }
        add("skip-back") { $0.parts.playing.skip(forward: false) }
        add("skip-forward") { $0.parts.playing.skip(forward: true) }
        add("previous") { $0.parts.playing.previous() }
        add("next") { $0.control.carryOut(.next(isWeak: true)) }
        add("close-item") { $0.control.carryOut(.stop) }
        add("show-whole") { $0.waveform.handle(.showWhole) }
        window.addToggle("spectrogram", isOn: waveform.showsSpectrogram) { [weak self] in self?.toggleSpectrogram() }
        add("remove-item") { $0.parts.queue.removeChosen() }
        add("queue-play-next") { $0.parts.queue.playChosenNext() }
        add("queue-show-file") { $0.showChosenFile() }
        add("queue-to-playing") { $0.parts.queue.showPlaying() }
        add("queue-clear") { $0.parts.queue.clear() }
        add("queue-undo") { $0.control.request(.undoQueueChange) }
        add("forget-settings") { $0.control.carryOut(.forgetSettings) }
        add("all-bookmarks") { $0.showAllBookmarks() }
        for index in 0..<TrackMenu.count { add("track-\(index)") { $0.control.carryOut(.audioTrack(index)) } }
        for minutes in [15, 30, 45, 60] { add("sleep-\(minutes)") { $0.setSleep(.time(Double(minutes) * 60)) } }
        add("sleep-chapter") { $0.setSleep(.endOfChapter) }
        add("sleep-item") { $0.setSleep(.endOfItem) }
        add("sleep-off") { $0.setSleep(nil) }
        for index in 0..<RecentPlaces.count { add("recent-\(index)") { $0.openRecent(index) } }
    }

    // MARK: Commands of keys

    /// Performs the command of a key.
    /// - Returns: Whether the window has it at present.
    func carryOut(_ bound: BoundCommand, _ focus: KeyFocus) -> Bool {
        switch bound {
        case .face(let command): return carryOut(command, focus)
        case .page(let page): return show(page)
        case .listening(let command):
            guard isPossible(command) else { return false }
            press(command)
            show(command)
            return true
        }
    }

    /// Performs a player command of a key.
    private func press(_ command: ListeningCommand) {
        switch command {
        // The waveform shows the new position immediately, and requests the seek later.
        case .seek(.to(let time)): waveform.handle(.jump(time))
        case .seek(.by(let seconds)): parts.playing.skip(seconds)
        case .skipForward: parts.playing.skip(forward: true)
        case .skipBack: parts.playing.skip(forward: false)
        case .previous: parts.playing.previous()
        case .toggle: togglePlayback()
        case .cyclePart: markLoop()
        case .shuffle, .loop: changeOrder(command)
        default: control.carryOut(command)
        }
    }

    /// Whether the page that is shown has the command.
    private func isPossible(_ command: ListeningCommand) -> Bool {
        let (isPlayerShown, isLoading) = (control.isPlayerShown, control.page.page == .loading)
        return switch command {
        case .shuffle, .loop, .reload: true
        // What cannot be opened does not hold up the queue.
        case .toggle: isPlayerShown || isLoading || !control.session.queue.isEmpty
        case .next: isPlayerShown || isLoading || control.showsError
        case .previous, .first, .last, .goTo: isPlayerShown || control.showsError
        default: isPlayerShown || command.isSound
        }
    }

    /// Shows a page, or the part of the window that has its place.
    private func show(_ page: PlayerPage) -> Bool {
        guard [.playing, .queue, .effects, .podcasts].contains(page) else { return false }
        if parts.podcasts.isShown != (page == .podcasts) { parts.podcasts.show(page == .podcasts) }
        switch page {
        case .queue: parts.queue.showPlaying()
        case .effects: widgets.header.soundButton.popUp()
        default: break
        }
        return true
    }

    private func carryOut(_ command: FaceCommand, _ focus: KeyFocus) -> Bool {
        switch command {
        case .openInput: parts.dialogs.askForAddress()
        case .openFiles: parts.dialogs.chooseFiles()
        case .openFolder: parts.dialogs.chooseFiles(folders: true)
        case .paste: parts.dialogs.paste()
        case .toggleQueue: parts.queue.isShown.toggle()
        case .filter where parts.podcasts.isShown, .search: activate("win.podcast-search")
        case .filter: parts.queue.search()
        case .subscribe: activate("win.podcast-add")
        case .refresh: activate("win.podcast-refresh-list")
        case .refreshAll: activate("win.podcast-refresh")
        case .newEpisodes: activate("win.podcast-inbox")
        case .filterEpisodes: activate("win.podcast-next-filter")
        case .reverseEpisodes: activate("win.podcast-reverse")
        case .markAllPlayed: activate("win.podcast-mark-all")
        case .undoMark: activate("win.podcast-undo-mark")
        case .clearQueue: parts.queue.clear()
        case .undoQueue: control.request(.undoQueueChange)
        case .sleep: setSleep(SleepGoal.next(after: control.session.sleepGoal))
        case .outputs: return show(.effects)
        case .selectCurrent: parts.queue.showPlaying()
        case .fullScreen: window.isFullScreen.toggle()
        case .closeWindow: window.close()
        case .newWindow: app.openWindow().present()
        case .quit: app.quit()
        case .help: activate("win.show-help-overlay")
        case .back: return goBack(focus)
        default: return control.isPlayerShown && carryOutForPlayer(command)
        }
        return true
    }

    private func activate(_ action: String) { widgets.pages.activate(action) }

    private func goBack(_ focus: KeyFocus) -> Bool {
        // Escape in a text field ends the input there.
        if parts.podcasts.isShown { return focus != .text && parts.podcasts.leave() }
        if parts.queue.view.closeSearch() { return true }
        waveform.handle(.cancelled)
        guard window.isFullScreen else { return false }
        window.isFullScreen = false
        return true
    }

    private func carryOutForPlayer(_ command: FaceCommand) -> Bool {
        switch command {
        case .end: waveform.handle(.jump(max(waveform.interaction.viewport.lastTime - 5, 0)))
        case .undoSeek: parts.recording.undoSeek()
        case .addBookmark: parts.bookmarks.add()
        case .zoomIn: waveform.handle(.zoom(2))
        case .zoomOut: waveform.handle(.zoom(0.5))
        case .zoomWhole: waveform.handle(.showWhole)
        case .spectrogram: toggleSpectrogram()
        default: return false
        }
        return true
    }

    /// Shows the value that a key has changed, if its control is not seen.
    private func show(_ command: ListeningCommand) {
        func tell(_ value: String, _ name: String) { control.tell(.value(value, of: name)) }
        func tell(_ isOn: Bool, _ name: String) { tell(isOn ? "On" : "Off", name) }
        let isSeen = control.isPlayerShown && !parts.podcasts.isShown
        let settings = control.session.settings
        switch command {
        case .rate, .multiplyRate: if !isSeen { tell(SliderScale.rateText(settings.rate), "Speed") }
        case .pitch: if !isSeen { tell(SliderScale.pitchText(settings.pitch), "Pitch") }
        case .volume, .mute: if !isSeen { tell(SliderScale.volumeText(settings.gain), "Volume") }
        case .balance: tell(SliderScale.balanceText(settings.tone.balance), "Balance")
        case .mono: tell(settings.tone.isMono, "Mono")
        case .equalizer: tell(EqualizerPreset.named(settings.tone.equalizer)?.name ?? "Custom", "Equalizer")
        case .smartSpeed: tell(settings.adaptive.smartSpeed != .off, "Smart Speed")
        case .voiceBoost: tell(settings.adaptive.boostsVoice, "Voice Boost")
        case .normalize: tell(settings.adaptive.normalization != nil, "Even Loudness")
        default: break
        }
    }

    // MARK: Commands of several parts

    /// Plays or pauses; on an empty window asks for a file.
    private func togglePlayback() {
        if control.page.page == .empty, control.session.queue.isEmpty {
            parts.dialogs.chooseFiles()
        } else {
            control.carryOut(.toggle)
        }
    }

    /// Marks the start of a part that is repeated, then its end, then ends the repetition.
    private func markLoop() {
        control.carryOut(.cyclePart)
        let part = control.session.repetition
        let text =
            switch (part.start, part.end) {
            case (let start?, let end?): "Repeating \(TimeText.clock(start)) to \(TimeText.clock(end))"
            case (let start?, nil): "Repeating from \(TimeText.clock(start)): press l again at the end"
            default: "No longer repeating"
            }
        control.tell(.warning(text))
    }

    /// Changes the order by a key, and shows a message: the buttons may be hidden.
    private func changeOrder(_ command: ListeningCommand) {
        control.carryOut(command)
        let text =
            command == .shuffle
            ? control.session.queue.isShuffled ? "Shuffle is on" : "Shuffle is off"
            : control.session.settings.loop.message
        control.tell(.warning(text))
    }

    /// Sets the sleep timer and shows a message.
    private func setSleep(_ goal: SleepGoal?) {
        control.request(.setSleep(goal))
        parts.playing.showSleep()
        control.tell(.value(goal.map(TimeText.sleep) ?? "Off", of: "Sleep timer"))
    }

    /// Shows the spectrogram in place of the waveform, or the waveform again.
    private func toggleSpectrogram() {
        waveform.showsSpectrogram.toggle()
        app.saved.showsSpectrogram = waveform.showsSpectrogram
        window.setToggle("spectrogram", waveform.showsSpectrogram)
    }

    /// Shows the file of the row whose menu was opened, in the program for files.
    private func showChosenFile() {
        guard let file = parts.queue.chosenFile else { return }
        app.application.showFile(file.url.absoluteString, folder: file.folder.url.absoluteString, window)
    }

    /// Lists the bookmarks of all recordings.
    private func showAllBookmarks() {
        let actions = AllBookmarksWindow.Actions { [weak self] input, time in
            self?.parts.opener.open(input, at: time)
        } changed: { [weak self] key in
            guard let self else { return }
            self.parts.bookmarks.changed(of: key)
            self.app.bookmarksChanged(of: key, by: self.parts.bookmarks)
        } failed: { [weak self] in
            self?.control.tell(.warning($0))
        }
        allBookmarks = AllBookmarksWindow(window, actions) { [weak self] in self?.allBookmarks = nil }
    }

    private func openRecent(_ index: Int) {
        let inputs = parts.recent.inputs
        if inputs.indices.contains(index) { parts.opener.open([inputs[index]]) }
    }
}
