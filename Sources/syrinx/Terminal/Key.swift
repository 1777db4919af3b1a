import Terminal

/// A key press, by what it means to the player.
enum Key: Equatable, Sendable {
    case togglePause
    /// Goes this many seconds on, or back.
    case skip(Double)
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

    /// The key that a byte outside of a sequence stands for.
    init?(_ byte: UInt8) {
        switch Character(Unicode.Scalar(byte)) {
        case " ", "p": self = .togglePause
        case "[": self = .addRate(-0.1)
        case "]": self = .addRate(0.1)
        case "{": self = .multiplyRate(0.5)
        case "}": self = .multiplyRate(2)
        case "\u{7F}", "\u{08}": self = .normalRate
        case "9", "/": self = .addVolume(-0.05)
        case "0", "*": self = .addVolume(0.05)
        case "m": self = .toggleMute
        // Enter comes as a line feed, or as a carriage return where the terminal does not translate it.
        case ">", "\n", "\r": self = .nextItem
        case "<": self = .previousItem
        case "L": self = .cycleLoop
        case "?": self = .help
        case "q", "Q": self = .quit
        default: return nil
        }
    }

    /// The key that a sequence of xterm, `ESC [ parameters final`, stands for.
    init?(sequence parameters: String, final: UInt8) {
        let isShifted = parameters.hasSuffix(";2")
        let number = parameters.prefix { $0 != ";" }
        let modifier = parameters.dropFirst(number.count)
        guard modifier.isEmpty || isShifted else { return nil }
        switch (final, number) {
        case (UInt8(ascii: "A"), "") where !isShifted: self = .skip(60)
        case (UInt8(ascii: "B"), "") where !isShifted: self = .skip(-60)
        case (UInt8(ascii: "C"), "") where !isShifted: self = .skip(5)
        case (UInt8(ascii: "D"), "") where !isShifted: self = .skip(-5)
        case (UInt8(ascii: "A"), "1") where isShifted: self = .skip(5)
        case (UInt8(ascii: "B"), "1") where isShifted: self = .skip(-5)
        case (UInt8(ascii: "C"), "1") where isShifted: self = .skip(1)
        case (UInt8(ascii: "D"), "1") where isShifted: self = .skip(-1)
        case (UInt8(ascii: "~"), "5"): self = isShifted ? .skip(600) : .nextChapter
        case (UInt8(ascii: "~"), "6"): self = isShifted ? .skip(-600) : .previousChapter
        case (UInt8(ascii: "H"), "") where !isShifted: self = .start
        case (UInt8(ascii: "H"), "1") where isShifted: self = .firstItem
        case (UInt8(ascii: "F"), "1") where isShifted: self = .lastItem
        case (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): self = isShifted ? .firstItem : .start
        case (UInt8(ascii: "~"), "4") where isShifted, (UInt8(ascii: "~"), "8") where isShifted: self = .lastItem
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
