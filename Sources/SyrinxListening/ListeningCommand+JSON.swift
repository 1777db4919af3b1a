import Foundation

extension ListeningCommand {
    /// Parses a command in JSON, for `--control`.
    ///
    /// Indices count from 0, the volume is 0…1, and a value is relative only in `skip`, `multiply-rate`, `add-pitch`
    /// and `add-balance`. Unknown fields are ignored.
    /// - Throws: `CommandError` if the text is not a JSON object, or not a valid command.
    package init(json line: String) throws(CommandError) {
        guard let fields = try? JSONDecoder().decode([String: JSONValue].self, from: Data(line.utf8)),
            case .text(let name) = fields["command"]
        else { throw CommandError("the command is not a JSON object with a \"command\": \(Self.excerpt(line))") }
        let row = try CommandTable.find(name)
        var values: [CommandTable.Value] = []
        for parameter in row.parameters { values.append(try parameter.value(in: fields, of: name)) }
        guard let command = row.make(values) else { throw CommandError("a value of \"\(name)\" is not valid") }
        self = command
    }

    /// Returns the first 60 characters of a text, for messages.
    static func excerpt(_ text: String) -> String { text.count > 60 ? text.prefix(60) + "…" : text }
}

/// A value in the JSON of a command.
private enum JSONValue: Decodable {
    case number(Double)
    case text(String)
    case flag(Bool)
    case object([String: JSONValue])
    /// A value of a type that no command uses.
    case other

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = (try? container.decode([String: JSONValue].self)).map(JSONValue.object) ?? .other
        }
    }

    var number: Double? { if case .number(let number) = self { number } else { nil } }
    /// The value as an integer of at least 0; `nil` for other values.
    var place: Int? { number.flatMap { $0 >= 0 ? Int(exactly: $0) : nil } }
}

extension CommandTable.Parameter {
    /// Returns the value of this parameter from a JSON object.
    fileprivate func value(in fields: [String: JSONValue], of command: String) throws(CommandError)
        -> CommandTable.Value
    {
        let field = fields[name]
        if field == nil, isOptional { return .none }
        switch kind {
        case .time: return .change(.to(try number(field, in: 0...ClockTime.limit, of: command)))
        case .number(let range), .percent(let range): return .change(.to(try number(field, in: range, of: command)))
        case .place:
            guard let place = field?.place else { throw lacks("a whole number, at least 0", command) }
            return .place(place)
        case .flag:
            guard case .flag(let flag) = field else { throw lacks("true or false", command) }
            return .flag(flag)
        case .word:
            guard case .text(let text) = field, !text.isEmpty else { throw lacks("a text: \(placeholder)", command) }
            return .word(text)
        case .keyword(let word):
            guard case .text(word) = field else { throw lacks("the text \"\(word)\", or nothing", command) }
            return .word(word)
        case .part:
            if fields["from"] == nil, fields["to"] == nil { return .part(nil) }
            let range = 0...ClockTime.limit
            let start = try number(fields["from"], in: range, of: command, field: "from")
            let end = try number(fields["to"], in: range, of: command, field: "to")
            guard start < end else { throw CommandError("\"from\" of \"\(command)\" is not before its \"to\"") }
            return .part(RepeatedPart(start: start, end: end))
        case .effectKeys:
            guard case .object(let object) = field, !object.isEmpty else {
                throw lacks("an object of keys and values", command)
            }
            var keys: [String: ListeningCommand.EffectValue] = [:]
            for (key, value) in object {
                switch value {
                case .number(let number): keys[key] = .number(number)
                case .text(let text): keys[key] = .name(text)
                default: throw CommandError("\"\(key)\" of \"\(command)\" is neither a number nor a text")
                }
            }
            return .effectKeys(keys)
        }
    }

    private func number(
        _ field: JSONValue?,
        in range: ClosedRange<Double>,
        of command: String,
        field name: String? = nil
    ) throws(CommandError) -> Double {
        let name = name ?? self.name
        guard let number = field?.number else {
            throw CommandError("the command \"\(command)\" needs a number \"\(name)\"")
        }
        guard range.contains(number) else {
            let shown = "\(SoundLimits.number(number)), outside \(SoundLimits.text(range))"
            // A value that was probably meant in percent.
            let hint = if case .percent = kind { ": 0.8 is 80 %" } else { "" }
            throw CommandError("\"\(name)\" of \"\(command)\" is \(shown)\(hint)")
        }
        return number
    }

    private func lacks(_ value: String, _ command: String) -> CommandError {
        CommandError("the command \"\(command)\" needs \"\(name)\", \(value)")
    }
}
