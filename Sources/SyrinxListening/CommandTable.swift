/// The table of the player's commands: names, parameters and help.
///
/// Both decoders (JSON and text) and the help of `syrinx control` use it. `ListeningCommand.text` encodes a command as text.
package enum CommandTable {
    /// A parameter of a command.
    package struct Parameter: Sendable {
        /// The kind of a value, which determines its JSON and text encodings.
        package enum Kind: Sendable {
            /// A time in the item: seconds in JSON, `90` or `1:30` in text.
            case time
            /// A number in a range.
            case number(ClosedRange<Double>)
            /// A fraction: 0…1 in JSON, percent in text.
            case percent(ClosedRange<Double>)
            /// An index: it counts from 0 in JSON and from 1 in text.
            case place
            /// A Boolean: true or false in JSON, `on` or `off` in text.
            case flag
            /// A string; in the text encoding, the rest of the line.
            case word
            /// A fixed word.
            case keyword(String)
            /// A time range: two fields in JSON, `1:00-1:30` or `off` in text.
            case part
            /// Parameters of an effect: an object in JSON, `key=value` words in text.
            case effectKeys
        }

        /// The field of the JSON object.
        package let name: String
        /// The placeholder of the value in help.
        package let placeholder: String
        package let kind: Kind
        /// Whether a sign in the text encoding makes the value relative to the current one.
        package var isSigned = false
        package var isOptional = false

        init(_ name: String, _ placeholder: String, _ kind: Kind, isSigned: Bool = false, isOptional: Bool = false) {
            (self.name, self.placeholder, self.kind) = (name, placeholder, kind)
            (self.isSigned, self.isOptional) = (isSigned, isOptional)
        }
    }

    /// A decoded value of a parameter.
    enum Value: Equatable, Sendable {
        case change(ListeningCommand.Change)
        case place(Int)
        case flag(Bool)
        case word(String)
        case part(RepeatedPart?)
        case effectKeys([String: ListeningCommand.EffectValue])
        /// The value of an optional parameter that was left out.
        case none
    }

    /// A command of the table.
    package struct Row: Sendable {
        package let name: String
        package let parameters: [Parameter]
        /// The effect, in a few words.
        package let help: String
        /// Creates the command from its values; `nil` if a value does not fit its parameter.
        let make: @Sendable ([Value]) -> ListeningCommand?

        /// Whether the value is a string that may contain spaces.
        var takesText: Bool { if case .word = parameters.first?.kind { true } else { false } }

        /// The name and the placeholders of the values, as in help.
        package var usage: String {
            ([name] + parameters.map { $0.isOptional ? "[\($0.placeholder)]" : $0.placeholder }).joined(separator: " ")
        }
    }

    /// Returns the row of a name.
    package static func row(named name: String) -> Row? { places[name].map { rows[$0] } }

    /// Returns the row of a name.
    /// - Throws: `CommandError` for an unknown name; the message suggests the nearest one.
    static func find(_ name: String) throws(CommandError) -> Row {
        if let row = row(named: name) { return row }
        let excerpt = ListeningCommand.excerpt(name)
        let meant = NearestName.find(name, among: rows.map(\.name)).map { "; did you mean \($0)?" } ?? ""
        throw CommandError("there is no command \"\(excerpt)\"\(meant)")
    }

    private static let places = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.name, $0) })

    /// All commands, in the order of the help.
    package static let rows = playback + moving + sound + queue + radio

    // MARK: Rows

    private static let playback: [Row] = [
        plain("pause", "pauses playback", .pause), plain("resume", "resumes playback", .resume),
        plain("toggle", "pauses or resumes playback", .toggle),
        plain("stop", "quits the player", .stop),
        weak("next", "plays the next item; at the last one it quits the player, or does nothing with weak") {
            .next(isWeak: $0)
        },
        weak("previous", "plays the previous item") { .previous(isWeak: $0) },
        plain("first", "plays the first item", .first), plain("last", "plays the last item", .last),
        place("goto", "plays the item at a position of the queue", ListeningCommand.goTo),
        plain("reload", "reopens the item at its current time", .reload),
    ]

    private static let moving: [Row] = [
        change(
            "seek",
            "seeks to a time; with a sign, by a number of seconds",
            "time",
            "TIME",
            .time,
            signed: true
        ) {
            .seek($0)
        },
        change("skip", "skips a number of seconds, back if it is negative", "by", "SECONDS", .number(seconds)) {
            $0.step.map { .seek(.by($0)) }
        },
        plain("skip-forward", "skips forward by the configured interval", .skipForward),
        plain("skip-back", "skips back by the configured interval", .skipBack),
        Row(
            name: "ab",
            parameters: [Parameter("from", "FROM-TO|off", .part)],
            help: "repeats a section of the item; off ends it"
        ) { values in
            guard case .part(let part) = values[0] else { return nil }
            return .repeatPart(part)
        },
        plain("ab-loop", "sets the start of the repeated section, then its end, then clears both", .cyclePart),
        place("chapter", "goes to a chapter", ListeningCommand.chapter),
        plain("next-chapter", "goes to the next chapter", .nextChapter),
        plain("previous-chapter", "goes to the previous chapter", .previousChapter),
    ]

    private static let sound: [Row] = [
        change("rate", "sets the rate", "value", "RATE", .number(SoundLimits.rate), signed: true) { .rate($0) },
        change("multiply-rate", "multiplies the rate", "value", "FACTOR", .number(1.0 / 1024...1024)) {
            $0.step.map { .multiplyRate($0) }
        },
        change("pitch", "sets the pitch in cents", "value", "CENTS", .number(SoundLimits.pitch)) { .pitch($0) },
        change("add-pitch", "raises the pitch by a number of cents", "by", "CENTS", .number(-4800...4800)) {
            $0.step.map { .pitch(.by($0)) }
        },
        change("volume", "sets the volume in percent", "value", "PERCENT", .percent(SoundLimits.volume), signed: true) {
            .volume($0)
        },
        plain("mute", "turns mute on or off", .mute),
        change("balance", "sets the balance, −1 … 1", "value", "NUMBER", .number(SoundLimits.balance)) { .balance($0) },
        change("add-balance", "moves the balance right, or left if negative", "by", "NUMBER", .number(-2...2)) {
            $0.step.map { .balance(.by($0)) }
        },
        Row(
            name: "mono",
            parameters: [Parameter("value", "on|off", .flag, isOptional: true)],
            help: "turns mono on or off; without a value it toggles"
        ) { values in
            if case .flag(let isOn) = values[0] { .mono(isOn) } else { .mono(nil) }
        },
        Row(
            name: "equalizer",
            parameters: [Parameter("preset", "PRESET", .word, isOptional: true)],
            help: "selects an equalizer preset; without a name, the next one"
        ) { values in
            if case .word(let name) = values[0] { .equalizer(name) } else { .equalizer(nil) }
        },
        plain("smart-speed", "turns the shortening of silences on or off", .smartSpeed),
        plain("voice-boost", "turns the voice boost on or off", .voiceBoost),
        plain("normalize", "turns the loudness normalization on or off", .normalize),
        plain("forget-settings", "deletes the settings saved for the podcast, folder or recording", .forgetSettings),
        Row(
            name: "effect",
            parameters: [Parameter("index", "PLACE", .place), Parameter("set", "KEY=VALUE…", .effectKeys)],
            help: "sets keys of an effect"
        ) { values in
            guard case .place(let place) = values[0], case .effectKeys(let keys) = values[1] else { return nil }
            return .effect(place, keys)
        },
        Row(
            name: "add-effect",
            parameters: [Parameter("effect", "NAME[:KEY=VALUE,…]", .word)],
            help: "adds an effect behind the others, as --effect does"
        ) { values in
            guard case .word(let text) = values[0] else { return nil }
            return .addEffect(text)
        },
        place("remove-effect", "removes an effect", ListeningCommand.removeEffect),
        places("move-effect", "moves an effect to another place") { .moveEffect(from: $0, to: $1) },
        Row(
            name: "language",
            parameters: [Parameter("value", "TAGS", .word)],
            help: "plays the sound in the first of these languages, such as de,en"
        ) { values in
            guard case .word(let text) = values[0] else { return nil }
            return LanguageList(argument: text).map(ListeningCommand.language)
        },
        Row(
            name: "audio-track",
            parameters: [Parameter("index", "PLACE", .place, isOptional: true)],
            help: "plays the sound of a track of the item; without a place of its next one"
        ) { values in
            if case .place(let place) = values[0] { .audioTrack(place) } else { .audioTrack(nil) }
        },
        Row(
            name: "output",
            parameters: [Parameter("name", "NAME", .word)],
            help: "plays on another output: auto, or a name that syrinx devices lists"
        ) { values in
            guard case .word(let name) = values[0] else { return nil }
            return .output(name)
        },
    ]

    private static let queue: [Row] = [
        Row(
            name: "enqueue",
            parameters: [Parameter("url", "INPUT", .word)],
            help: "appends a path or a URL to the queue"
        ) { values in
            guard case .word(let text) = values[0] else { return nil }
            return .enqueue(text)
        },
        place("remove", "removes an item from the queue", ListeningCommand.remove),
        places("move", "moves an item of the queue to another place") { .move(from: $0, to: $1) },
        plain("clear", "removes all items but the one that plays", .clear),
        plain("shuffle", "turns shuffle on or off", .shuffle),
        plain("loop-file", "selects the next repeat mode: none, one, all", .loop),
        name("open-playlist", "replaces the queue by a saved playlist", ListeningCommand.openPlaylist),
        name("save-playlist", "saves the queue as a playlist under a new name", ListeningCommand.savePlaylist),
        plain("favorite", "adds the item to the favorites, or removes it", .favorite),
    ]

    private static let radio: [Row] = [
        Row(
            name: "record",
            parameters: [Parameter("value", "on|off", .flag, isOptional: true)],
            help: "starts or stops recording the station, one file per title"
        ) { values in
            if case .flag(let isOn) = values[0] { .record(isOn) } else { .record(nil) }
        },
        plain("live", "seeks to the live sound of a station", .live),
    ]

    /// The longest time that a command can name.
    private static let seconds = -ClockTime.limit...ClockTime.limit

    // MARK: Kinds of rows

    private static func plain(_ name: String, _ help: String, _ command: ListeningCommand) -> Row {
        Row(name: name, parameters: [], help: help) { _ in command }
    }

    private static func name(
        _ name: String,
        _ help: String,
        _ make: @escaping @Sendable (String) -> ListeningCommand
    ) -> Row {
        Row(name: name, parameters: [Parameter("name", "NAME", .word)], help: help) { values in
            if case .word(let text) = values[0] { make(text) } else { nil }
        }
    }

    private static func place(
        _ name: String,
        _ help: String,
        _ make: @escaping @Sendable (Int) -> ListeningCommand
    ) -> Row {
        Row(name: name, parameters: [Parameter("index", "PLACE", .place)], help: help) { values in
            if case .place(let place) = values[0] { make(place) } else { nil }
        }
    }

    private static func places(
        _ name: String,
        _ help: String,
        _ make: @escaping @Sendable (Int, Int) -> ListeningCommand
    ) -> Row {
        let parameters = [Parameter("index", "PLACE", .place), Parameter("to", "PLACE", .place)]
        return Row(name: name, parameters: parameters, help: help) { values in
            guard case .place(let from) = values[0], case .place(let to) = values[1] else { return nil }
            return make(from, to)
        }
    }

    private static func weak(
        _ name: String,
        _ help: String,
        _ make: @escaping @Sendable (Bool) -> ListeningCommand
    ) -> Row {
        let parameter = Parameter("mode", "weak", .keyword("weak"), isOptional: true)
        return Row(name: name, parameters: [parameter], help: help) { make($0[0] != .none) }
    }

    private static func change(
        _ name: String,
        _ help: String,
        _ field: String,
        _ placeholder: String,
        _ kind: Parameter.Kind,
        signed: Bool = false,
        _ make: @escaping @Sendable (ListeningCommand.Change) -> ListeningCommand?
    ) -> Row {
        Row(name: name, parameters: [Parameter(field, placeholder, kind, isSigned: signed)], help: help) { values in
            if case .change(let change) = values[0] { make(change) } else { nil }
        }
    }
}

extension ListeningCommand.Change {
    /// The number as it was written; `nil` for a step.
    fileprivate var step: Double? { if case .to(let value) = self { value } else { nil } }
}
