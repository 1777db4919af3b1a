import SyrinxListening
import SyrinxPlayerUI
import SyrinxTerminal

/// A table that `syrinx help TOPIC` prints, made from the table that the program works with.
enum HelpTopic: String, CaseIterable {
    case keys, effects, config
    case exitCodes = "exit-codes"

    /// The width of the text, in columns.
    private static let width = 78

    /// The topic that a command line asks for; `nil` if it asks for something else.
    init?(_ arguments: [String]) {
        guard arguments.count == 2, arguments[0] == "help" else { return nil }
        self.init(rawValue: arguments[1])
    }

    /// The table.
    var text: String {
        let lines =
            switch self {
            case .keys: Self.keysLines
            case .effects: Self.effectsLines
            case .config: Self.configLines
            case .exitCodes: ExitStatus.meanings.map { Self.row("\($0.status.rawValue)", $0.meaning, label: 6) }
            }
        return lines.joined(separator: "\n")
    }

    // MARK: Topics

    private static var keysLines: [String] {
        var lines = wrapped(
            "The keys of the full screen and of the window; a key of one of them is listed behind its name. "
                + "[keys] in config.toml changes them."
        )
        for group in KeyTable.groups {
            lines += ["", group.title.uppercased()]
            for row in group.rows { lines.append(self.row(row.keyText, row.meaning(), label: 28)) }
        }
        lines += ["", "COMMANDS OF THE PLAYER, for keys and for syrinx control"]
        for command in CommandTable.rows { lines.append(row(command.usage, command.help, label: 28)) }
        lines += ["", "COMMANDS OF A FACE, for keys"]
        return lines + wrapped(FaceCommand.allCases.map(\.rawValue).joined(separator: ", "), indent: 2)
    }

    private static var effectsLines: [String] {
        wrapped("Effects for --effect NAME[:KEY=VALUE,…] and for syrinx control add-effect, with ranges and defaults.")
            + [""] + EffectList.lines() + [""]
            + wrapped("Presets for --equalizer: " + Tone.equalizers.joined(separator: ", "))
    }

    private static var configLines: [String] {
        var lines = ConfigTable.introduction.flatMap { wrapped($0) + [""] }
        for (name, rows) in ConfigTable.tables {
            if !name.isEmpty { lines += ["", "[\(name)]"] }
            for setting in rows {
                let isColor = name == "theme"
                let values = isColor ? "" : " (\(setting.values); default: \(setting.initial))"
                lines.append(row(setting.name, setting.meaning + values, label: 20))
            }
        }
        return lines
    }

    // MARK: Lines

    /// Returns a label with its text, of as many lines as the text needs.
    private static func row(_ label: String, _ text: String, label columns: Int) -> String {
        let texts = wrapped(text, columns: width - columns - 2)
        let room = max(columns - DisplayWidth.of(label), 0)
        // A long label has a line of its own.
        let isLong = DisplayWidth.of(label) >= columns
        let first = "  " + label + (isLong ? "" : String(repeating: " ", count: room) + (texts.first ?? ""))
        let rest = texts.dropFirst(isLong ? 0 : 1).map { String(repeating: " ", count: columns + 2) + $0 }
        return ([first] + rest).joined(separator: "\n")
    }

    private static func wrapped(_ text: String, indent: Int = 0, columns: Int = width) -> [String] {
        text.wrapped(columns: columns - indent).map { String(repeating: " ", count: indent) + $0 }
    }
}

extension KeyRow {
    /// The keys of both faces, and those of each alone behind its name.
    fileprivate var keyText: String {
        let faces: [PlayerFace?] = [nil, .terminal, .window]
        return faces.compactMap { face in
            let names = keys.flatMap(\.keys).filter { $0.face == face }.map(\.name.symbol)
            guard !names.isEmpty else { return nil }
            return (face.map { $0.rawValue + ": " } ?? "") + names.joined(separator: " ")
        }.joined(separator: ", ")
    }
}
