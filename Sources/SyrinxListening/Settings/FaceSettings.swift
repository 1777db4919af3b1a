/// The settings of `config.toml` that hold in every face: keys, and the seconds of skips.
package struct FaceSettings: Equatable, Sendable {
    /// The names of the settings before the first table.
    package static let names = ["skip-forward", "skip-back"]

    /// The keys.
    package private(set) var bindings: KeyBindings
    /// Seconds of a skip forward, 1…600; `nil` if none are set.
    package private(set) var skipForward: Double?
    /// Seconds of a skip back, 1…600; `nil` if none are set.
    package private(set) var skipBack: Double?

    /// Creates the standard settings of a face.
    package init(face: PlayerFace) { bindings = KeyBindings(face: face) }

    /// Reads the settings from the text of `config.toml`, without the lines that are wrong.
    ///
    /// The command reports these lines.
    package init(settings text: String, face: PlayerFace) {
        self.init(face: face)
        for entry in TOMLDocument(text).entries { _ = try? take(entry) }
    }

    /// The seconds of a skip if no podcast sets them.
    package var skips: SkipIntervals {
        let standard = SkipIntervals()
        return SkipIntervals(back: skipBack ?? standard.back, forward: skipForward ?? standard.forward)
    }

    /// Applies an entry of the file.
    ///
    /// - Returns: Whether it is one of these settings.
    /// - Throws: If it is one of these, and its key or its value is wrong.
    package mutating func take(_ entry: TOMLDocument.Entry) throws(ConfigError) -> Bool {
        switch (entry.table, entry.key) {
        case ("", "skip-forward"): skipForward = try Self.seconds(entry)
        case ("", "skip-back"): skipBack = try Self.seconds(entry)
        case ("keys", _): try bind(entry, in: .player)
        case (let table, _) where table.hasPrefix("keys."):
            guard let context = KeyContext(rawValue: String(table.dropFirst(5))) else { return false }
            try bind(entry, in: context)
        default: return false
        }
        return true
    }

    private mutating func bind(_ entry: TOMLDocument.Entry, in context: KeyContext) throws(ConfigError) {
        guard let key = KeyName(entry.key) else {
            throw ConfigError(
                code: .unknownName,
                message: "There is no key “\(entry.key)”: keys are written as space, ctrl+r, shift+left, f5 or A."
                    + NearestName.question(entry.key, among: KeyName.names),
                line: entry.line
            )
        }
        guard case .string(let text) = entry.value else { throw ConfigError(badValueOf: entry, "a command in quotes") }
        if text == "none" {
            bindings.bind(key, to: nil, in: context)
            return
        }
        guard let command = BoundCommand(text: text) else {
            let question = NearestName.question(String(text.prefix { $0 != " " }), among: BoundCommand.names)
            throw ConfigError(
                badValueOf: entry,
                "a command such as \"toggle\" or \"seek -10\", or \"none\"",
                question
            )
        }
        bindings.bind(key, to: command, in: context)
    }

    private static func seconds(_ entry: TOMLDocument.Entry) throws(ConfigError) -> Double {
        guard case .number(let seconds) = entry.value, (1...600).contains(seconds) else {
            throw ConfigError(badValueOf: entry, "a number of seconds, 1 to 600")
        }
        return seconds
    }
}

extension ConfigError {
    /// Creates the error of a value.
    ///
    /// - Parameters:
    ///   - entry: The entry with the value.
    ///   - expected: The values that it takes, in words.
    ///   - question: A sentence that follows, after a space. Default: none.
    package init(badValueOf entry: TOMLDocument.Entry, _ expected: String, _ question: String = "") {
        let message = "The value of “\(entry.key)” must be \(expected).\(question)"
        self.init(code: .badValue, message: message, line: entry.line)
    }
}
