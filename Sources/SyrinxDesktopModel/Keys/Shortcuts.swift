package import SyrinxListening

/// The part of the window that has the keyboard.
public enum KeyFocus: Sendable, Equatable {
    /// A text is typed: keys without Control or Alt belong to it.
    case text
    /// A list: arrow keys and Enter belong to it.
    case list
    /// A button: the space bar and Enter press it.
    case button
    /// A slider: arrow keys belong to it.
    case slider
    /// Anything else.
    case other
}

extension KeyBindings {
    /// Returns the command of a key in the window.
    ///
    /// The space bar plays or pauses, unless a text is typed or a button has the focus.
    /// - Parameters:
    ///   - key: The key.
    ///   - page: The page with the focus: `playing` for the player beside the queue.
    ///   - focus: The part of the window that has the keyboard.
    /// - Returns: The command, or `nil` if the key belongs to that part or has no command.
    package func command(for key: KeyName, on page: PlayerPage, focus: KeyFocus) -> BoundCommand? {
        guard let command = command(for: key, on: page) else { return nil }
        if key.key == "escape" { return command }
        let isPlain = key.modifiers.isDisjoint(with: [.control, .alt])
        let isTaken =
            switch focus {
            case .other: false
            case .text: isPlain ? !key.isFunction : Self.editing.contains(key)
            case .list: isPlain && (Self.moving.contains(key.key) || key.key == "enter")
            case .button: key == KeyName(key: "space") || key == KeyName(key: "enter")
            case .slider: isPlain && Self.moving.contains(key.key)
            }
        return isTaken ? nil : command
    }

    /// Returns the keys of a command for menus: those that type nothing, as GTK writes them.
    package func accelerators(of command: BoundCommand) -> [String] {
        let keys = keys(for: command, in: .podcasts) + keys(for: command, in: .player)
        let shown = keys.filter { $0.isFunction || !$0.modifiers.isDisjoint(with: [.control, .alt]) }
        return shown.map(\.accelerator)
    }

    private static let moving: Set<String> = ["left", "right", "up", "down", "home", "end", "pageup", "pagedown"]
    /// The keys with Control or Alt that a text field has itself.
    private static let editing = Set(
        ["ctrl+v", "ctrl+c", "ctrl+left", "ctrl+right", "ctrl+backspace", "ctrl+z"].compactMap(KeyName.init)
    )
}

extension BoundCommand {
    /// Whether the window has the command on the page of podcasts too.
    package var worksOnEveryPage: Bool {
        switch self {
        case .listening(let command): command.isSound
        case .page: true
        case .face(let command):
            switch command {
            case .openInput, .openFiles, .openFolder, .newWindow, .fullScreen, .closeWindow, .quit, .help, .back,
                .subscribe, .refresh, .refreshAll, .search, .filter, .outputs:
                true
            default: false
            }
        }
    }
}

extension ListeningCommand {
    /// Whether the command changes the sound, also that of the next recording.
    package var isSound: Bool {
        switch self {
        case .rate, .multiplyRate, .pitch, .volume, .mute, .balance, .mono, .equalizer, .smartSpeed, .voiceBoost,
            .normalize:
            true
        case .pause, .resume, .toggle, .stop, .next, .previous, .first, .last, .goTo, .reload, .seek, .skipForward,
            .skipBack, .repeatPart, .cyclePart, .chapter, .nextChapter, .previousChapter, .forgetSettings, .effect,
            .addEffect, .removeEffect, .moveEffect, .language, .audioTrack, .output, .enqueue, .remove, .move, .clear,
            .shuffle, .loop, .openPlaylist, .savePlaylist, .favorite, .record, .live:
            false
        }
    }
}
