import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening

/// The keys of a window: finds the command of a key according to the focus, before widgets handle the key.
@MainActor
final class WindowKeys {
    private let settings: FaceSettings
    private let window: Window
    private let queue: QueuePane
    private let queueList: Widget
    private let parts: WindowParts
    private let commands: WindowCommands
    /// The control to which the Tab key has moved the focus last.
    private var tabFocus: Widget?

    /// Handles the keys of a window.
    /// - Parameters:
    ///   - settings: The keys of the user.
    ///   - window: The window.
    ///   - widgets: Its widgets.
    ///   - parts: The parts that have lists and the waveform.
    ///   - commands: Receives the commands.
    init(
        _ settings: FaceSettings,
        _ window: Window,
        _ widgets: WindowWidgets,
        _ parts: WindowParts,
        _ commands: WindowCommands
    ) {
        (self.settings, self.window, self.parts, self.commands) = (settings, window, parts, commands)
        (queue, queueList) = (parts.queue, widgets.queue.list)
        window.onKey { [weak self] in self?.take($0, $1, $2) ?? false }
        widgets.sound.pane.onKey { [weak self] in self?.passRows($0, $1, $2) ?? false }
    }

    /// Handles a key before the widgets do.
    /// - Returns: Whether it was used.
    private func take(_ key: String, _ character: Character?, _ modifiers: Modifiers) -> Bool {
        let name = Self.name(key, character, modifiers)
        let focused = window.focused
        let part = focused?.keyPart ?? .other
        if part != .popover, let isForward = Self.tabDirection(name) { return moveFocus(isForward: isForward) }
        let row = part == .listRow ? queue.view.index(of: focused) : nil
        let focus: KeyFocus
        switch part {
        case .popover: return false
        case .text: focus = .text
        case .listRow:
            // Above the first row that a search has found is its entry.
            if let row, name == KeyName(key: "up"), queue.view.isFirstFound(row) {
                queue.view.openSearch()
                return true
            }
            focus = .list
        case .range: focus = parts.recording.waveform.hasFocus ? .other : .slider
        // The arrows go back from the button of a row to the row.
        case .button where focused?.list != nil: focus = ["space", "enter"].contains(name.key) ? .button : .list
        // A window that opens gives the focus to its first button, of which the listener does not know.
        case .button: focus = name.key == "enter" || focused.map { $0 === tabFocus } == true ? .button : .other
        case .other: focus = .other
        }
        let isPodcasts = parts.podcasts.isShown
        let page: PlayerPage = isPodcasts ? .podcasts : row == nil ? .playing : .queue
        guard let command = settings.bindings.command(for: name, on: page, focus: focus),
            !isPodcasts || command.worksOnEveryPage
        else { return false }
        if let row, case .face(let command) = command, queue.carryOut(command, on: row, focused) { return true }
        return commands.carryOut(command, focus)
    }

    /// Moves the focus in the pane of effects from one control to the next: rows themselves have no effect.
    /// - Returns: Whether the key moves the focus.
    private func passRows(_ key: String, _ character: Character?, _ modifiers: Modifiers) -> Bool {
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
        let wasInQueue = queueList.containsFocus
        guard window.moveFocusPastList(isForward: isForward) else { return false }
        tabFocus = window.focused
        if !wasInQueue, queueList.containsFocus { queue.view.focusPlaying() }
        return true
    }

    private static func name(_ key: String, _ character: Character?, _ modifiers: Modifiers) -> KeyName {
        var held: KeyName.Modifiers = []
        if modifiers.contains(.control) { held.insert(.control) }
        if modifiers.contains(.alt) { held.insert(.alt) }
        if modifiers.contains(.shift) { held.insert(.shift) }
        return KeyName(gdk: key, character: character, held)
    }
}
