import SyrinxListening

extension KeyTable {
    /// The page `docs/keys.md`, from the table.
    static var document: String {
        var text = """
            # Keys

            The keys of `syrinx play` on a terminal and of the window. They are those of mpv if mpv has one, and those of GNOME for
            windows and files. `?` lists them: on the terminal those of the open page. A test compares this page with the table of the
            program, `Sources/SyrinxListening/Keys/KeyTable.swift`.

            A key has the same meaning on the terminal and in the window. A key that only one of them has is listed behind its name.
            In the window, the focused control has the keys of GTK first: Tab moves the focus, the arrows move in lists and sliders.

            Another meaning of a key, or `"none"`, is set in `$XDG_CONFIG_HOME/syrinx/config.toml`: `[keys]` for everywhere,
            `[keys.queue]` and the like for a page or a list. The last column has the commands; those of the player are listed at the end.
            `skip-back = 10` and `skip-forward = 30` there set the seconds of the arrow keys. Terminal and window read the file
            when they start, and ignore the commands that they do not have. `--plain` takes the seconds, and
            the keys of `[keys]` for all commands of the player and for those with a dot below.

            ```toml
            [keys]
            "ctrl+right" = "seek +30"

            [keys.queue]
            x = "remove"
            ```

            Where mpv, terminals and GNOME differ, these meanings were chosen:

            - `←` `→` skip 5 s as in mpv, or the seconds of the podcast or of `config.toml`.
            - `[` `]` change the rate by 0.1, and `9` `0` the volume by 5 %. `+` `-` change the pitch; `Ctrl-+` `Ctrl--` zoom.
            - `s` shuffles and `S` shortens silences; `w` shows the spectrogram. `5` shows the effects, as `e` appends in lists.
            - `d` and `Delete` remove from the queue. `d` `x` `e` of the podcasts are the terminal's: the window has buttons.
            - `Ctrl-l` `Ctrl-z` `Ctrl-c` are the terminal's. The window has `o` to open an address and `u` to undo a seek.
            - `Ctrl-r` opens the item anew on each page; `r` `R` `F5` refresh podcasts.
            - `q` quits the terminal only: a letter must not close a window.

            """
        for context in KeyContext.allCases {
            let shown = rows.filter { $0.context == context }
            let isOfTerminal = !shown.contains { $0.isOf(.window) }
            text += "\n## \(context.documentHeading)\(isOfTerminal ? " (terminal)" : "")\n\n"
            if context == .player { text += "Those with a dot also work with `--plain`.\n\n" }
            let hasLine = context == .player
            text +=
                hasLine
                ? "| keys | effect | `--plain` | commands |\n|---|---|---|---|\n"
                : "| keys | effect | commands |\n|---|---|---|\n"
            for row in shown {
                let commands = row.keys.map { Self.code($0.command.text) }
                var isOnLine = false
                if case .none = row.line {} else { isOnLine = true }
                let cells =
                    [keys(of: row, naming: !isOfTerminal), row.meaning()] + (hasLine ? [isOnLine ? "•" : ""] : [])
                    + [commands.joined(separator: ", ")]
                text += "| " + cells.joined(separator: " | ") + " |\n"
            }
        }
        text += """

            ## Commands of the player

            Keys and `syrinx control` take these commands. A `PLACE` counts from 1. In `seek`, `rate` and `volume` a sign makes the value
            relative to the current one.

            | command | effect |
            |---|---|

            """
        for row in CommandTable.rows {
            text += "| \(code(row.usage.replacing("|", with: "\\|"))) | \(row.help) |\n"
        }
        return text
    }

    /// The keys of a row: those of both faces, then those of each alone behind its name.
    private static func keys(of row: KeyRow, naming: Bool) -> String {
        let faces: [PlayerFace?] = [nil, .terminal, .window]
        return faces.compactMap { face in
            let names = row.keys.flatMap(\.keys).filter { $0.face == face }.map { code($0.name.symbol) }
            guard !names.isEmpty else { return nil }
            return (naming ? face.map { "\($0.rawValue): " } ?? "" : "") + names.joined(separator: " ")
        }.joined(separator: "; ")
    }

    private static func code(_ text: String) -> String { text == "`" ? "`` ` ``" : "`\(text)`" }
}

extension KeyContext {
    fileprivate var documentHeading: String {
        switch self {
        case .player: "Everywhere"
        case .list: "In lists"
        default: "On the page of the \(rawValue)"
        }
    }
}
