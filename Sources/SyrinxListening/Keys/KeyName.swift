/// A key with its modifiers, by its name in `config.toml`: `ctrl+r`, `shift+left`, `space` or `A`.
///
/// Each face makes names of the keys that its system reports.
package struct KeyName: Hashable, Sendable {
    /// The keys that are held while another is pressed.
    package struct Modifiers: OptionSet, Hashable, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        package static let control = Self(rawValue: 1)
        package static let alt = Self(rawValue: 2)
        /// Shift; a character that needs it, such as `?`, is named without it.
        package static let shift = Self(rawValue: 4)
    }

    /// One character that is no space, `f1` to `f24`, or one of `names`.
    package let key: String
    package let modifiers: Modifiers

    /// Creates the name of a key that a face reports.
    ///
    /// - Parameters:
    ///   - key: One character, `f1` to `f24`, or one of `names`.
    ///   - modifiers: The modifiers; none by default.
    package init(key: String, _ modifiers: Modifiers = []) { (self.key, self.modifiers) = (key, modifiers) }

    /// Reads a name; `nil` if no key has it.
    package init?(_ text: String) {
        var modifiers: Modifiers = []
        var rest = Substring(text)
        while let plus = rest.dropFirst().firstIndex(of: "+"), plus != rest.startIndex {
            let after = rest.index(after: plus)
            guard after < rest.endIndex else { break }
            switch rest[..<plus].lowercased() {
            case "ctrl", "control": modifiers.insert(.control)
            case "shift": modifiers.insert(.shift)
            case "alt", "meta": modifiers.insert(.alt)
            default: return nil
            }
            rest = rest[after...]
        }
        if rest.count == 1, let character = rest.first {
            let isControl = modifiers.contains(.control)
            guard isControl || !modifiers.contains(.shift), !character.isWhitespace else { return nil }
            self.init(key: isControl ? rest.lowercased() : String(rest), modifiers)
            return
        }
        let name = rest.lowercased()
        guard let key = Self.aliases[name] ?? (Self.symbols[name] == nil ? Self.function(name) : name) else {
            return nil
        }
        self.init(key: key, modifiers)
    }

    /// The name in `config.toml`.
    package var text: String { marks.map { $0.lowercased() + "+" }.joined() + key }

    /// The name for the help: arrows as arrows.
    package var symbol: String { marks.map { $0 + "-" }.joined() + (Self.symbols[key] ?? functionSymbol ?? key) }

    private var marks: [String] {
        [(Modifiers.control, "Ctrl"), (.alt, "Alt"), (.shift, "Shift")].filter { modifiers.contains($0.0) }.map(\.1)
    }

    private var functionSymbol: String? { key.count > 1 ? key.uppercased() : nil }

    private static func function(_ text: String) -> String? {
        guard text.first == "f", let number = Int(text.dropFirst()), (1...24).contains(number) else { return nil }
        return "f\(number)"
    }

    /// The names of keys that have one, without modifiers.
    package static let names = (Array(symbols.keys) + aliases.keys).sorted()

    private static let aliases = [
        "return": "enter", "bs": "backspace", "esc": "escape", "pgup": "pageup", "pgdn": "pagedown",
        "pgdwn": "pagedown", "ins": "insert", "del": "delete",
    ]

    private static let symbols = [
        "space": "Space", "enter": "Enter", "tab": "Tab", "backspace": "Backspace", "escape": "Escape", "up": "↑",
        "down": "↓", "left": "←", "right": "→", "home": "Home", "end": "End", "pageup": "PgUp", "pagedown": "PgDn",
        "insert": "Insert", "delete": "Delete", "menu": "Menu",
    ]
}
