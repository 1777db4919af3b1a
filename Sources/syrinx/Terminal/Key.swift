import SyrinxListening
import SyrinxPlayerUI
import SyrinxTerminal

/// A key press beside the line of `--plain`.
enum Key: Equatable, Sendable {
    case command(ListeningCommand)
    case help
    case quit

    /// The meaning of a key press; `nil` if it has none.
    /// - Parameters:
    ///   - press: The key that was pressed.
    ///   - bindings: The keys of the listener. Default: the standard ones.
    init?(_ press: KeyPress, _ bindings: KeyBindings = KeyBindings()) {
        switch bindings.lineCommand(for: press.name) {
        case .listening(let command): self = .command(command)
        case .face(.help): self = .help
        case .face(.quit): self = .quit
        default: return nil
        }
    }
}

/// The keys beside the line as help tells them, from the table of keys.
enum KeyHelp {
    /// Returns the keys and their meanings in a few words.
    /// - Parameters:
    ///   - bindings: The keys of the listener. Default: the standard ones.
    ///   - skips: The seconds of the arrow keys. Default: 5 both ways.
    static func entries(
        _ bindings: KeyBindings = KeyBindings(),
        skips: SkipIntervals = SkipIntervals()
    ) -> [(keys: String, meaning: String)] {
        bindings.line(skips: skips).compactMap { row in row.brief.map { (row.keys, $0) } }
    }

    /// Returns entries in as few lines of `width` columns as they fit in; none is divided unless it is wider by itself.
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

    /// One line for each row of the table.
    static var table: String {
        let rows = KeyBindings().line()
        let width = rows.map { DisplayWidth.of($0.keys) }.max() ?? 0
        return rows.map { entry in
            let space = String(repeating: " ", count: width - DisplayWidth.of(entry.keys))
            return "  \(entry.keys)\(space)  \(entry.meaning)"
        }.joined(separator: "\n")
    }
}
