extension KeyBindings {
    /// A row of the help with the keys that it stands for.
    struct Row: Sendable {
        var context: KeyContext
        var meaning: String
        var keys: [(BoundCommand, [String])]
        /// The use of the keys beside the line of `--plain`.
        var line = LineUse.none

        /// The use of a row's keys beside the line of `--plain`.
        enum LineUse: Sendable {
            /// They have no effect there.
            case none
            /// They have the effect that they have on the full screen.
            case works
            /// They have it, and the short help tells it in these words.
            case told(String)
        }

        /// The row with another use beside the line.
        func onLine(_ use: LineUse = .works) -> Self {
            var row = self
            row.line = use
            return row
        }

        /// Whether it is the row of the keys that skip by the interval that is set.
        var isSkip: Bool { keys.first?.0.command == .skipBack }

        /// The meaning, with the seconds of a skip.
        func meaning(with skips: SkipIntervals) -> String { isSkip ? skips.meaning : meaning }

        init(_ context: KeyContext, _ meaning: String, _ keys: (BoundCommand, [String])...) {
            self.init(context, meaning, keys: keys)
        }

        init(_ context: KeyContext, _ meaning: String, keys: [(BoundCommand, [String])]) {
            self.context = context
            self.meaning = meaning
            self.keys = keys
        }
    }

    private static func plain(_ command: PlayerCommand, _ keys: String...) -> (BoundCommand, [String]) {
        (BoundCommand(command), keys)
    }

    private static func number(_ command: PlayerCommand, _ number: Double, _ keys: String...) -> (
        BoundCommand, [String]
    ) {
        (BoundCommand(command, number), keys)
    }

    /// All rows, in the order of the help.
    static let standard: [Row] =
        playback + sound + program + list + queue + pages

    private static let playback: [Row] = [
        Row(.player, "Pause or play", plain(.pause, "space", "p")).onLine(.told("pause")),
        Row(.player, "5 s back, forward", plain(.skipBack, "left"), plain(.skipForward, "right")).onLine(.told("5 s")),
        Row(.player, "1 min back, forward", number(.skip, -60, "down"), number(.skip, 60, "up")).onLine(.told("1 min")),
        Row(.player, "1 s back, forward", number(.skip, -1, "shift+left"), number(.skip, 1, "shift+right")).onLine(),
        Row(.player, "5 s back, forward", number(.skip, -5, "shift+down"), number(.skip, 5, "shift+up")).onLine(),
        Row(.player, "10 min back, forward", number(.skip, -600, "shift+pagedown"), number(.skip, 600, "shift+pageup"))
            .onLine(),
        Row(.player, "Previous, next chapter", plain(.previousChapter, "pagedown"), plain(.nextChapter, "pageup"))
            .onLine(.told("chapter")),
        Row(.player, "To the start", plain(.start, "home")).onLine(.told("start")),
        Row(.player, "Back to before the last seek", plain(.undoSeek, "shift+backspace", "u")),
        Row(.player, "Previous, next item", plain(.previousItem, "<"), plain(.nextItem, ">", "enter")).onLine(
            .told("previous, next")
        ),
        Row(.player, "First, last item", plain(.firstItem, "shift+home"), plain(.lastItem, "shift+end")).onLine(),
        Row(.player, "Set A, then B, then none", plain(.abLoop, "l")),
        Row(.player, "Repeat: none, one, all", plain(.loop, "L")).onLine(.told("loop one, all, none")),
        Row(.player, "Shuffle", plain(.shuffle, "s")),
        Row(.player, "Sleep timer", plain(.sleep, "z")),
        Row(.player, "Set a bookmark", plain(.addBookmark, "b")),
        Row(.player, "Open an address or a path", plain(.openInput, "o")),
        Row(.player, "Open the item anew", plain(.reload, "ctrl+r")),
    ]

    private static let sound: [Row] = [
        Row(.player, "Rate −0.1, +0.1", number(.rate, -0.1, "["), number(.rate, 0.1, "]")).onLine(.told("rate ∓ 0.1")),
        Row(.player, "Rate half, double", number(.multiplyRate, 0.5, "{"), number(.multiplyRate, 2, "}")).onLine(
            .told("rate ½, ×2")
        ),
        Row(.player, "Rate 1", plain(.normalRate, "backspace")).onLine(.told("rate 1")),
        Row(.player, "Pitch a semitone down, up", number(.pitch, -100, "-"), number(.pitch, 100, "+", "=")),
        Row(.player, "Pitch as it is", plain(.normalPitch, "_")),
        Row(.player, "Volume −5 %, +5 %", number(.volume, -5, "9", "/"), number(.volume, 5, "0", "*")).onLine(
            .told("volume")
        ),
        Row(.player, "Mute", plain(.mute, "m")).onLine(.told("mute")),
        Row(.player, "Shorten silences", plain(.smartSpeed, "S")),
        Row(.player, "Voice boost", plain(.voiceBoost, "V")),
        Row(.player, "Even loudness", plain(.normalization, "N")),
        Row(.player, "Mono", plain(.mono, "M")),
        Row(.player, "Balance left, right", number(.balance, -0.1, "("), number(.balance, 0.1, ")")),
        Row(.player, "Next equaliser preset", plain(.equalizer, "E")),
    ]

    private static let program: [Row] = [
        Row(.player, "Next, previous page", plain(.nextPage, "tab"), plain(.previousPage, "shift+tab")),
        Row(
            .player,
            "Page",
            keys: Page.allCases.map { (BoundCommand(.page, Double($0.rawValue + 1)), ["\($0.rawValue + 1)"]) }
        ),
        Row(.player, "Time: total or remaining", plain(.remaining, "t")),
        Row(.player, "Help", plain(.help, "?", "f1")).onLine(.told("help")),
        Row(.player, "Messages", plain(.messages, "`")),
        Row(.player, "Draw the screen anew", plain(.redraw, "ctrl+l")),
        Row(.player, "Suspend", plain(.suspend, "ctrl+z")).onLine(.told("suspend")),
        Row(.player, "Quit", plain(.quit, "q", "Q", "ctrl+c")).onLine(.told("quit")),
    ]

    private static let list: [Row] = [
        Row(.list, "Select", plain(.selectUp, "up", "k"), plain(.selectDown, "down", "j")),
        Row(.list, "A page up, down", plain(.selectPageUp, "pageup"), plain(.selectPageDown, "pagedown")),
        Row(.list, "First, last entry", plain(.selectFirst, "home", "g"), plain(.selectLast, "end", "G")),
        Row(.list, "Filter", plain(.filter, "/")),
        Row(.list, "End the filter, or go back", plain(.back, "escape")),
    ]

    private static let queue: [Row] = [
        Row(.queue, "Play the entry", plain(.activate, "enter")),
        Row(.queue, "Remove it", plain(.remove, "d", "delete")),
        Row(.queue, "Move it up, down", plain(.moveUp, "K", "alt+up"), plain(.moveDown, "J", "alt+down")),
        Row(.queue, "To what plays", plain(.selectCurrent, "c")),
        Row(.queue, "Empty the queue", plain(.clear, "C")),
        Row(.chapters, "Go to the chapter", plain(.activate, "enter")),
        Row(.chapters, "To what plays", plain(.selectCurrent, "c")),
        Row(.bookmarks, "Go to the bookmark", plain(.activate, "enter")),
        Row(.bookmarks, "Remove it", plain(.remove, "d", "delete")),
    ]

    private static let pages: [Row] = [
        Row(.effects, "Less, more", plain(.lower, "left", "h"), plain(.raise, "right", "l")),
        Row(.effects, "Much less, more", plain(.lowerMuch, "shift+left", "H"), plain(.raiseMuch, "shift+right")),
        Row(.effects, "Switch the effect on or off", plain(.toggle, "enter")),
        Row(.effects, "Reset the value", plain(.reset, "r", "delete")),
        Row(.files, "Open, play", plain(.activate, "enter")),
        Row(.files, "Append to the queue", plain(.enqueue, "e", "a")),
        Row(.files, "To the folder above", plain(.back, "backspace", "h")),
        Row(.podcasts, "Open, play", plain(.activate, "enter")),
        Row(.podcasts, "Append to the queue", plain(.enqueue, "e")),
        Row(.podcasts, "Back to the podcasts", plain(.back, "backspace", "h")),
        Row(.podcasts, "Subscribe to an address", plain(.subscribe, "a")),
        Row(.podcasts, "Unsubscribe, or remove the file", plain(.remove, "delete")),
        Row(.podcasts, "Refresh the podcast", plain(.refresh, "r")),
        Row(.podcasts, "Refresh all podcasts", number(.refresh, 0, "R")),
        Row(.podcasts, "Download", plain(.download, "d")),
        Row(.podcasts, "Mark as played or not", plain(.markPlayed, "x")),
        Row(.podcasts, "Search all episodes", plain(.search, "f")),
        Row(.transcript, "Go to the passage", plain(.activate, "enter")),
        Row(.transcript, "Follow what plays", plain(.selectCurrent, "c")),
    ]
}
