import SyrinxPlayerUI
import SyrinxTerminal

/// A key press, by what it means to the player.
enum Key: Equatable, Sendable {
    case togglePause
    /// Goes this many seconds on, or back.
    case skip(Double)
    /// Goes on, or back, by the interval that is set, else by 5 seconds.
    case skipForward, skipBack
    /// Goes to the start of the input.
    case start
    case nextChapter, previousChapter
    case nextItem, previousItem, firstItem, lastItem
    /// Adds this much to the rate.
    case addRate(Double)
    /// Multiplies the rate by this factor.
    case multiplyRate(Double)
    case normalRate
    /// Adds this much to the volume.
    case addVolume(Double)
    case toggleMute
    /// Goes on to the next way of looping.
    case cycleLoop
    case help
    case quit

    /// The meaning of a key press beside the line; `nil` if it has none.
    /// - Parameters:
    ///   - press: The key that was pressed.
    ///   - bindings: The keys of the listener. Default: the standard ones.
    init?(_ press: KeyPress, _ bindings: KeyBindings = KeyBindings()) {
        guard let bound = bindings.lineCommand(for: press) else { return nil }
        self.init(bound)
    }

    /// The meaning of a command of the table of keys; `nil` for one that only the full screen has.
    init?(_ bound: BoundCommand) {
        let number = bound.number ?? 0
        switch bound.command {
        case .pause: self = .togglePause
        case .skip: self = .skip(number)
        case .skipForward: self = .skipForward
        case .skipBack: self = .skipBack
        case .start: self = .start
        case .nextChapter: self = .nextChapter
        case .previousChapter: self = .previousChapter
        case .nextItem: self = .nextItem
        case .previousItem: self = .previousItem
        case .firstItem: self = .firstItem
        case .lastItem: self = .lastItem
        case .rate: self = .addRate(number)
        case .multiplyRate: self = .multiplyRate(number)
        case .normalRate: self = .normalRate
        case .volume: self = .addVolume(number / 100)
        case .mute: self = .toggleMute
        case .loop: self = .cycleLoop
        case .help: self = .help
        case .quit: self = .quit
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
