package import SyrinxListening
package import SyrinxTerminal

/// The table of keys: what each does in each part of the screen.
package struct KeyBindings: Equatable, Sendable {
    private var table: [KeyContext: [KeyPress: BoundCommand]]

    /// The standard keys: those of mpv where mpv has them.
    package init() {
        table = [:]
        for row in Self.standard {
            for (command, names) in row.keys {
                for key in names.compactMap(KeyPress.init(name:)) { table[row.context, default: [:]][key] = command }
            }
        }
    }

    /// The command of a key on a page; `nil` if it has none there.
    package func command(for key: KeyPress, on page: Page) -> BoundCommand? {
        for context in page.contexts {
            if let command = table[context]?[key] { return command }
        }
        return nil
    }

    /// Gives a key another meaning in a context; `nil` takes its meaning there away.
    package mutating func bind(_ key: KeyPress, to command: BoundCommand?, in context: KeyContext) {
        table[context, default: [:]][key] = command
    }

    /// The keys of a command in a context: the standard ones in the order of the table, then the listener's own.
    package func keys(for command: BoundCommand, in context: KeyContext) -> [KeyPress] {
        let standard = Self.standardKeys(of: command, in: context)
        let bound = (table[context] ?? [:]).filter { $0.value == command }.keys
        let own = bound.filter { !standard.contains($0) }.sorted { $0.name < $1.name }
        return standard.filter { bound.contains($0) } + own
    }

    private static func standardKeys(of command: BoundCommand, in context: KeyContext) -> [KeyPress] {
        parsedStandard[context]?[command] ?? []
    }

    /// The standard keys of each command, in the order of the table.
    private static let parsedStandard: [KeyContext: [BoundCommand: [KeyPress]]] = {
        var result: [KeyContext: [BoundCommand: [KeyPress]]] = [:]
        for row in standard {
            for (command, names) in row.keys {
                result[row.context, default: [:]][command, default: []] += names.compactMap(KeyPress.init(name:))
            }
        }
        return result
    }()

    /// The first key of a command on a page, for the footer; `nil` if it has none.
    func hint(for command: BoundCommand, on page: Page) -> String? {
        for context in page.contexts {
            // It is asked for with every frame, so the standard keys are tried before the whole table is looked through.
            let standard = Self.standardKeys(of: command, in: context)
            let found =
                standard.first { self.command(for: $0, on: page) == command }
                ?? keys(for: command, in: context).first { self.command(for: $0, on: page) == command }
            if let found { return found.symbol }
        }
        return nil
    }

    /// The help for a page: its own keys first, then those that work everywhere.
    /// - Parameters:
    ///   - page: The page.
    ///   - skips: The seconds of the keys that skip by the interval that is set. Default: those that hold where none is set.
    package func help(
        for page: Page,
        skips: SkipIntervals = SkipIntervals()
    ) -> [(context: KeyContext, keys: String, meaning: String)] {
        var rows: [(context: KeyContext, keys: String, meaning: String)] = []
        for context in page.contexts {
            // A command with two rows has the listener's own keys in the first of them.
            var listed: Set<BoundCommand> = []
            for row in Self.standard where row.context == context {
                let symbols = symbols(of: row, on: page, listed: &listed)
                guard !symbols.isEmpty else { continue }
                rows.append((context, symbols.joined(separator: " "), row.meaning(with: skips)))
            }
        }
        return rows
    }

    /// The keys that a row has on a page.
    /// - Parameter listed: The commands of the rows before, and of this one when it returns.
    private func symbols(of row: Row, on page: Page, listed: inout Set<BoundCommand>) -> [String] {
        var symbols: [String] = []
        for (command, names) in row.keys {
            let isFirst = listed.insert(command).inserted
            let standard = names.compactMap(KeyPress.init(name:))
            let others = Self.standardKeys(of: command, in: row.context).filter { !standard.contains($0) }
            for key in keys(for: command, in: row.context) where self.command(for: key, on: page) == command {
                if standard.contains(key) || (isFirst && !others.contains(key)) { symbols.append(key.symbol) }
            }
        }
        return symbols
    }
}

// MARK: - The line of --plain

extension KeyBindings {
    /// Returns the keys that work beside the line of `--plain`, in the order of the table.
    ///
    /// `brief` is the meaning in the words of the line's short help; `nil` for keys that it leaves out.
    /// - Parameter skips: The seconds of the keys that skip by the interval that is set. Default: those that hold where none is set.
    package func line(skips: SkipIntervals = SkipIntervals()) -> [(keys: String, meaning: String, brief: String?)] {
        var listed: Set<BoundCommand> = []
        return Self.standard.compactMap { row in
            let brief: String?
            switch row.line {
            case .none: return nil
            case .works: brief = nil
            case .told(let words): brief = row.isSkip ? skips.brief : words
            }
            let symbols = symbols(of: row, on: .playing, listed: &listed)
            return symbols.isEmpty ? nil : (symbols.joined(separator: " "), row.meaning(with: skips), brief)
        }
    }

    /// Returns the command of a key beside the line of `--plain`; `nil` if it has none there.
    ///
    /// - Parameter key: The key that was pressed.
    package func lineCommand(for key: KeyPress) -> BoundCommand? {
        guard let command = command(for: key, on: .playing) else { return nil }
        if case .listening = command { return command }
        return Self.lineCommands.contains(command) ? command : nil
    }

    /// The commands of the rows that work there.
    private static let lineCommands: Set<BoundCommand> = {
        let rows = standard.filter { if case .none = $0.line { false } else { true } }
        return Set(rows.flatMap { $0.keys.map(\.0) })
    }()
}

// MARK: - Names of keys

extension KeyPress {
    /// A key by its name in `config.toml`, such as `ctrl+r`, `shift+left`, `space` or `A`; `nil` if there is none of that name.
    package init?(name: String) {
        var modifiers: KeyModifiers = []
        var rest = Substring(name)
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
            guard !modifiers.contains(.shift), !character.isWhitespace else { return nil }
            let isControl = modifiers.contains(.control)
            self.init(.character(isControl ? Character(character.lowercased()) : character), modifiers)
            return
        }
        guard let code = Self.named[rest.lowercased()] ?? Self.function(rest) else { return nil }
        self.init(code, modifiers)
    }

    /// The name in `config.toml`.
    package var name: String {
        prefix + Self.text(code, named: Self.named.first { $0.value == code && !Self.aliases.contains($0.key) }?.key)
    }

    /// The name for the help and the footer: arrows as arrows.
    package var symbol: String {
        let symbol: String? =
            switch code {
            case .up: "↑"
            case .down: "↓"
            case .left: "←"
            case .right: "→"
            case .pageUp: "PgUp"
            case .pageDown: "PgDn"
            case .character(" "): "Space"
            case .function(let number): "F\(number)"
            case .character: nil
            default: name.split(separator: "+").last.map { $0.prefix(1).uppercased() + $0.dropFirst() }
            }
        return prefix.split(separator: "+").map { $0.prefix(1).uppercased() + $0.dropFirst() + "-" }.joined()
            + Self.text(code, named: symbol)
    }

    private var prefix: String {
        (modifiers.contains(.control) ? "ctrl+" : "") + (modifiers.contains(.alt) ? "alt+" : "")
            + (modifiers.contains(.shift) ? "shift+" : "")
    }

    private static func text(_ code: KeyCode, named name: String?) -> String {
        if let name { return name }
        return switch code {
        case .character(let character): String(character)
        case .function(let number): "f\(number)"
        default: ""
        }
    }

    private static func function(_ text: Substring) -> KeyCode? {
        guard text.first == "f" || text.first == "F", let number = Int(text.dropFirst()), (1...24).contains(number)
        else {
            return nil
        }
        return .function(number)
    }

    /// The names of keys that have one, without modifiers.
    static var names: [String] { named.keys.sorted() }

    private static let aliases: Set<String> = ["return", "bs", "esc", "pgup", "pgdn", "del", "ins", "pgdwn"]

    private static let named: [String: KeyCode] = [
        "space": .character(" "), "enter": .enter, "return": .enter, "tab": .tab, "backspace": .backspace,
        "bs": .backspace, "escape": .escape, "esc": .escape, "up": .up, "down": .down, "left": .left, "right": .right,
        "home": .home, "end": .end, "pageup": .pageUp, "pgup": .pageUp, "pagedown": .pageDown, "pgdn": .pageDown,
        "pgdwn": .pageDown, "insert": .insert, "ins": .insert, "delete": .delete, "del": .delete,
    ]
}
