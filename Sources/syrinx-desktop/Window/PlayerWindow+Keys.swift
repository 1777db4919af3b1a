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
        let stroke = Self.stroke(key, character, modifiers)
        let focused = window.focused
        let part = focused?.keyPart ?? .other
        if part != .popover, let isForward = Self.tabDirection(stroke) { return moveFocus(isForward: isForward) }
        if part == .listRow, let row = queueView.index(of: focused),
            handleQueueKey(stroke, row)
        {
            return true
        }
        let focus: KeyFocus
        switch part {
        case .popover: return false
        case .text: focus = .text
        case .listRow: focus = .list
        case .range: focus = recording.waveform.hasFocus ? .other : .slider
        // The arrows go back from the button of a row to the row.
        case .button where focused?.list != nil: focus = ["space", "Return"].contains(stroke.key) ? .button : .list
        // A window that opens gives the focus to its first button, of which the listener does not know.
        case .button: focus = stroke.key == "Return" || focused.map { $0 === tabFocus } == true ? .button : .other
        case .other: focus = .other
        }
        guard let action = Shortcuts.action(for: stroke, focus: focus) else { return false }
        // The page of podcasts has keys of its own.
        if podcasts.isShown, !action.worksOnEveryPage { return false }
        return handle(action)
    }

    /// Moves the focus in the pane of effects from one control to the next: rows themselves have no effect.
    /// - Returns: Whether the key moves the focus.
    func passRows(_ key: String, _ character: Character?, _ modifiers: Modifiers) -> Bool {
        guard let isForward = Self.tabDirection(Self.stroke(key, character, modifiers)) else { return false }
        // A row, its control, and the next row's at most.
        for _ in 0..<3 {
            guard window.moveFocus(isForward: isForward) else { return false }
            guard window.focused?.isListRow == true else { return true }
        }
        return true
    }

    /// Returns whether a key moves the focus forward, or back; `nil` for any other key.
    private static func tabDirection(_ stroke: KeyStroke) -> Bool? {
        switch stroke {
        case KeyStroke("Tab"): true
        case KeyStroke("Tab", .shift), KeyStroke("ISO_Left_Tab"), KeyStroke("ISO_Left_Tab", .shift): false
        default: nil
        }
    }

    /// Moves the focus to the next control: a list is one of them, whose rows the arrows go through.
    private func moveFocus(isForward: Bool) -> Bool {
        let wasInQueue = widgets.get("queueList").containsFocus
        guard window.moveFocusPastList(isForward: isForward) else { return false }
        tabFocus = window.focused
        if !wasInQueue, widgets.get("queueList").containsFocus { queueView.focusPlaying() }
        return true
    }

    private static func stroke(_ key: String, _ character: Character?, _ modifiers: Modifiers) -> KeyStroke {
        var held: KeyModifiers = []
        if modifiers.contains(.control) { held.insert(.control) }
        if modifiers.contains(.alt) { held.insert(.alt) }
        guard let character else {
            if modifiers.contains(.shift) { held.insert(.shift) }
            let name = key.hasPrefix("KP_") ? String(key.dropFirst(3)) : key
            return KeyStroke(name == "Enter" ? "Return" : name, held)
        }
        let hasShift = modifiers.contains(.shift)
        if character.isLetter, hasShift, !held.isEmpty { held.insert(.shift) }
        return KeyStroke(hasShift && held.isEmpty ? String(character) : character.lowercased(), held)
    }

    /// Carries out what a key means.
    /// - Returns: Whether it means something at present.
    private func handle(_ action: ShortcutAction) -> Bool {
        if carryOutForWindow(action) || carryOutForSound(action) { return true }
        guard case .player = page.page else {
            // What cannot be opened does not hold up the queue.
            switch action {
            case .togglePlayback where page.page == .loading: togglePlayback()
            case .nextItem where page.page == .loading || showsError: carryOut(.next(isWeak: true))
            case .previousItem where showsError: previous()
            default: return false
            }
            return true
        }
        return carryOutForPlayer(action)
    }

    private func carryOutForWindow(_ action: ShortcutAction) -> Bool {
        switch action {
        case .open: chooseFiles()
        case .openAddress: askForAddress()
        case .paste: paste()
        case .queue: toggleQueue()
        case .searchQueue: searchQueue()
        case .toPlaying: showPlayingRow()
        case .repetition: changeOrder(.loop)
        case .shuffle: changeOrder(.shuffle)
        case .effects: widgets.get("soundButton").popUp()
        case .fullscreen: window.isFullScreen.toggle()
        case .reload: carryOut(.reload)
        case .closeWindow: close()
        case .newWindow: app.openWindow().present()
        case .quit: app.quit()
        case .shortcuts: widgets.get("pages").activate("win.show-help-overlay")
        case .escape:
            if queueView.closeSearch() { return true }
            recording.waveform.handle(.cancelled)
            guard window.isFullScreen else { return false }
            window.isFullScreen = false
        default: return false
        }
        return true
    }

    private func carryOutForPlayer(_ action: ShortcutAction) -> Bool {
        switch action {
        case .togglePlayback: togglePlayback()
        case .skip(let seconds): skip(seconds)
        case .skipBack: skip(forward: false)
        case .skipForward: skip(forward: true)
        case .start: recording.waveform.handle(.jump(0))
        case .end: recording.waveform.handle(.jump(max(recording.waveform.interaction.viewport.lastTime - 5, 0)))
        case .undoSeek: recording.undoSeek()
        case .previousChapter: carryOut(.previousChapter)
        case .nextChapter: carryOut(.nextChapter)
        case .previousItem: previous()
        case .nextItem: carryOut(.next(isWeak: true))
        case .loop: markLoop()
        case .bookmark: addBookmark()
        case .zoom(let factor): recording.waveform.handle(.zoom(factor))
        case .zoomWhole: recording.waveform.handle(.showWhole)
        case .spectrogram: toggleSpectrogram()
        default: return false
        }
        return true
    }

    /// Changes speed, pitch or volume, and says so where their sliders are not seen.
    private func carryOutForSound(_ action: ShortcutAction) -> Bool {
        guard action.isSound else { return false }
        switch action {
        case .rate(let steps): carryOut(.rate(.to(steppedRate(by: Double(steps) * 0.25))))
        case .multiplyRate(let factor): carryOut(.multiplyRate(factor))
        case .normalRate: carryOut(.rate(.to(1)))
        case .pitch(let semitones): carryOut(.pitch(.by(Double(semitones) * 100)))
        case .normalPitch: carryOut(.pitch(.to(0)))
        case .volume(let hundredths): carryOut(.volume(.by(Double(hundredths) / 100)))
        default: carryOut(.mute)
        }
        if case .player = page.page, !podcasts.isShown { return true }
        switch action {
        case .pitch, .normalPitch:
            perform(page.handle(.value(SliderScale.pitchText(player.session.settings.pitch), of: "Pitch")))
        case .volume, .mute: perform(page.handle(.value(widgets.get("volumeValue").string("label"), of: "Volume")))
        default: perform(page.handle(.value(SliderScale.rateText(player.session.settings.rate), of: "Speed")))
        }
        return true
    }

    /// Returns the rate after a key: keys stop at the ends of the slider.
    private func steppedRate(by step: Double) -> Double {
        let rate = player.session.settings.rate
        return min(max(rate + step, min(0.25, rate)), max(4, rate))
    }
}
