/// The table of the keys on the terminal and in the window.
///
/// Commands of mpv have mpv's keys; those for windows and files have GNOME's. A key means the same on the terminal and in the
/// window. A row says so if only one of them has the key.
package enum KeyTable {
    /// All rows, in the order of the help.
    package static let rows = groups.flatMap(\.rows)

    /// All rows under their headings.
    package static let groups = [
        KeyGroup("Playback", playback), KeyGroup("Order and Places", order), KeyGroup("Open", opening),
        KeyGroup("Sound", sound), KeyGroup("Waveform", waveform), KeyGroup("Pages and Windows", program),
        KeyGroup("Lists", list), KeyGroup("Queue", queue), KeyGroup("Chapters and Bookmarks", places),
        KeyGroup("Effects", effects), KeyGroup("Files", files), KeyGroup("Podcasts", podcasts),
        KeyGroup("Transcript", transcript),
    ]

    private static let playback: [KeyRow] = [
        KeyRow(.player, "Pause or play", ("toggle", ["space", "p"])).onLine(.told("pause")),
        KeyRow(.player, "5 s back, forward", ("skip-back", ["left"]), ("skip-forward", ["right"]))
            .onLine(.told("5 s")),
        KeyRow(.player, "1 min back, forward", ("seek -60", ["down"]), ("seek +60", ["up"])).onLine(.told("1 min")),
        KeyRow(.player, "1 s back, forward", ("seek -1", ["shift+left"]), ("seek +1", ["shift+right"])),
        KeyRow(.player, "5 s back, forward", ("seek -5", ["shift+down"]), ("seek +5", ["shift+up"])),
        KeyRow(.player, "10 min back, forward", ("seek -600", ["shift+pagedown"]), ("seek +600", ["shift+pageup"])),
        KeyRow(.player, "Previous, next chapter", ("previous-chapter", ["pagedown"]), ("next-chapter", ["pageup"]))
            .onLine(.told("chapter")),
        KeyRow(.player, "To the start", ("seek 0", ["home"])).onLine(.told("start")),
        KeyRow(.player, "To the last seconds", ("end", ["end"]), only: .window),
        KeyRow(.player, "Back to before the last seek", ("undo-seek", ["shift+backspace", "u"])),
        KeyRow(
            .player,
            "Previous, next item",
            ("previous weak", ["<", "window ctrl+left"]),
            ("next weak", [">", "enter", "window ctrl+right"])
        ).onLine(.told("previous, next")),
        KeyRow(.player, "Next audio track", ("audio-track", ["#"])),
        KeyRow(.player, "First, last item", ("first", ["shift+home"]), ("last", ["shift+end"])),
    ]

    private static let order: [KeyRow] = [
        KeyRow(.player, "Set A, then B, then none", ("ab-loop", ["l"])),
        KeyRow(.player, "Repeat: none, one, all", ("loop-file", ["L"])).onLine(.told("loop one, all, none")),
        KeyRow(.player, "Shuffle", ("shuffle", ["s"])),
        KeyRow(.player, "Undo a change of the queue", ("undo-queue", ["U"])),
        KeyRow(.player, "Sleep timer", ("sleep", ["z"])),
        KeyRow(.player, "Set a bookmark", ("add-bookmark", ["b", "window ctrl+d"])),
        KeyRow(.player, "Add to the favorites, or remove", ("favorite", ["F"])),
        KeyRow(.player, "Record the station, or end that", ("record", ["R"])),
        KeyRow(.player, "To the live sound of the station", ("live", ["v"])),
        KeyRow(.player, "Stations, playlists and titles", ("saved", ["B"]), only: .terminal),
        KeyRow(.player, "Notes of the episode", ("show-notes", ["i"]), only: .terminal),
    ]

    private static let opening: [KeyRow] = [
        KeyRow(.player, "Open an address or a path", ("open", ["o"])),
        KeyRow(.player, "Open files", ("open-files", ["ctrl+o"]), only: .window),
        KeyRow(.player, "Open a folder", ("open-folder", ["ctrl+shift+o"]), only: .window),
        KeyRow(.player, "Open the content of the clipboard", ("paste", ["ctrl+v"]), only: .window),
        KeyRow(.player, "Open the item anew", ("reload", ["ctrl+r"])),
    ]

    private static let sound: [KeyRow] = [
        KeyRow(.player, "Rate −0.1, +0.1", ("rate -0.1", ["["]), ("rate +0.1", ["]"])).onLine(.told("rate ∓ 0.1")),
        KeyRow(.player, "Rate half, double", ("multiply-rate 0.5", ["{"]), ("multiply-rate 2", ["}"]))
            .onLine(.told("rate ½, ×2")),
        KeyRow(.player, "Rate 1", ("rate 1", ["backspace"])).onLine(.told("rate 1")),
        KeyRow(.player, "Pitch a semitone down, up", ("add-pitch -100", ["-"]), ("add-pitch 100", ["+", "="])),
        KeyRow(.player, "Pitch 0", ("pitch 0", ["_"])),
        KeyRow(
            .player,
            "Volume −5 %, +5 %",
            ("volume -5", ["9", "/", "window ctrl+down"]),
            ("volume +5", ["0", "*", "window ctrl+up"])
        ).onLine(.told("volume")),
        KeyRow(.player, "Mute", ("mute", ["m"])).onLine(.told("mute")),
        KeyRow(.player, "Shorten silences", ("smart-speed", ["S"])),
        KeyRow(.player, "Voice boost", ("voice-boost", ["V"])),
        KeyRow(.player, "Even loudness", ("normalize", ["N"])),
        KeyRow(.player, "Mono", ("mono", ["M"])),
        KeyRow(.player, "Balance left, right", ("add-balance -0.1", ["("]), ("add-balance 0.1", [")"])),
        KeyRow(.player, "Next equalizer preset", ("equalizer", ["E"])),
        KeyRow(.player, "Outputs", ("outputs", ["O"])),
    ]

    private static let waveform: [KeyRow] = [
        KeyRow(
            .player,
            "Zoom out, in",
            ("zoom-out", ["ctrl+-"]),
            ("zoom-in", ["ctrl++", "ctrl+="]),
            only: .window
        ),
        KeyRow(.player, "Show the whole", ("zoom-whole", ["ctrl+0"]), only: .window),
        KeyRow(.player, "Waveform or spectrogram", ("spectrogram", ["w"]), only: .window),
    ]

    private static let program: [KeyRow] = [
        KeyRow(
            .player,
            "Next, previous page",
            ("next-page", ["tab"]),
            ("previous-page", ["shift+tab"]),
            only: .terminal
        ),
        KeyRow(
            .player,
            "Page",
            keys: PlayerPage.allCases.map { page in
                let isOfBoth = [.playing, .queue, .effects, .podcasts].contains(page)
                let number = page.rawValue + 1
                return ("page \(number)", [isOfBoth ? "\(number)" : "terminal \(number)"])
            }
        ),
        KeyRow(.player, "Podcasts", ("page 7", ["ctrl+p"]), only: .window),
        KeyRow(.player, "Add a podcast", ("subscribe", ["ctrl+shift+n"]), only: .window),
        KeyRow(.player, "Show or hide the queue", ("toggle-queue", ["f9", "alt+q"]), only: .window),
        KeyRow(.player, "Search in the queue", ("filter", ["ctrl+f"]), only: .window),
        KeyRow(.player, "To what plays in the queue", ("page 2", ["ctrl+j"]), only: .window),
        KeyRow(.player, "Full screen", ("full-screen", ["f", "f11"]), only: .window),
        KeyRow(.player, "End the search, a drag or the full screen", ("back", ["escape"]), only: .window),
        KeyRow(.player, "Time: total or remaining", ("toggle-remaining", ["t"]), only: .terminal),
        KeyRow(.player, "Help", ("help", ["?", "f1", "window ctrl+?"])).onLine(.told("help")),
        KeyRow(.player, "Messages", ("messages", ["`"]), only: .terminal),
        KeyRow(.player, "Draw the screen anew", ("redraw", ["ctrl+l"]), only: .terminal),
        KeyRow(.player, "Suspend", ("suspend", ["ctrl+z"]), only: .terminal).onLine(.told("suspend")),
        KeyRow(.player, "Leave the player running without the terminal", ("detach", ["D"]), only: .terminal),
        KeyRow(.player, "Main menu", ("main-menu", ["f10"]), only: .window),
        KeyRow(.player, "New window", ("new-window", ["ctrl+n"]), only: .window),
        KeyRow(.player, "Close the window", ("close-window", ["ctrl+w"]), only: .window),
        KeyRow(.player, "Quit", ("quit", ["terminal q", "terminal Q", "terminal ctrl+c", "window ctrl+q"]))
            .onLine(.told("quit")),
    ]

    private static let list: [KeyRow] = [
        KeyRow(.list, "Select", ("select-up", ["up", "terminal k"]), ("select-down", ["down", "terminal j"])),
        KeyRow(.list, "A page up, down", ("select-page-up", ["pageup"]), ("select-page-down", ["pagedown"])),
        KeyRow(
            .list,
            "First, last entry",
            ("select-first", ["home", "terminal g"]),
            ("select-last", ["end", "terminal G"])
        ),
        KeyRow(.list, "Filter", ("filter", ["/"])),
        KeyRow(.list, "End the filter, or go back", ("back", ["escape"])),
    ]

    private static let queue: [KeyRow] = [
        KeyRow(.queue, "Play the entry", ("activate", ["enter"])),
        KeyRow(.queue, "Remove it", ("remove", ["d", "delete"])),
        KeyRow(.queue, "Move it up, down", ("move-up", ["K", "alt+up"]), ("move-down", ["J", "alt+down"])),
        KeyRow(.queue, "To what plays", ("select-current", ["c"])),
        KeyRow(.queue, "Empty the queue", ("clear-queue", ["C"])),
        KeyRow(.queue, "Save it as a playlist", ("save-queue", ["W"]), only: .terminal),
        KeyRow(.queue, "Menu of the entry", ("item-menu", ["menu", "shift+f10"]), only: .window),
    ]

    private static let places: [KeyRow] = [
        KeyRow(.chapters, "Go to the chapter", ("activate", ["enter"]), only: .terminal),
        KeyRow(.chapters, "To what plays", ("select-current", ["c"]), only: .terminal),
        KeyRow(.bookmarks, "Go to the bookmark", ("activate", ["enter"]), only: .terminal),
        KeyRow(.bookmarks, "Remove it", ("remove", ["d", "delete"]), only: .terminal),
        KeyRow(.bookmarks, "Rename it", ("rename", ["r"]), only: .terminal),
        KeyRow(.bookmarks, "Of all recordings, or of this one", ("all-bookmarks", ["a"]), only: .terminal),
    ]

    private static let effects: [KeyRow] = [
        KeyRow(.effects, "Less, more", ("lower", ["left", "h"]), ("raise", ["right", "l"]), only: .terminal),
        KeyRow(
            .effects,
            "Much less, more",
            ("lower-much", ["shift+left", "H"]),
            ("raise-much", ["shift+right"]),
            only: .terminal
        ),
        KeyRow(.effects, "Switch the effect on or off", ("toggle-effect", ["enter"]), only: .terminal),
        KeyRow(.effects, "Reset the value", ("reset", ["r", "delete"]), only: .terminal),
        KeyRow(.effects, "Add an effect", ("choose-effect", ["a"]), only: .terminal),
        KeyRow(.effects, "Remove it", ("remove", ["d"]), only: .terminal),
        KeyRow(
            .effects,
            "Move it up, down",
            ("move-up", ["K", "alt+up"]),
            ("move-down", ["J", "alt+down"]),
            only: .terminal
        ),
        KeyRow(.effects, "Forget the settings kept for the item", ("forget-settings", ["f"]), only: .terminal),
    ]

    private static let files: [KeyRow] = [
        KeyRow(.files, "Open, play", ("activate", ["enter"]), only: .terminal),
        KeyRow(.files, "Append to the queue", ("enqueue", ["e", "a"]), only: .terminal),
        KeyRow(.files, "Play from here to the end of the folder", ("play-from-here", ["P"]), only: .terminal),
        KeyRow(.files, "Mark, mark up to here", ("mark", ["m"]), ("mark-range", ["M"]), only: .terminal),
        KeyRow(.files, "To the folder above", ("back", ["backspace", "h"]), only: .terminal),
    ]

    private static let podcasts: [KeyRow] = [
        KeyRow(.podcasts, "Open, play", ("activate", ["enter"])),
        KeyRow(.podcasts, "Append to the queue", ("enqueue", ["e"]), only: .terminal),
        KeyRow(.podcasts, "Back to the podcasts", ("back", ["backspace", "h", "window alt+left"])),
        KeyRow(.podcasts, "Subscribe to an address", ("subscribe", ["a"])),
        KeyRow(.podcasts, "Unsubscribe, or remove the file", ("remove", ["delete"]), only: .terminal),
        KeyRow(.podcasts, "Refresh the podcast", ("refresh", ["r"])),
        KeyRow(.podcasts, "Refresh all podcasts", ("refresh-all", ["R", "window f5"])),
        KeyRow(.podcasts, "Download", ("download", ["d"]), only: .terminal),
        KeyRow(.podcasts, "New episodes of all podcasts", ("new-episodes", ["n"])),
        KeyRow(.podcasts, "List all, new, started or downloaded episodes", ("filter-episodes", ["F"])),
        KeyRow(.podcasts, "Oldest or newest first", ("reverse-episodes", ["O"])),
        KeyRow(.podcasts, "Mark as played or not", ("mark-played", ["x"]), only: .terminal),
        KeyRow(.podcasts, "Mark older ones as played", ("mark-older-played", ["X"]), only: .terminal),
        KeyRow(.podcasts, "Mark all of the list as played", ("mark-all-played", ["A"])),
        KeyRow(.podcasts, "Undo the last mark", ("undo-mark", ["U"])),
        KeyRow(.podcasts, "Search all episodes", ("search", ["f", "window ctrl+f"])),
    ]

    private static let transcript: [KeyRow] = [
        KeyRow(.transcript, "Go to the passage", ("activate", ["enter"]), only: .terminal),
        KeyRow(.transcript, "Follow what plays", ("select-current", ["c"]), only: .terminal),
    ]
}
