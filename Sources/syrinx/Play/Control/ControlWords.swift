import Foundation

/// The words of `syrinx control`, understood.
///
/// Pure.
enum ControlWords: Equatable {
    case status
    /// A line as `--control` takes it.
    case command(String)

    /// The name and the JSON key of the value that a command takes.
    private static let numberKeys = [
        "skip": "by", "rate": "value", "pitch": "value", "volume": "value", "balance": "value",
    ]
    private static let indexed: Set = ["goto", "chapter", "effect", "remove", "move"]

    /// Understands words.
    /// - Parameter directory: The folder that relative paths are in.
    init(_ words: [String], directory: String) throws(ControlCommand.Malformed) {
        guard let name = words.first else {
            throw .init(message: "a command is missing, such as status, pause or skip; see syrinx control --help")
        }
        let values = Array(words.dropFirst())
        if name == "status" {
            try Self.require(values.isEmpty, "status takes no value")
            self = .status
            return
        }
        var fields: [String: Field] = ["command": .text(name)]
        if name == "seek" {
            try Self.require(values.count == 1, "seek takes one time")
            guard let time = TimeArgument(argument: values[0]) else {
                throw .init(message: "\"\(values[0])\" is not a time, such as 90 or 1:30")
            }
            fields["time"] = .number(time.seconds)
        } else if let key = Self.numberKeys[name] {
            try Self.require(values.count == 1, "\(name) takes one number")
            guard let number = Double(values[0]), number.isFinite else {
                throw .init(message: "\"\(values[0])\" is not a number")
            }
            fields[key] = .number(number)
        } else if Self.indexed.contains(name) {
            guard let index = values.first.flatMap({ Int($0) }) else {
                throw .init(message: "\(name) takes an index, a whole number from 0 on")
            }
            fields["index"] = .index(index)
            if name == "effect" {
                fields["set"] = .fields(try Self.pairs(values.dropFirst()))
            } else if name == "move" {
                guard values.count == 2, let target = Int(values[1]) else {
                    throw .init(message: "move takes two indexes: the place of the input, and where it goes")
                }
                fields["to"] = .index(target)
            } else {
                try Self.require(values.count == 1, "\(name) takes one index")
            }
        } else if name == "mono" {
            try Self.require(values == ["on"] || values == ["off"], "mono takes on or off")
            fields["value"] = .flag(values == ["on"])
        } else if name == "equalizer" {
            try Self.require(values.count == 1, "equalizer takes the name of a preset: \(EqualizerName.list)")
            fields["preset"] = .text(values[0])
        } else if name == "ab" {
            guard values != ["off"] else {
                self = .command(#"{"command":"ab"}"#)
                return
            }
            guard values.count == 1, let part = RepeatedPart(argument: values[0]) else {
                throw .init(message: "ab takes a part such as 1:00-1:30, or off")
            }
            fields["from"] = .number(part.start)
            fields["to"] = .number(part.end)
        } else if name == "language" {
            try Self.require(values.count == 1, "language takes one value, such as de or de,en")
            fields["value"] = .text(values[0])
        } else if name == "enqueue" {
            try Self.require(values.count == 1, "enqueue takes one input")
            fields["url"] = .text(Self.absolute(values[0], directory))
        } else {
            try Self.require(values.isEmpty, "\(name) takes no value")
        }
        // Numbers are finite: nothing here cannot be encoded.
        let line = (try? JSONText.encode(fields)) ?? ""
        _ = try ControlCommand(line: line)
        self = .command(line)
    }

    private static func require(_ condition: Bool, _ message: String) throws(ControlCommand.Malformed) {
        if !condition { throw .init(message: message) }
    }

    private static func pairs(_ words: ArraySlice<String>) throws(ControlCommand.Malformed) -> [String: Field] {
        var pairs: [String: Field] = [:]
        for word in words {
            guard let place = word.firstIndex(of: "=") else {
                throw .init(message: "\"\(word)\" is not key=value")
            }
            let value = String(word[word.index(after: place)...])
            pairs[String(word[..<place])] = Double(value).map(Field.number) ?? .text(value)
        }
        return pairs
    }

    /// The path of a file as another process, in another folder, finds it.
    private static func absolute(_ input: String, _ directory: String) -> String {
        guard let argument = InputArgument(argument: input), case .file = argument.location,
            !input.hasPrefix("/"), !input.lowercased().hasPrefix("file:")
        else { return input }
        return directory + "/" + input
    }

    /// A value in JSON.
    private enum Field: Encodable {
        case number(Double)
        case index(Int)
        case text(String)
        case flag(Bool)
        case fields([String: Field])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .index(let index): try container.encode(index)
            case .text(let text): try container.encode(text)
            case .flag(let flag): try container.encode(flag)
            case .fields(let fields): try container.encode(fields)
            }
        }
    }
}
