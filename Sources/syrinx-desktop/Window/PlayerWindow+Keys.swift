import AVFAudio
import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPlayback
import SyrinxStreaming

extension PlayerWindow {
    /// Takes a key before the widgets do.
    /// - Returns: Whether it was used.
    func handleKey(_ key: String, _ character: Character?, _ modifiers: Modifiers) -> Bool {
        let name = Self.name(key, character, modifiers)
        let focused = window.focused
        let part = focused?.keyPart ?? .other
        if part != .popover, let isForward = Self.tabDirection(name) { return moveFocus(isForward: isForward) }
        let row = part == .listRow ? queueView.index(of: focused) : nil
        let focus: KeyFocus
        switch part {
        case .popover: return false
        case .text: focus = .text
        case .listRow:
            // Above the first row that a search has found is its entry.
            if let row, name == KeyName(key: "up"), queueView.isFirstFound(row) {
                queueView.openSearch()
                return true
            }
            focus = .list
        case .range: focus = recording.waveform.hasFocus ? .other : .slider
        // The arrows go back from the button of a row to the row.
        case .button where focused?.list != nil: focus = ["space", "enter"].contains(name.key) ? .button : .list
        // A window that opens gives the focus to its first button, of which the listener does not know.
        case .button: focus = name.key == "enter" || focused.map { $0 === tabFocus } == true ? .button : .other
        case .other: focus = .other
        }
        let page: PlayerPage = podcasts.isShown ? .podcasts : row == nil ? .playing : .queue
        guard let command = app.settings.bindings.command(for: name, on: page, focus: focus),
            !podcasts.isShown || command.worksOnEveryPage
        else { return false }
        if let row, case .face(let command) = command, carryOut(command, on: row) { return true }
        return carryOut(command, focus)
    }

    /// Moves the focus in the pane of effects from one control to the next: rows themselves have no effect.
    /// - Returns: Whether the key moves the focus.
    func passRows(_ key: String, _ character: Character?, _ modifiers: Modifiers) -> Bool {
        guard let isForward = Self.tabDirection(Self.name(key, character, modifiers)) else { return false }
        // A row, its control, and the next row's at most.
        for _ in 0..<3 {
            guard window.moveFocus(isForward: isForward) else { return false }
            guard window.focused?.isListRow == true else { return true }
        }
        return true
    }

    /// Returns whether a key moves the focus forward, or back; `nil` for any other key.
    private static func tabDirection(_ key: KeyName) -> Bool? {
        switch (key.key, key.modifiers) {
        case ("tab", []): true
        case ("tab", .shift), ("iso_left_tab", []), ("iso_left_tab", .shift): false
        default: nil
        }
    }

    /// Moves the focus to the next control: a list is one of them, whose rows the arrows go through.
    private func moveFocus(isForward: Bool) -> Bool {
        let wasInQueue = widgets.queue.list.containsFocus
        guard window.moveFocusPastList(isForward: isForward) else { return false }
        tabFocus = window.focused
        if !wasInQueue, widgets.queue.list.containsFocus { queueView.focusPlaying() }
        return true
    }

    private static func name(_ key: String, _ character: Character?, _ modifiers: Modifiers) -> KeyName {
        var held: KeyName.Modifiers = []
        if modifiers.contains(.control) { held.insert(.control) }
        if modifiers.contains(.alt) { held.insert(.alt) }
        if modifiers.contains(.shift) { held.insert(.shift) }
        return KeyName(gdk: key, character: character, held)
    }

    /// Carries out the command of a key.
    /// - Returns: Whether the window has it at present.
    private func carryOut(_ bound: BoundCommand, _ focus: KeyFocus) -> Bool {
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

    /// Carries out a command of the player that was given by a key.
    private func press(_ command: ListeningCommand) {
        switch command {
        // The waveform shows a position at once, and seeks when it is due.
        case .seek(.to(let time)): recording.waveform.handle(.jump(time))
        case .seek(.by(let seconds)): skip(seconds)
        case .skipForward: skip(forward: true)
        case .skipBack: skip(forward: false)
        case .previous: previous()
        case .toggle: togglePlayback()
        case .cyclePart: markLoop()
        case .shuffle, .loop: changeOrder(command)
        default: carryOut(command)
        }
    }

    /// Whether the page that is shown has the command.
    private func isPossible(_ command: ListeningCommand) -> Bool {
        switch command {
        case .shuffle, .loop, .reload: true
        // What cannot be opened does not hold up the queue.
        case .toggle: isPlayerShown || page.page == .loading || !player.session.queue.isEmpty
        case .next: isPlayerShown || page.page == .loading || showsError
        case .previous, .first, .last, .goTo: isPlayerShown || showsError
        default: isPlayerShown || command.isSound
        }
    }

    private var isPlayerShown: Bool { if case .player = page.page { true } else { false } }

    /// Shows a page, or the part of the window that has its place.
    private func show(_ page: PlayerPage) -> Bool {
        guard [.playing, .queue, .effects, .podcasts].contains(page) else { return false }
        if podcasts.isShown != (page == .podcasts) { podcasts.show(page == .podcasts) }
        switch page {
        case .queue: showPlayingRow()
        case .effects: widgets.soundButton.popUp()
        default: break
        }
        return true
    }

    private func carryOut(_ command: FaceCommand, _ focus: KeyFocus) -> Bool {
        switch command {
        case .openInput: askForAddress()
        case .openFiles: chooseFiles()
        case .openFolder: chooseFiles(folders: true)
        case .paste: paste()
        case .toggleQueue: toggleQueue()
        case .filter where podcasts.isShown, .search: activate("win.podcast-search")
        case .filter: searchQueue()
        case .subscribe: activate("win.podcast-add")
        case .refresh: activate("win.podcast-refresh-list")
        case .refreshAll: activate("win.podcast-refresh")
        case .newEpisodes: activate("win.podcast-inbox")
        case .filterEpisodes: activate("win.podcast-next-filter")
        case .reverseEpisodes: activate("win.podcast-reverse")
        case .markAllPlayed: activate("win.podcast-mark-all")
        case .undoMark: activate("win.podcast-undo-mark")
        case .clearQueue: clearQueue()
        case .undoQueue: act { $0.request(.undoQueueChange) }
        case .sleep: setSleep(SleepGoal.next(after: player.session.sleepGoal))
        case .outputs: return show(.effects)
        case .selectCurrent: showPlayingRow()
        case .fullScreen: window.isFullScreen.toggle()
        case .closeWindow: close()
        case .newWindow: app.openWindow().present()
        case .quit: app.quit()
        case .help: activate("win.show-help-overlay")
        case .back: return goBack(focus)
        default: return isPlayerShown && carryOutForPlayer(command)
        }
        return true
    }

    private func activate(_ action: String) { widgets.pages.activate(action) }

    private func goBack(_ focus: KeyFocus) -> Bool {
        // Escape in a field ends what is typed there.
        if podcasts.isShown { return focus != .text && podcasts.leave() }
        if queueView.closeSearch() { return true }
        recording.waveform.handle(.cancelled)
        guard window.isFullScreen else { return false }
        window.isFullScreen = false
        return true
    }

    private func carryOutForPlayer(_ command: FaceCommand) -> Bool {
        switch command {
        case .end: recording.waveform.handle(.jump(max(recording.waveform.interaction.viewport.lastTime - 5, 0)))
        case .undoSeek: recording.undoSeek()
        case .addBookmark: addBookmark()
        case .zoomIn: recording.waveform.handle(.zoom(2))
        case .zoomOut: recording.waveform.handle(.zoom(0.5))
        case .zoomWhole: recording.waveform.handle(.showWhole)
        case .spectrogram: toggleSpectrogram()
        default: return false
        }
        return true
    }

    /// Shows the value that a key has changed, if its control is not seen.
    private func show(_ command: ListeningCommand) {
        func tell(_ value: String, _ name: String) { perform(page.handle(.value(value, of: name))) }
        func tell(_ isOn: Bool, _ name: String) { tell(isOn ? "On" : "Off", name) }
        let isSeen = isPlayerShown && !podcasts.isShown
        let settings = player.session.settings
        switch command {
        case .rate, .multiplyRate: if !isSeen { tell(SliderScale.rateText(settings.rate), "Speed") }
        case .pitch: if !isSeen { tell(SliderScale.pitchText(settings.pitch), "Pitch") }
        case .volume, .mute: if !isSeen { tell(widgets.sound.volume.value.string("label"), "Volume") }
        case .balance: tell(SliderScale.balanceText(settings.tone.balance), "Balance")
        case .mono: tell(settings.tone.isMono, "Mono")
        case .equalizer: tell(EqualizerPreset.named(settings.tone.equalizer)?.name ?? "Custom", "Equalizer")
        case .smartSpeed: tell(settings.adaptive.smartSpeed != .off, "Smart Speed")
        case .voiceBoost: tell(settings.adaptive.boostsVoice, "Voice Boost")
        case .normalize: tell(settings.adaptive.normalization != nil, "Even Loudness")
        default: break
        }
    }
}
