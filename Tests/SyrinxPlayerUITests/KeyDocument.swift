import SyrinxListening
import SyrinxTerminal

@testable import SyrinxPlayerUI

extension KeyBindings {
    /// The page `docs/keys.md`, from the table of standard keys.
    package static var document: String {
        var text = """
            # Keys

            The keys of `syrinx play` on a terminal, those of mpv where mpv has one. `?` lists those of the page that is open. A test
            compares this page with the table of the program, `Sources/SyrinxPlayerUI/Keys/StandardKeys.swift`.

            Another meaning of a key, or `"none"`, is set in `$XDG_CONFIG_HOME/syrinx/config.toml`: `[keys]` for everywhere,
            `[keys.queue]` and the like for a page of the full screen. The last column has the commands; those of the player are listed at the end.
            `skip-back = 10` and `skip-forward = 30` there set the seconds of the arrow keys. `--plain` takes the seconds, and
            the keys of `[keys]` for all commands of the player and for those with a dot below.

            ```toml
            [keys]
            "ctrl+right" = "seek +30"

            [keys.queue]
            x = "remove"
            ```

            """
        for context in KeyContext.allCases {
            text += "\n## \(context.documentHeading)\n\n"
            if context == .player { text += "Those with a dot also work with `--plain`.\n\n" }
            let hasLine = context == .player
            text +=
                hasLine
                ? "| keys | effect | `--plain` | commands |\n|---|---|---|---|\n"
                : "| keys | effect | commands |\n|---|---|---|\n"
            for row in standard where row.context == context {
                let names = row.keys.flatMap(\.1).compactMap { KeyPress(name: $0)?.symbol }.map(Self.code)
                let commands = row.keys.map { Self.code($0.0.text) }
                var isOnLine = false
                if case .none = row.line {} else { isOnLine = true }
                let cells =
                    [names.joined(separator: " "), row.meaning] + (hasLine ? [isOnLine ? "•" : ""] : [])
                    + [commands.joined(separator: ", ")]
                text += "| " + cells.joined(separator: " | ") + " |\n"
            }
        }
        text += """

            ## Commands of the player

            Keys and `syrinx control` take these. Places count from 1. In `seek`, `rate` and `volume` a sign makes the value a step from the
            present value.

            | command | effect |
            |---|---|

            """
        for row in CommandTable.rows {
            text += "| \(code(row.usage.replacing("|", with: "\\|"))) | \(row.help) |\n"
        }
        return text
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
