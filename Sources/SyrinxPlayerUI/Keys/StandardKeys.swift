import SyrinxListening

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
        func onLine(_ use: LineUse) -> Self {
            var row = self
            row.line = use
            return row
        }

        /// Whether it is the row of the keys that skip by the interval that is set.
        var isSkip: Bool { keys.first?.0 == .listening(.skipBack) }

        /// The meaning, with the seconds of a skip.
        func meaning(with skips: SkipIntervals) -> String { isSkip ? skips.meaning : meaning }

        /// A row of commands as `config.toml` writes them, and their keys.
        init(_ context: KeyContext, _ meaning: String, _ keys: (String, [String])...) {
            self.init(context, meaning, keys: keys)
        }

        init(_ context: KeyContext, _ meaning: String, keys: [(String, [String])]) {
            self.context = context
            self.meaning = meaning
            self.keys = keys.compactMap { text, names in BoundCommand(text: text).map { ($0, names) } }
            let areOfPlayer = self.keys.allSatisfy { if case .listening = $0.0 { true } else { false } }
            line = areOfPlayer ? .works : .none
        }
    }

    /// All rows, in the order of the help.
    static let standard: [Row] =
        playback + sound + program + list + queue + pages

    private static let playback: [Row] = [
        Row(.player, "Pause or play", ("toggle", ["space", "p"])).onLine(.told("pause")),
        Row(.player, "5 s back, forward", ("skip-back", ["left"]), ("skip-forward", ["right"])).onLine(.told("5 s")),
        Row(.player, "1 min back, forward", ("seek -60", ["down"]), ("seek +60", ["up"])).onLine(.told("1 min")),
        Row(.player, "1 s back, forward", ("seek -1", ["shift+left"]), ("seek +1", ["shift+right"])),
        Row(.player, "5 s back, forward", ("seek -5", ["shift+down"]), ("seek +5", ["shift+up"])),
        Row(.player, "10 min back, forward", ("seek -600", ["shift+pagedown"]), ("seek +600", ["shift+pageup"])),
        Row(.player, "Previous, next chapter", ("previous-chapter", ["pagedown"]), ("next-chapter", ["pageup"]))
            .onLine(.told("chapter")),
        Row(.player, "To the start", ("seek 0", ["home"])).onLine(.told("start")),
        Row(.player, "Back to before the last seek", ("undo-seek", ["shift+backspace", "u"])),
        Row(.player, "Previous, next item", ("previous weak", ["<"]), ("next weak", [">", "enter"])).onLine(
            .told("previous, next")
        ),
        Row(.player, "First, last item", ("first", ["shift+home"]), ("last", ["shift+end"])),
        Row(.player, "Set A, then B, then none", ("ab-loop", ["l"])),
        Row(.player, "Repeat: none, one, all", ("loop-file", ["L"])).onLine(.told("loop one, all, none")),
        Row(.player, "Shuffle", ("shuffle", ["s"])),
        Row(.player, "Sleep timer", ("sleep", ["z"])),
        Row(.player, "Set a bookmark", ("add-bookmark", ["b"])),
        Row(.player, "Notes of the episode", ("show-notes", ["i"])),
        Row(.player, "Open an address or a path", ("open", ["o"])),
        Row(.player, "Open the item anew", ("reload", ["ctrl+r"])),
    ]

    private static let sound: [Row] = [
        Row(.player, "Rate −0.1, +0.1", ("rate -0.1", ["["]), ("rate +0.1", ["]"])).onLine(.told("rate ∓ 0.1")),
        Row(.player, "Rate half, double", ("multiply-rate 0.5", ["{"]), ("multiply-rate 2", ["}"])).onLine(
            .told("rate ½, ×2")
        ),
        Row(.player, "Rate 1", ("rate 1", ["backspace"])).onLine(.told("rate 1")),
        Row(.player, "Pitch a semitone down, up", ("add-pitch -100", ["-"]), ("add-pitch 100", ["+", "="])),
        Row(.player, "Pitch 0", ("pitch 0", ["_"])),
        Row(.player, "Volume −5 %, +5 %", ("volume -5", ["9", "/"]), ("volume +5", ["0", "*"])).onLine(
            .told("volume")
        ),
        Row(.player, "Mute", ("mute", ["m"])).onLine(.told("mute")),
        Row(.player, "Shorten silences", ("smart-speed", ["S"])),
        Row(.player, "Voice boost", ("voice-boost", ["V"])),
        Row(.player, "Even loudness", ("normalize", ["N"])),
        Row(.player, "Mono", ("mono", ["M"])),
        Row(.player, "Balance left, right", ("add-balance -0.1", ["("]), ("add-balance 0.1", [")"])),
        Row(.player, "Next equalizer preset", ("equalizer", ["E"])),
    ]

    private static let program: [Row] = [
        Row(.player, "Next, previous page", ("next-page", ["tab"]), ("previous-page", ["shift+tab"])),
        Row(
            .player,
            "Page",
            keys: Page.allCases.map { ("page \($0.rawValue + 1)", ["\($0.rawValue + 1)"]) }
        ),
        Row(.player, "Time: total or remaining", ("toggle-remaining", ["t"])),
        Row(.player, "Help", ("help", ["?", "f1"])).onLine(.told("help")),
        Row(.player, "Messages", ("messages", ["`"])),
        Row(.player, "Draw the screen anew", ("redraw", ["ctrl+l"])),
        Row(.player, "Suspend", ("suspend", ["ctrl+z"])).onLine(.told("suspend")),
        Row(.player, "Quit", ("quit", ["q", "Q", "ctrl+c"])).onLine(.told("quit")),
    ]

    private static let list: [Row] = [
        Row(.list, "Select", ("select-up", ["up", "k"]), ("select-down", ["down", "j"])),
        Row(.list, "A page up, down", ("select-page-up", ["pageup"]), ("select-page-down", ["pagedown"])),
        Row(.list, "First, last entry", ("select-first", ["home", "g"]), ("select-last", ["end", "G"])),
        Row(.list, "Filter", ("filter", ["/"])),
        Row(.list, "End the filter, or go back", ("back", ["escape"])),
    ]

    private static let queue: [Row] = [
        Row(.queue, "Play the entry", ("activate", ["enter"])),
        Row(.queue, "Remove it", ("remove", ["d", "delete"])),
        Row(.queue, "Move it up, down", ("move-up", ["K", "alt+up"]), ("move-down", ["J", "alt+down"])),
        Row(.queue, "To what plays", ("select-current", ["c"])),
        Row(.queue, "Empty the queue", ("clear-queue", ["C"])),
        Row(.chapters, "Go to the chapter", ("activate", ["enter"])),
        Row(.chapters, "To what plays", ("select-current", ["c"])),
        Row(.bookmarks, "Go to the bookmark", ("activate", ["enter"])),
        Row(.bookmarks, "Remove it", ("remove", ["d", "delete"])),
    ]

    private static let pages: [Row] = [
        Row(.effects, "Less, more", ("lower", ["left", "h"]), ("raise", ["right", "l"])),
        Row(.effects, "Much less, more", ("lower-much", ["shift+left", "H"]), ("raise-much", ["shift+right"])),
        Row(.effects, "Switch the effect on or off", ("toggle-effect", ["enter"])),
        Row(.effects, "Reset the value", ("reset", ["r", "delete"])),
        Row(.files, "Open, play", ("activate", ["enter"])),
        Row(.files, "Append to the queue", ("enqueue", ["e", "a"])),
        Row(.files, "To the folder above", ("back", ["backspace", "h"])),
        Row(.podcasts, "Open, play", ("activate", ["enter"])),
        Row(.podcasts, "Append to the queue", ("enqueue", ["e"])),
        Row(.podcasts, "Back to the podcasts", ("back", ["backspace", "h"])),
        Row(.podcasts, "Subscribe to an address", ("subscribe", ["a"])),
        Row(.podcasts, "Unsubscribe, or remove the file", ("remove", ["delete"])),
        Row(.podcasts, "Refresh the podcast", ("refresh", ["r"])),
        Row(.podcasts, "Refresh all podcasts", ("refresh-all", ["R"])),
        Row(.podcasts, "Download", ("download", ["d"])),
        Row(.podcasts, "Mark as played or not", ("mark-played", ["x"])),
        Row(.podcasts, "Search all episodes", ("search", ["f"])),
        Row(.transcript, "Go to the passage", ("activate", ["enter"])),
        Row(.transcript, "Follow what plays", ("select-current", ["c"])),
    ]
}
