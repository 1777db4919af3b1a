/// A value of the subset of TOML that `config.toml` uses.
package enum TOMLValue: Equatable, Sendable {
    case string(String)
    case number(Double)
    case boolean(Bool)
    case strings([String])
}

/// The error in a configuration.
package struct ConfigError: Error, Equatable, Sendable {
    /// The kind of an error, with a stable dotted code.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }
        /// The text is not valid in the supported subset of TOML.
        package static let syntax = Self(rawValue: "usage.configSyntax")
        /// The key does not exist.
        package static let unknownName = Self(rawValue: "usage.configName")
        /// The table does not exist.
        package static let unknownTable = Self(rawValue: "usage.configTable")
        /// The value is not valid for its key.
        package static let badValue = Self(rawValue: "usage.configValue")
    }

    package var code: Code
    /// A sentence that describes the error and how to correct it.
    package var message: String
    /// The line number, from 1.
    package var line: Int

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - message: A sentence that describes the error and how to correct it.
    ///   - line: The line number, from 1.
    package init(code: Code, message: String, line: Int) {
        (self.code, self.message, self.line) = (code, message, line)
    }
}

/// A configuration in a strict subset of TOML 1.0.
///
/// There are comments, tables with bare dotted names, bare and quoted keys, strings on a line (basic and literal),
/// decimal numbers, booleans, and arrays of strings on a line. Other lines are errors, and are ignored. Keys below an
/// invalid table name are ignored too, because they would belong to another table.
package struct TOMLDocument: Sendable {
    /// A key with its value.
    package struct Entry: Equatable, Sendable {
        /// The name of the table with its dots; empty before the first table.
        package var table: String
        package var key: String
        package var value: TOMLValue
        /// The line number, from 1.
        package var line: Int
    }

    /// The maximum size of a document, in bytes.
    package static let maximumLength = 1 << 20

    /// The maximum number of errors, because a text that is not a configuration may have one in each line.
    package static let maximumErrorCount = 20

    /// The entries, in order.
    package private(set) var entries: [Entry] = []
    /// The first errors, in the order of their lines, with the code `syntax`.
    package private(set) var errors: [ConfigError] = []

    /// The state of parsing a document.
    private struct Reading {
        /// The name of the table; `nil` after an invalid name.
        var table: String? = ""
        var tables: Set<String> = []
        var keys: Set<String> = []
    }

    /// Parses a document.
    package init(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else {
            errors = [ConfigError(code: .syntax, message: "The configuration is longer than 1 MiB.", line: 1)]
            return
        }
        var reading = Reading()
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            do throws(ConfigError) {
                try read(line, index + 1, &reading)
            } catch {
                if errors.count < Self.maximumErrorCount { errors.append(error) }
            }
        }
    }

    private mutating func read(_ text: Substring, _ line: Int, _ reading: inout Reading) throws(ConfigError) {
        var scanner = TOMLScanner(text, line: line)
        scanner.skipSpace()
        if scanner.isAtEnd { return }
        if scanner.skip("[") {
            reading.table = nil
            let table = try scanner.tableName()
            reading.table = table
            guard reading.tables.insert(table).inserted else {
                throw scanner.error("The table [\(table)] occurs twice.")
            }
            return
        }
        guard let table = reading.table else { return }
        let key = try scanner.key()
        guard scanner.skip("=") else { throw scanner.error("An equals sign is missing after “\(key)”.") }
        scanner.skipSpace()
        let value = try scanner.value()
        try scanner.end()
        guard reading.keys.insert(table + "\n" + key).inserted else {
            throw scanner.error("The key “\(key)” occurs twice in its table.")
        }
        entries.append(Entry(table: table, key: key, value: value, line: line))
    }
}

/// Parses a line of a document.
private struct TOMLScanner {
    private var rest: Substring
    private let line: Int

    init(_ text: Substring, line: Int) {
        rest = text
        self.line = line
    }

    func error(_ message: String) -> ConfigError { ConfigError(code: .syntax, message: message, line: line) }

    /// Whether the rest of the line is empty or a comment.
    var isAtEnd: Bool { rest.isEmpty || rest.first == "#" }

    mutating func skipSpace() { rest = rest.drop { $0 == " " || $0 == "\t" } }

    mutating func skip(_ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    mutating func end() throws(ConfigError) {
        skipSpace()
        guard isAtEnd else { throw error("Unexpected text after the value: “\(rest.prefix(20))”.") }
    }

    mutating func tableName() throws(ConfigError) -> String {
        skipSpace()
        let name = rest.prefix { Self.isBare($0) || $0 == "." }
        rest = rest[name.endIndex...]
        skipSpace()
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard !parts.contains(where: \.isEmpty), skip("]") else {
            throw error("A table must be a name in brackets, such as [theme] or [keys.queue].")
        }
        try end()
        return String(name)
    }

    mutating func key() throws(ConfigError) -> String {
        defer { skipSpace() }
        if rest.first == "\"" || rest.first == "'" { return try string() }
        let name = rest.prefix(while: Self.isBare)
        guard !name.isEmpty else {
            throw error("A key consists of letters, digits, - and _, or is in quotes.")
        }
        rest = rest[name.endIndex...]
        return String(name)
    }

    mutating func value() throws(ConfigError) -> TOMLValue {
        switch rest.first {
        case "\"", "'": return .string(try string())
        case "[": return .strings(try array())
        default: break
        }
        let word = rest.prefix { !" \t#,]".contains($0) }
        rest = rest[word.endIndex...]
        if word == "true" || word == "false" { return .boolean(word == "true") }
        let digits = word.replacing(/([0-9])_([0-9])/) { $0.1 + $0.2 }
        let isNumber = digits.wholeMatch(of: /[+-]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil
        guard isNumber, let number = Double(digits), number.isFinite else {
            throw error(
                "A value is a string in quotes, a number, true, false, or an array of strings, not “\(word.prefix(20))”."
            )
        }
        return .number(number)
    }

    private mutating func array() throws(ConfigError) -> [String] {
        rest.removeFirst()
        var strings: [String] = []
        skipSpace()
        while !skip("]") {
            strings.append(try string())
            skipSpace()
            let hasComma = skip(",")
            skipSpace()
            guard hasComma || rest.first == "]" else { throw error("An array must end with ] on its line.") }
        }
        return strings
    }

    private mutating func string() throws(ConfigError) -> String {
        guard let quote = rest.first, quote == "\"" || quote == "'" else {
            throw error("A string must be in quotes.")
        }
        rest.removeFirst()
        var text = ""
        while let character = rest.popFirst() {
            if character == quote { return text }
            if character == "\\", quote == "\"" {
                text.unicodeScalars.append(try escape())
            } else {
                guard character == "\t" || !character.unicodeScalars.contains(where: { $0.value < 0x20 }) else { break }
                text.append(character)
            }
        }
        throw error("A string must end on its line.")
    }

    private mutating func escape() throws(ConfigError) -> Unicode.Scalar {
        switch rest.popFirst() {
        case "\\": return "\\"
        case "\"": return "\""
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "u": return try scalar(digits: 4)
        case "U": return try scalar(digits: 8)
        default: throw error("The supported escapes are \\\\ \\\" \\n \\t \\r \\u and \\U.")
        }
    }

    private mutating func scalar(digits: Int) throws(ConfigError) -> Unicode.Scalar {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy(\.isHexDigit), let value = UInt32(text, radix: 16),
            let scalar = Unicode.Scalar(value)
        else { throw error("\\u takes four hexadecimal digits of a character, \\U eight.") }
        rest = rest[text.endIndex...]
        return scalar
    }

    private static func isBare(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "-" || character == "_")
    }
}
