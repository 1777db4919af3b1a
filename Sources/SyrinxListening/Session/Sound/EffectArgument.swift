package import AVFAudio

/// An effect of the command line, `NAME[:key=value,…]`, with the values that were given.
package struct EffectArgument: Equatable, Sendable {
    package typealias Value = ListeningCommand.EffectValue

    /// The sentence that says why a text is no effect.
    package struct Malformed: Error, Equatable {
        package let message: String
    }

    package let name: String
    /// The values that were given.
    package private(set) var values: [String: Value] = [:]

    /// Reads the text of an option.
    package init(_ text: String) throws(Malformed) {
        let (name, rest) = Self.split(text, at: ":")
        self.name = name
        _ = try kind()
        guard let rest else { return }
        for pair in rest.split(separator: ",", omittingEmptySubsequences: false) {
            let (key, value) = Self.split(String(pair), at: "=")
            guard let value else {
                throw Malformed(message: "the effect \"\(name)\" takes key=value, not \"\(pair)\"")
            }
            try set(key, Double(value).map(Value.number) ?? .name(value))
        }
    }

    private static func split(_ text: String, at separator: Character) -> (String, String?) {
        guard let place = text.firstIndex(of: separator) else { return (text, nil) }
        return (String(text[..<place]), String(text[text.index(after: place)...]))
    }

    private func kind() throws(Malformed) -> EffectKind {
        if let kind = EffectKind.named(name) { return kind }
        let names = EffectKind.all.map(\.name).joined(separator: ", ")
        throw Malformed(message: "there is no effect \"\(name)\"; there are \(names)")
    }

    /// Sets a key.
    package mutating func set(_ key: String, _ value: Value) throws(Malformed) {
        let kind = try kind()
        if let names = kind.nameKeys.first(where: { $0.name == key }) {
            guard case .name(let text) = value, names.values.contains(text) else {
                let choice = names.values.joined(separator: ", ")
                throw Malformed(message: "the \(key) of \"\(name)\" must be one of \(choice)")
            }
            // A preset overrides the values of the keys before it.
            if key == "preset" { values = values.filter { names.keptKeys.contains($0.key) } }
        } else if let number = kind.numberKeys.first(where: { $0.name == key }) {
            guard case .number(let amount) = value, number.range.contains(amount) else {
                throw Malformed(
                    message: "the \(key) of \"\(name)\" must be a number, \(SoundLimits.text(number.range))"
                )
            }
        } else {
            let keys = kind.keyNames.joined(separator: ", ")
            throw Malformed(message: "the effect \"\(name)\" has no key \"\(key)\"; it has \(keys)")
        }
        values[key] = value
    }

    /// Makes the unit, with the values set.
    package func makeUnit() -> AVAudioUnitEffect? {
        guard let unit = EffectKind.named(name)?.make() else { return nil }
        apply(to: unit, changing: nil)
        return unit
    }

    /// Sets the values of a unit that `makeUnit` made.
    /// - Parameter keys: The keys to set; `nil` is all.
    package func apply(to unit: AVAudioUnitEffect, changing keys: Set<String>?) {
        guard let kind = EffectKind.named(name) else { return }
        for key in kind.nameKeys where keys?.contains(key.name) ?? true {
            guard case .name(let text) = values[key.name], let index = key.values.firstIndex(of: text) else { continue }
            key.apply(unit, index)
        }
        for key in kind.numberKeys where keys?.contains(key.name) ?? true {
            guard case .number(let value) = values[key.name] else { continue }
            AudioUnitSetParameter(
                unit.audioUnit,
                AudioUnitParameterID(key.address),
                kAudioUnitScope_Global,
                0,
                Float(value),
                0
            )
        }
    }

    /// All values, with the defaults of those that were not given.
    package var allValues: [(key: String, value: Value)] {
        guard let kind = EffectKind.named(name) else { return [] }
        let names = kind.nameKeys.compactMap { key -> (String, Value)? in
            let value = values[key.name] ?? .name(key.initial)
            return value == .name("") ? nil : (key.name, value)
        }
        let preset = values["preset"] == nil ? nil : kind.nameKeys.first { $0.name == "preset" }
        let numbers = kind.numberKeys.compactMap { key -> (String, Value)? in
            // Of a preset only what was given besides is known here.
            if let preset, !preset.keptKeys.contains(key.name) { return values[key.name].map { (key.name, $0) } }
            return (key.name, values[key.name] ?? .number(key.initial))
        }
        return names + numbers
    }
}

extension EffectArgument {
    /// The text of the option with the values that were given, from which `init(_:)` makes the same effect.
    package var text: String {
        // A preset overrides the values of the keys before it, so it is the first.
        let keys = values.keys.filter { $0 == "preset" } + values.keys.filter { $0 != "preset" }.sorted()
        let pairs = keys.compactMap { key in
            switch values[key] {
            case .number(let number): "\(key)=\(number)"
            case .name(let name): "\(key)=\(name)"
            case nil: nil
            }
        }
        return pairs.isEmpty ? name : "\(name):" + pairs.joined(separator: ",")
    }
}

extension ListeningCommand.EffectValue: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .name(let name): try container.encode(name)
        }
    }
}

extension EffectArgument: Encodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// An object with `name` and the keys of the effect.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: Key("name"))
        for (key, value) in allValues { try container.encode(value, forKey: Key(key)) }
    }
}
