/// A row of the table of keys: commands, the keys that give them, and a line of help.
package struct KeyRow: Sendable {
    /// A key of a row.
    package struct Key: Sendable {
        package let name: KeyName
        /// The face that has the key; `nil` if both do.
        package let face: PlayerFace?

        /// Returns whether a face has the key.
        package func isOf(_ face: PlayerFace) -> Bool { self.face == nil || self.face == face }
    }

    /// The effect of the keys in `--plain`, which shows one line in place of the full screen.
    package enum LineUse: Sendable {
        /// The keys do nothing.
        case none
        /// The keys do the same as on the full screen.
        case works
        /// The keys do the same as on the full screen, and the short help lists them with these words.
        case told(String)
    }

    package let context: KeyContext
    private let text: String
    package let keys: [(command: BoundCommand, keys: [Key])]
    /// The use of the keys beside the line of `--plain`.
    package private(set) var line = LineUse.none

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - context: The part of a face in which the keys have this meaning.
    ///   - meaning: The line of help.
    ///   - keys: Commands as `config.toml` writes them, and their keys.
    ///     A key of one face has that before it: `window ctrl+o`.
    ///   - face: The face that has all the keys. Default: both.
    init(_ context: KeyContext, _ meaning: String, _ keys: (String, [String])..., only face: PlayerFace? = nil) {
        self.init(context, meaning, keys: keys, only: face)
    }

    /// Creates a row of commands in an array.
    init(_ context: KeyContext, _ meaning: String, keys: [(String, [String])], only face: PlayerFace? = nil) {
        self.context = context
        text = meaning
        self.keys = keys.compactMap { text, names in
            BoundCommand(text: text).map { ($0, names.compactMap { Key($0, face) }) }
        }
        let areOfPlayer = self.keys.allSatisfy { if case .listening = $0.command { true } else { false } }
        line = areOfPlayer && face != .window ? .works : .none
    }

    /// Returns the row with another use beside the line.
    func onLine(_ use: LineUse) -> Self {
        var row = self
        row.line = use
        return row
    }

    /// Whether this is the row of the keys for skipping by the configured interval.
    var isSkip: Bool { keys.first?.command == .listening(.skipBack) }

    /// Returns the line of help.
    ///
    /// - Parameter skips: The seconds of a skip. Default: those that hold if none are set.
    package func meaning(skips: SkipIntervals = SkipIntervals()) -> String { isSkip ? skips.meaning : text }

    /// Returns whether a face has keys of the row.
    package func isOf(_ face: PlayerFace) -> Bool { keys.contains { $0.keys.contains { $0.isOf(face) } } }

    /// Returns the names of a command's keys in a face.
    func names(of keys: [Key], in face: PlayerFace) -> [KeyName] { keys.filter { $0.isOf(face) }.map(\.name) }
}

extension KeyRow.Key {
    /// Reads a key of the table; `nil` if it is none.
    fileprivate init?(_ text: String, _ face: PlayerFace?) {
        let words = text.split(separator: " ")
        guard let name = words.last.flatMap({ KeyName(String($0)) }) else { return nil }
        self.name = name
        self.face = words.count > 1 ? PlayerFace(rawValue: String(words[0])) : face
    }
}

/// The rows of a heading in the window's list of keys.
package struct KeyGroup: Sendable {
    package let title: String
    package let rows: [KeyRow]

    init(_ title: String, _ rows: [KeyRow]) { (self.title, self.rows) = (title, rows) }
}
