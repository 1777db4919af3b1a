package import SyrinxListening
package import SyrinxTerminal

/// The user's settings of the terminal player, from `config.toml`.
///
///     skip-forward = 30
///     skip-back = 10
///     refresh-podcasts = 60
///     new-episodes = 3
///     on-hangup = "pause"
///
///     [podcasts]
///     directory = "gpodder.net"
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
    /// The configured colors.
    private var colors: [Theme.Role: Color] = [:]
    /// The key bindings, and the lengths of skips.
    private var shared = FaceSettings(face: .terminal)
    /// Whether the mouse is used.
    package private(set) var usesMouse = true
    /// Whether cover pictures are displayed.
    package private(set) var showsCovers = true
    /// The interval at which podcasts are refreshed.
    package private(set) var podcasts = PodcastRefreshing()

    /// The effect of a terminal that closes; `nil` if it is not configured.
    package private(set) var hangUp: HangUpRule?

    /// The key bindings.
    package var bindings: KeyBindings { shared.bindings }
    /// The length of a skip forward in seconds, 1…600; `nil` if it is not configured.
    package var skipForward: Double? { shared.skipForward }
    /// The length of a skip back in seconds, 1…600; `nil` if it is not configured.
    package var skipBack: Double? { shared.skipBack }

    /// The standard settings.
    package init() {}

    /// The first errors in the text, in line order.
    package private(set) var errors: [ConfigError] = []

    /// Parses the text of `config.toml`.
    ///
    /// A line with an error is ignored. After many errors the rest of the text is ignored, because suggesting names
    /// takes time.
    package init(_ text: String) {
        let document = TOMLDocument(text)
        var found: [ConfigError] = []
        var unknownTables: Set<String> = []
        for entry in document.entries where !unknownTables.contains(entry.table) {
            guard found.count < TOMLDocument.maximumErrorCount else { break }
            do throws(ConfigError) {
                try set(entry)
            } catch {
                found.append(error)
                if error.code == .unknownTable { unknownTables.insert(entry.table) }
            }
        }
        errors = (document.errors + found).sorted { $0.line < $1.line }
        guard errors.count >= TOMLDocument.maximumErrorCount else { return }
        errors.removeSubrange((TOMLDocument.maximumErrorCount - 1)...)
        let message = "There are too many wrong lines: this may be another file, and only a part of it is used."
        errors.append(ConfigError(code: .syntax, message: message, line: (errors.last?.line ?? 0) + 1))
    }

    /// Returns the theme for a terminal: the configured colors, and a default theme for other roles.
    ///
    /// - Parameters:
    ///   - depth: The number of colors of the terminal.
    ///   - isLight: Whether the terminal has a light background.
    package func theme(depth: ColorDepth = .trueColor, isLight: Bool = false) -> Theme {
        var theme = Theme(depth: depth, isLight: isLight)
        for (role, color) in colors { theme[role] = color }
        return theme
    }

    private mutating func set(_ entry: TOMLDocument.Entry) throws(ConfigError) {
        if try shared.take(entry) { return }
        switch entry.table {
        case "":
            switch entry.key {
            case "mouse": usesMouse = try Self.boolean(entry)
            case "covers": showsCovers = try Self.boolean(entry)
            case Self.hangUpKey: hangUp = try Self.hangUpRule(entry)
            case PodcastRefreshing.key: podcasts = try PodcastRefreshing(entry)
            // Other code opens the library; here only an invalid value is reported.
            case NewEpisodes.key: _ = try NewEpisodes(entry)
            default:
                // The player reads them; here only an invalid value is reported.
                var radio = RadioSettings(environment: [:])
                if try radio.take(entry) { return }
                let known =
                    ["mouse", "covers", Self.hangUpKey] + FaceSettings.names + [PodcastRefreshing.key, NewEpisodes.key]
                    + RadioSettings.keys
                throw Self.unknown(entry, known)
            }
        case DirectorySetting.table:
            guard entry.key == DirectorySetting.key else { throw Self.unknown(entry, [DirectorySetting.key]) }
            // Other code searches; here only an invalid value is reported.
            _ = try DirectorySetting(entry)
        case "theme":
            guard let role = Theme.Role(rawValue: entry.key) else {
                throw Self.unknown(entry, Theme.Role.allCases.map(\.rawValue))
            }
            let name = if case .string(let name) = entry.value { name } else { "" }
            guard let color = Color(name: name) else {
                let expected = "a colour: a name such as red or bright-blue, #rrggbb, 0 … 255, or default"
                throw ConfigError(badValueOf: entry, expected, NearestName.question(name, among: Color.names))
            }
            colors[role] = color
        default: throw Self.unknownTable(entry)
        }
    }

    private static let hangUpKey = "on-hangup"

    private static func hangUpRule(_ entry: TOMLDocument.Entry) throws(ConfigError) -> HangUpRule {
        let name = if case .string(let name) = entry.value { name } else { "" }
        guard let rule = HangUpRule(rawValue: name) else {
            throw ConfigError(badValueOf: entry, "\"pause\", \"end\" or \"play\"")
        }
        return rule
    }

    private static func boolean(_ entry: TOMLDocument.Entry) throws(ConfigError) -> Bool {
        guard case .boolean(let value) = entry.value else { throw ConfigError(badValueOf: entry, "true or false") }
        return value
    }

    private static func unknown(_ entry: TOMLDocument.Entry, _ known: [String]) -> ConfigError {
        let place = entry.table.isEmpty ? "" : " in [\(entry.table)]"
        let message = "There is no setting “\(entry.key)”\(place)"
        return ConfigError(code: .unknownName, message: hint(message, entry.key, known), line: entry.line)
    }

    private static func unknownTable(_ entry: TOMLDocument.Entry) -> ConfigError {
        let known = ["theme", DirectorySetting.table, "keys"] + KeyContext.allCases.map { "keys." + $0.rawValue }
        let message = "There is no table [\(entry.table)], and what it sets is left out"
        return ConfigError(code: .unknownTable, message: hint(message, entry.table, known), line: entry.line)
    }

    /// Returns a message with the most similar name, or with all names.
    private static func hint(_ message: String, _ name: String, _ known: [String]) -> String {
        let question = NearestName.question(name, among: known)
        return question.isEmpty ? "\(message); there are \(known.joined(separator: ", "))." : "\(message).\(question)"
    }
}

extension Color {
    /// Creates a color from its name in `config.toml`; `nil` if the name is unknown.
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
            guard let index = Self.names.firstIndex(of: name) else { return nil }
            self = .indexed(UInt8(index))
        }
    }

    /// The names of the first sixteen colors, in order.
    fileprivate static let names = ["", "bright-"].flatMap { prefix in
        ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"].map { prefix + $0 }
    }
}
