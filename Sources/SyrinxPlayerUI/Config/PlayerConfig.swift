package import SyrinxTerminal

/// The listener's settings of the screen: `config.toml`.
///
///     skip-forward = 30
///     skip-back = 10
///
///     [theme]
///     accent = "#5fafd7"
///     error = "bright-red"
///
///     [keys]
///     "ctrl+right" = "seek +30"
///     "Q" = "none"
///
///     [keys.queue]
///     x = "remove"
package struct PlayerConfig: Equatable, Sendable {
    /// The colours.
    package private(set) var theme = Theme()
    /// The keys.
    package private(set) var bindings = KeyBindings()
    /// Whether the mouse is used.
    package private(set) var usesMouse = true
    /// Whether covers are shown.
    package private(set) var showsCovers = true
    /// Seconds of a skip forward, 1…600; `nil` where none is set.
    package private(set) var skipForward: Double?
    /// Seconds of a skip back, 1…600; `nil` where none is set.
    package private(set) var skipBack: Double?

    /// The standard settings.
    package init() {}

    /// Reads the settings from the text of `config.toml`.
    ///
    /// - Throws: The first error in the text.
    package init(_ text: String) throws(ConfigError) {
        for entry in try TOMLDocument(text).entries { try set(entry) }
    }

    private mutating func set(_ entry: TOMLDocument.Entry) throws(ConfigError) {
        switch entry.table {
        case "":
            switch entry.key {
            case "mouse": usesMouse = try Self.boolean(entry)
            case "covers": showsCovers = try Self.boolean(entry)
            case "skip-forward": skipForward = try Self.seconds(entry)
            case "skip-back": skipBack = try Self.seconds(entry)
            default: throw Self.unknown(entry, ["mouse", "covers", "skip-forward", "skip-back"])
            }
        case "theme":
            guard let role = Theme.Role(rawValue: entry.key) else {
                throw Self.unknown(entry, Theme.Role.allCases.map(\.rawValue))
            }
            guard case .string(let name) = entry.value, let color = Color(name: name) else {
                throw Self.bad(entry, "a colour: a name such as red or bright-blue, #rrggbb, 0 … 255, or default")
            }
            theme[role] = color
        case "keys": try bind(entry, in: .player)
        case let table where table.hasPrefix("keys."):
            guard let context = KeyContext(rawValue: String(table.dropFirst(5))) else {
                throw Self.unknown(entry, KeyContext.allCases.map { "keys." + $0.rawValue })
            }
            try bind(entry, in: context)
        default: throw Self.unknown(entry, ["theme", "keys"])
        }
    }

    private mutating func bind(_ entry: TOMLDocument.Entry, in context: KeyContext) throws(ConfigError) {
        guard let key = KeyPress(name: entry.key) else {
            throw ConfigError(
                code: .unknownName,
                message: "There is no key “\(entry.key)”: keys are written as space, ctrl+r, shift+left, f5 or A.",
                line: entry.line
            )
        }
        guard case .string(let text) = entry.value else { throw Self.bad(entry, "a command in quotes") }
        if text == "none" {
            bindings.bind(key, to: nil, in: context)
            return
        }
        guard let command = BoundCommand(text: text) else {
            throw Self.bad(entry, "a command such as \"toggle\" or \"seek -10\", or \"none\"")
        }
        bindings.bind(key, to: command, in: context)
    }

    private static func boolean(_ entry: TOMLDocument.Entry) throws(ConfigError) -> Bool {
        guard case .boolean(let value) = entry.value else { throw bad(entry, "true or false") }
        return value
    }

    private static func seconds(_ entry: TOMLDocument.Entry) throws(ConfigError) -> Double {
        guard case .number(let seconds) = entry.value, (1...600).contains(seconds) else {
            throw bad(entry, "a number of seconds, 1 to 600")
        }
        return seconds
    }

    private static func unknown(_ entry: TOMLDocument.Entry, _ known: [String]) -> ConfigError {
        let place = entry.table.isEmpty ? "" : " in [\(entry.table)]"
        return ConfigError(
            code: .unknownName,
            message: "The setting “\(entry.key)”\(place) is not known; there are \(known.joined(separator: ", ")).",
            line: entry.line
        )
    }

    private static func bad(_ entry: TOMLDocument.Entry, _ expected: String) -> ConfigError {
        ConfigError(code: .badValue, message: "The value of “\(entry.key)” must be \(expected).", line: entry.line)
    }
}

extension Color {
    /// A colour by its name in `config.toml`; `nil` if there is none of that name.
    package init?(name: String) {
        let name = name.lowercased()
        if name == "default" {
            self = .standard
        } else if name.hasPrefix("#") {
            let digits = name.dropFirst()
            guard digits.count == 6, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) else {
                return nil
            }
            self = .rgb(
                UInt8(truncatingIfNeeded: value >> 16),
                UInt8(truncatingIfNeeded: value >> 8),
                UInt8(truncatingIfNeeded: value)
            )
        } else if let index = UInt8(name) {
            self = .indexed(index)
        } else {
            let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
            let isBright = name.hasPrefix("bright-")
            guard let index = names.firstIndex(of: isBright ? String(name.dropFirst(7)) : name) else { return nil }
            self = .indexed(UInt8(index + (isBright ? 8 : 0)))
        }
    }
}
