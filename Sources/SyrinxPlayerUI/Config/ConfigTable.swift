import SyrinxListening

/// The table of the settings in `config.toml`: their names, values and meanings.
///
/// `syrinx help config` and `docs/configuration.md` are made from it. The tables of keys have their own page.
package enum ConfigTable {
    /// A setting.
    package struct Row: Sendable {
        /// The table that the setting is in; empty above the first table.
        package let table: String
        package let name: String
        /// The values that the setting takes, in words.
        package let values: String
        /// The value that holds if the setting is missing, in words.
        package let initial: String
        package let meaning: String
        /// A line of the file that the program accepts.
        package let example: String

        init(_ table: String, _ name: String, _ values: String, _ initial: String, _ meaning: String, _ value: String) {
            (self.table, self.name, self.values) = (table, name, values)
            (self.initial, self.meaning, example) = (initial, meaning, "\(name) = \(value)")
        }
    }

    /// All settings but those of keys, in the order of the help.
    package static let rows =
        general + podcasts
        + Theme.Role.allCases.map { role in
            Row("theme", role.rawValue, "a color", "of the terminal's background", role.meaning, "\"#5fafd7\"")
        }

    private static let general = [
        Row("", "skip-forward", "1 to 600 seconds", "5", "the seconds of a skip forward", "30"),
        Row("", "skip-back", "1 to 600 seconds", "5", "the seconds of a skip back", "10"),
        Row("", "mouse", "true or false", "true", "whether the full screen takes the mouse", "false"),
        Row("", "covers", "true or false", "true", "whether the full screen shows covers", "false"),
        Row(
            "",
            PodcastRefreshing.key,
            "5 to 10080 minutes, or \"off\"",
            "60",
            "the minutes between two refreshes of podcasts while a player runs",
            "60"
        ),
        Row(
            "",
            NewEpisodes.key,
            "1 to 10000, or \"all\"",
            "3",
            "the number of the newest episodes of a new podcast that are new",
            "3"
        ),
        Row(
            "",
            "on-hangup",
            "\"pause\", \"end\" or \"play\"",
            "end; a detached player plays on",
            "the effect on a player when its terminal is closed",
            "\"end\""
        ),
        Row(
            "",
            "record-folder",
            "a path that begins with / or ~/",
            "~/Music/Syrinx",
            "the folder of recordings of stations",
            "\"~/Music/Radio\""
        ),
        Row("", "record-limit", "1 to 1048576 MiB", "2048", "the largest recording of a station", "500"),
        Row(
            "",
            "radio-buffer",
            "1 to 240 minutes, or \"off\"",
            "30",
            "the minutes of a station that one can go back",
            "60"
        ),
    ]

    private static let podcasts = [
        Row(
            DirectorySetting.table,
            DirectorySetting.key,
            "\"off\", \"gpodder.net\", \"itunes\", or a URL that ends with /search.json or /search",
            "off",
            "the directory that a search for podcasts sends its words to",
            "\"gpodder.net\""
        )
    ]

    /// The sentences about the file, and the tables that have no rows here.
    package static let introduction = [
        "The file is $XDG_CONFIG_HOME/syrinx/config.toml (default: ~/.config/syrinx/config.toml). The full screen and the window read it"
            + " when they start. A wrong line is reported, and the others hold.",
        "A color is a name (black, red, green, yellow, blue, magenta, cyan, white, also with bright- before it), \"#rrggbb\","
            + " a number of the terminal's palette (\"0\" to \"255\"), or \"default\".",
        "[keys] and [keys.PAGE] give keys another meaning: \"ctrl+right\" = \"seek +30\", or \"none\". syrinx help keys lists keys and"
            + " commands. A PAGE is one of " + KeyContext.allCases.map(\.rawValue).joined(separator: ", ") + ".",
    ]

    /// The tables with the settings that they have, in order.
    package static var tables: [(name: String, rows: [Row])] {
        ["", DirectorySetting.table, "theme"].map { name in (name, rows.filter { $0.table == name }) }
    }
}

extension Theme.Role {
    /// The use of the color, in a few words.
    fileprivate var meaning: String {
        switch self {
        case .text: "texts"
        case .background: "the background"
        case .dim: "what is less important"
        case .accent: "what is current or can be pressed"
        case .selection: "the bar of the selected entry"
        case .selectionText: "the text on that bar"
        case .played: "the waveform: the part that was played"
        case .received: "the waveform: the part that has arrived"
        case .missing: "the waveform: the part that has not arrived"
        case .meter: "the level meters: low"
        case .meterHigh: "the level meters: from −18 dB"
        case .meterPeak: "the level meters: from −3 dB"
        case .good: "that something plays or is on"
        case .warning: "warnings"
        case .error: "errors"
        }
    }
}
