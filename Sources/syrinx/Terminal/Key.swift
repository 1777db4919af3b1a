import Terminal

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

    /// The meaning of a key press; `nil` if it has none.
    init?(_ press: KeyPress) {
        switch (press.code, press.modifiers) {
        case (.character(" "), []), (.character("p"), []): self = .togglePause
        case (.character("["), []): self = .addRate(-0.1)
        case (.character("]"), []): self = .addRate(0.1)
        case (.character("{"), []): self = .multiplyRate(0.5)
        case (.character("}"), []): self = .multiplyRate(2)
        case (.backspace, []): self = .normalRate
        case (.character("9"), []), (.character("/"), []): self = .addVolume(-0.05)
        case (.character("0"), []), (.character("*"), []): self = .addVolume(0.05)
        case (.character("m"), []): self = .toggleMute
        case (.character(">"), []), (.enter, []): self = .nextItem
        case (.character("<"), []): self = .previousItem
        case (.character("L"), []): self = .cycleLoop
        case (.character("?"), []): self = .help
        case (.character("q"), []), (.character("Q"), []): self = .quit
        case (.up, []): self = .skip(60)
        case (.down, []): self = .skip(-60)
        case (.right, []): self = .skipForward
        case (.left, []): self = .skipBack
        case (.up, .shift): self = .skip(5)
        case (.down, .shift): self = .skip(-5)
        case (.right, .shift): self = .skip(1)
        case (.left, .shift): self = .skip(-1)
        case (.pageUp, []): self = .nextChapter
        case (.pageDown, []): self = .previousChapter
        case (.pageUp, .shift): self = .skip(600)
        case (.pageDown, .shift): self = .skip(-600)
        case (.home, []): self = .start
        case (.home, .shift): self = .firstItem
        case (.end, .shift): self = .lastItem
        default: return nil
        }
    }
}

/// The keys as help tells them.
enum KeyHelp {
    /// The keys and their meanings.
    static let entries: [(keys: String, meaning: String)] = [
        ("space, p", "pause"),
        ("← →", "5 s"),
        ("↓ ↑", "1 min"),
        ("PgDn PgUp", "chapter"),
        ("< >, Enter", "previous, next"),
        ("Home", "start"),
        ("[ ]", "rate ∓ 0.1"),
        ("{ }", "rate ½, ×2"),
        ("Backspace", "rate 1"),
        ("9 0", "volume"),
        ("m", "mute"),
        ("L", "loop one, all, none"),
        ("?", "help"),
        ("Ctrl-Z", "suspend"),
        ("q", "quit"),
    ]

    /// The entries in as few lines of `width` columns as they fit in; none is divided unless it is wider by itself.
    static func lines(width: Int) -> [String] {
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

    /// One line for each entry.
    static var table: String {
        let width = entries.map { DisplayWidth.of($0.keys) }.max() ?? 0
        return entries.map { entry in
            let space = String(repeating: " ", count: width - DisplayWidth.of(entry.keys))
            return "  \(entry.keys)\(space)  \(entry.meaning)"
        }.joined(separator: "\n")
    }
}
