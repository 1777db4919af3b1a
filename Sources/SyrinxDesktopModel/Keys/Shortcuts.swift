/// The keys that are held down besides another one.
public struct KeyModifiers: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int

    /// Creates a set of bits.
    /// - Parameter rawValue: The bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Control.
    public static let control = KeyModifiers(rawValue: 1)
    /// Shift.
    ///
    /// A character that needs it, such as `?`, is given without it.
    public static let shift = KeyModifiers(rawValue: 2)
    /// Alt.
    public static let alt = KeyModifiers(rawValue: 4)
}

/// A key with its modifiers.
public struct KeyStroke: Sendable, Hashable {
    /// The name of the key as GDK has it (`space`, `Left`, `Page_Up`), or the one character that it types.
    public var key: String
    /// The modifiers.
    public var modifiers: KeyModifiers

    /// Creates a key stroke.
    /// - Parameters:
    ///   - key: The name or the character; letters with Shift and another modifier are small.
    ///   - modifiers: The modifiers; none by default.
    public init(_ key: String, _ modifiers: KeyModifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }

    /// The text for `gtk_accelerator_parse` and a window of shortcuts, such as `<Control>o`.
    public var accelerator: String {
        let marks = [(KeyModifiers.control, "<Control>"), (.alt, "<Alt>"), (.shift, "<Shift>")]
        // GTK shows small and capital letters alike.
        let isCapital = key.count == 1 && key.first?.isUppercase == true
        let modifiers = isCapital ? self.modifiers.union(.shift) : self.modifiers
        let name = isCapital ? key.lowercased() : Self.names[key] ?? key
        return marks.filter { modifiers.contains($0.0) }.map(\.1).joined() + name
    }

    /// The names that GDK has for characters.
    private static let names = [
        "[": "bracketleft", "]": "bracketright", "{": "braceleft", "}": "braceright", "<": "less", ">": "greater",
        "?": "question", "+": "plus", "-": "minus", "=": "equal", "*": "asterisk", ",": "comma", "_": "underscore",
        "#": "numbersign", "/": "slash",
    ]
}

/// An effect of a key.
public enum ShortcutAction: Sendable, Hashable {
    /// Plays or pauses.
    case togglePlayback
    /// Moves the position by seconds.
    case skip(Double)
    /// Moves the position to the start.
    case start
    /// Moves the position to the last seconds.
    case end
    /// Skips back or forward, by the seconds of the podcast, else by 10.
    case skipBack, skipForward
    /// Moves the position back to where it was before the last seek.
    case undoSeek
    /// Goes to the chapter before or after.
    case previousChapter, nextChapter
    /// Goes to the item before or after in the queue.
    case previousItem, nextItem
    /// Changes the rate by steps of its slider.
    case rate(Int)
    /// Multiplies the rate.
    case multiplyRate(Double)
    /// Plays at the normal rate.
    case normalRate
    /// Changes the pitch by semitones.
    case pitch(Int)
    /// Plays at the normal pitch.
    case normalPitch
    /// Changes the volume by hundredths.
    case volume(Int)
    /// Mutes, or no longer.
    case mute
    /// Sets A, then B, then none.
    case loop
    /// Repeats all of the queue, then one recording, then none.
    case repetition
    /// Plays the queue in an order by chance, or no longer.
    case shuffle
    /// Sets a bookmark.
    case bookmark
    /// Zooms the waveform by a factor.
    case zoom(Double)
    /// Shows the whole waveform.
    case zoomWhole
    /// Shows the spectrogram in place of the waveform, or the waveform again.
    case spectrogram
    /// Asks for files.
    case open
    /// Asks for an address.
    case openAddress
    /// Opens what the clipboard holds.
    case paste
    /// Shows or hides the queue.
    case queue
    /// Searches in the queue.
    case searchQueue
    /// Shows the recording that plays in the queue.
    case toPlaying
    /// Shows or hides the effects.
    case effects
    /// Shows the whole screen, or no longer.
    case fullscreen
    /// Ends the drag, closes the popover, or leaves the whole screen.
    case escape
    /// Opens the item anew at its position.
    case reload
    /// Opens another window.
    case newWindow
    /// Closes the window.
    case closeWindow
    /// Closes all windows.
    case quit
    /// Opens the menu.
    case menu
    /// Shows the window of shortcuts.
    case shortcuts
}

extension ShortcutAction {
    /// Whether the keys mean this on the page of podcasts too, which has keys of its own.
    public var worksOnEveryPage: Bool {
        switch self {
        case .open, .openAddress, .newWindow, .fullscreen, .closeWindow, .quit, .shortcuts: true
        default: isSound
        }
    }

    /// Whether the action changes speed, pitch or volume.
    ///
    /// These also apply to the next recording.
    public var isSound: Bool {
        switch self {
        case .rate, .multiplyRate, .normalRate, .pitch, .normalPitch, .volume, .mute: true
        default: false
        }
    }
}

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

/// All keys of the app, for dispatch and for the window of shortcuts.
public enum Shortcuts {
    /// The keys of one action.
    public struct Row: Sendable, Equatable {
        /// The text of the window of shortcuts.
        public var title: String
        /// The effect.
        public var action: ShortcutAction
        /// The keys, the one to show first.
        public var keys: [KeyStroke]
    }

    /// A heading of the window of shortcuts.
    public struct Group: Sendable, Equatable {
        /// The heading.
        public var title: String
        /// The actions.
        public var rows: [Row]
    }

    /// All keys, in the order of the window of shortcuts.
    ///
    /// They are those of mpv where it has them, and those of GNOME's apps for windows and files.
    public static let groups: [Group] = [
        Group(title: "Playback", rows: playback),
        Group(title: "Chapters and Order", rows: order),
        Group(title: "Sound", rows: sound),
        Group(title: "Waveform", rows: waveform),
        Group(title: "General", rows: general),
    ]

    private static let table: [KeyStroke: ShortcutAction] = Dictionary(
        groups.flatMap { $0.rows }.flatMap { row in row.keys.map { ($0, row.action) } },
        uniquingKeysWith: { first, _ in first }
    )

    /// Returns the effect of a key.
    ///
    /// The space bar plays or pauses, unless a text is typed or a button has the focus.
    /// - Parameters:
    ///   - stroke: The key.
    ///   - focus: The part of the window that has the keyboard.
    /// - Returns: The effect, or `nil` if the key belongs to that part or means nothing.
    public static func action(for stroke: KeyStroke, focus: KeyFocus) -> ShortcutAction? {
        guard let action = table[stroke] else { return nil }
        if stroke.key == "Escape" { return action }
        let isPlain = stroke.modifiers.isDisjoint(with: [.control, .alt])
        switch focus {
        case .other: return action
        case .text: return isPlain && !isFunctionKey(stroke.key) ? nil : editing.contains(stroke) ? nil : action
        case .list: return isPlain && moving.union(["Return"]).contains(stroke.key) ? nil : action
        case .button: return stroke == KeyStroke("space") || stroke == KeyStroke("Return") ? nil : action
        case .slider: return isPlain && moving.contains(stroke.key) ? nil : action
        }
    }

    /// Returns whether a key is F1, F2 or another one that types nothing.
    private static func isFunctionKey(_ key: String) -> Bool {
        key.count > 1 && key.first == "F" && key.dropFirst().allSatisfy(\.isWholeNumber)
    }

    private static let moving: Set<String> = ["Left", "Right", "Up", "Down", "Home", "End", "Page_Up", "Page_Down"]
    /// The keys with Control that a text field has itself.
    private static let editing: Set<KeyStroke> = [
        KeyStroke("v", .control), KeyStroke("Left", .control), KeyStroke("Right", .control),
        KeyStroke("BackSpace", .control), KeyStroke("z", .control),
    ]

    private static func row(_ title: String, _ action: ShortcutAction, _ keys: KeyStroke...) -> Row {
        Row(title: title, action: action, keys: keys)
    }

    private static func key(_ key: String, _ modifiers: KeyModifiers = []) -> KeyStroke { KeyStroke(key, modifiers) }

    private static let playback: [Row] = [
        row("Play or pause", .togglePlayback, key("space"), key("p")),
        row("10 seconds back, or as far as the podcast says", .skipBack, key("Left")),
        row("10 seconds forward, or as far as the podcast says", .skipForward, key("Right")),
        row("1 second back", .skip(-1), key("Left", .shift)),
        row("1 second forward", .skip(1), key("Right", .shift)),
        row("1 minute back", .skip(-60), key("Down")),
        row("1 minute forward", .skip(60), key("Up")),
        row("10 minutes back", .skip(-600), key("Page_Down", .shift)),
        row("10 minutes forward", .skip(600), key("Page_Up", .shift)),
        row("To the start", .start, key("Home")),
        row("To the end", .end, key("End")),
    ]

    private static let order: [Row] = [
        row("Back to before the last seek", .undoSeek, key("BackSpace", .shift), key("z", .control)),
        row("Next chapter", .nextChapter, key("Page_Up")),
        row("Previous chapter", .previousChapter, key("Page_Down")),
        row("Next item", .nextItem, key(">"), key("Return"), key("Right", .control)),
        row("Previous item", .previousItem, key("<"), key("Left", .control)),
        row("Repeat from A to B", .loop, key("l")),
        row("Repeat all, one or none", .repetition, key("L")),
        row("Shuffle", .shuffle, key("S")),
        row("Set a bookmark", .bookmark, key("b"), key("d", .control)),
    ]

    private static let sound: [Row] = [
        row("Slower", .rate(-1), key("[")),
        row("Faster", .rate(1), key("]")),
        row("Half the rate", .multiplyRate(0.5), key("{")),
        row("Twice the rate", .multiplyRate(2), key("}")),
        row("Normal rate", .normalRate, key("BackSpace")),
        row("A semitone lower", .pitch(-1), key("Down", .alt)),
        row("A semitone higher", .pitch(1), key("Up", .alt)),
        row("Normal pitch", .normalPitch, key("_")),
        row("Quieter", .volume(-2), key("9"), key("/"), key("Down", .control)),
        row("Louder", .volume(2), key("0"), key("*"), key("Up", .control)),
        row("Mute", .mute, key("m")),
        row("Effects", .effects, key("e")),
    ]

    private static let waveform: [Row] = [
        row("Zoom in", .zoom(2), key("+"), key("="), key("+", .control), key("=", .control)),
        row("Zoom out", .zoom(0.5), key("-"), key("-", .control)),
        row("Show the whole", .zoomWhole, key("0", .control)),
        row("Waveform or spectrogram", .spectrogram, key("s")),
    ]

    private static let general: [Row] = [
        row("Open files", .open, key("o", .control)),
        row("Open an address", .openAddress, key("l", .control)),
        row("Open what the clipboard holds", .paste, key("v", .control)),
        row("Queue", .queue, key("q", .alt), key("F9")),
        row("Search in the queue", .searchQueue, key("f", .control)),
        row("To what plays in the queue", .toPlaying, key("j", .control)),
        row("Open the item anew", .reload, key("r", .control)),
        row("Whole screen", .fullscreen, key("f"), key("F11")),
        row("End what is going on", .escape, key("Escape")),
        row("Main menu", .menu, key("F10")),
        row("Keyboard shortcuts", .shortcuts, key("?", .control), key("?"), key("F1")),
        row("New window", .newWindow, key("n", .control)),
        row("Close the window", .closeWindow, key("w", .control)),
        row("Quit", .quit, key("q", .control)),
    ]
}
