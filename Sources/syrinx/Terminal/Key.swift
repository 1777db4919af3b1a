import SyrinxListening
import SyrinxPlayerUI
import SyrinxTerminal

/// The effect of a key press with `--plain`.
enum Key: Equatable, Sendable {
    case command(ListeningCommand)
    case help
    case quit

    /// Returns the effect of a key press; `nil` if it has none.
    /// - Parameters:
    ///   - press: The pressed key.
    ///   - bindings: The key bindings (default: the standard ones).
    init?(_ press: KeyPress, _ bindings: KeyBindings = KeyBindings()) {
        switch bindings.lineCommand(for: press.name) {
        case .listening(let command): self = .command(command)
        case .face(.help): self = .help
        case .face(.quit): self = .quit
        default: return nil
        }
    }
}

/// The help about keys, generated from the key bindings.
enum KeyHelp {
    /// Returns the keys with short descriptions.
    /// - Parameters:
    ///   - bindings: The key bindings (default: the standard ones).
    ///   - skips: The lengths of skips with the arrow keys (default: 5 seconds).
    static func entries(
        _ bindings: KeyBindings = KeyBindings(),
        skips: SkipIntervals = SkipIntervals()
    ) -> [(keys: String, meaning: String)] {
        bindings.line(skips: skips).compactMap { row in row.brief.map { (row.keys, $0) } }
    }

    /// Returns the entries in as few lines of `width` columns as possible; an entry is split only if it is wider than a
    /// line.
    static func lines(_ entries: [(keys: String, meaning: String)] = entries(), width: Int) -> [String] {
        var lines: [String] = []
        for entry in entries {
            let text = "\(entry.keys)  \(entry.meaning)"
            if let last = lines.last, DisplayWidth.of(last) + DisplayWidth.of(text) + 3 <= width {
                lines[lines.count - 1] = last + "   " + text
            } else {
                lines.append(text.fitted(to: width))
            }
        }
        return lines
    }

    /// Returns a line per row of the table.
    static var table: String {
        let rows = KeyBindings().line()
        let width = rows.map { DisplayWidth.of($0.keys) }.max() ?? 0
        return rows.map { entry in
            let space = String(repeating: " ", count: width - DisplayWidth.of(entry.keys))
            return "  \(entry.keys)\(space)  \(entry.meaning)"
        }.joined(separator: "\n")
    }
}
