extension ListeningCommand {
    /// Reads a command from words, as in `syrinx control` and `config.toml`.
    ///
    /// Indexes count from 1, and the volume is in percent. A sign makes the value of `rate`, `volume` and `seek` relative to the
    /// current value; in `pitch` and `balance` the sign belongs to the value.
    /// - Throws: `CommandError` if the words are not a valid command.
    package init(words: [String]) throws(CommandError) {
        guard let name = words.first else { throw CommandError("a command is missing, such as toggle or seek +30") }
        let row = try CommandTable.find(name)
        var rest = words[1...]
        var values: [CommandTable.Value] = []
        for parameter in row.parameters { values.append(try parameter.value(from: &rest, of: row)) }
        guard rest.isEmpty, let command = row.make(values) else { throw CommandError("the syntax is \(row.usage)") }
        self = command
    }

    /// Reads a command from a line with spaces between its words.
    /// - Throws: `CommandError` if the line is not a valid command.
    package init(text: String) throws(CommandError) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let row = CommandTable.row(named: String(parts[0])), row.takesText else {
            try self.init(words: text.split(separator: " ").map(String.init))
            return
        }
        try self.init(words: parts.map(String.init))
    }
}

extension CommandTable.Parameter {
    /// Removes the value of this parameter from the words of a command, and returns it.
    fileprivate func value(
        from words: inout ArraySlice<String>,
        of row: CommandTable.Row
    ) throws(CommandError) -> CommandTable.Value {
        guard let word = words.first else {
            if isOptional { return .none }
            throw CommandError("the syntax is \(row.usage)")
        }
        let all = words
        words.removeFirst()
        switch kind {
        case .time:
            if isSigned, let step = Self.step(word) { return .change(.by(step)) }
            guard let time = ClockTime(argument: word) else {
                throw CommandError("\"\(word)\" is not a time, such as 90 or 1:30")
            }
            return .change(.to(time.seconds))
        case .number(let range): return .change(try change(word, in: range, scale: 1, row))
        case .percent(let range): return .change(try change(word, in: range, scale: 100, row))
        case .place:
            guard let number = Int(word), number >= 1 else {
                throw CommandError("\"\(word)\" is not an index: a whole number, at least 1")
            }
            return .place(number - 1)
        case .flag:
            guard word == "on" || word == "off" else { throw CommandError("\(row.name) takes on or off") }
            return .flag(word == "on")
        case .keyword(let only):
            guard word == only else { throw CommandError("the syntax is \(row.usage)") }
            return .word(word)
        case .word: return .word(word)
        case .part:
            if word == "off" { return .part(nil) }
            guard let part = RepeatedPart(argument: word) else {
                throw CommandError("\(row.name) takes a section such as 1:00-1:30, or off")
            }
            return .part(part)
        case .effectKeys:
            words = []
            return .effectKeys(try Self.keys(all))
        }
    }

    private func change(
        _ word: String,
        in range: ClosedRange<Double>,
        scale: Double,
        _ row: CommandTable.Row
    ) throws(CommandError) -> ListeningCommand.Change {
        if isSigned, let step = Self.step(word) { return .by(step / scale) }
        guard let number = Double(word), number.isFinite else { throw CommandError("\"\(word)\" is not a number") }
        guard range.contains(number / scale) else {
            let shown = range.lowerBound * scale...range.upperBound * scale
            let unit = if case .percent = kind { " %" } else { "" }
            let value = SoundLimits.number(number) + unit
            throw CommandError("\(row.name) \(value) is outside \(SoundLimits.text(shown))\(unit)")
        }
        return .to(number / scale)
    }

    /// The number of a word with a sign; `nil` for other words.
    private static func step(_ word: String) -> Double? {
        guard word.hasPrefix("+") || word.hasPrefix("-"), let number = Double(word) else { return nil }
        return number.isFinite && abs(number) <= ClockTime.limit ? number : nil
    }

    private static func keys(
        _ words: ArraySlice<String>
    ) throws(CommandError) -> [String: ListeningCommand.EffectValue] {
        var keys: [String: ListeningCommand.EffectValue] = [:]
        for word in words {
            guard let place = word.firstIndex(of: "=") else { throw CommandError("\"\(word)\" is not key=value") }
            let value = String(word[word.index(after: place)...])
            keys[String(word[..<place])] = Double(value).map { .number($0) } ?? .name(value)
        }
        return keys
    }
}

extension ListeningCommand {
    /// The command in words, as `init(text:)` reads it.
    package var text: String {
        switch self {
        case .pause: "pause"
        case .resume: "resume"
        case .toggle: "toggle"
        case .stop: "stop"
        case .next(let isWeak): isWeak ? "next weak" : "next"
        case .previous(let isWeak): isWeak ? "previous weak" : "previous"
        case .first: "first"
        case .last: "last"
        case .goTo(let place): "goto \(Self.shown(place))"
        case .reload: "reload"
        case .seek(.to(let time)): "seek \(SoundLimits.number(time))"
        case .seek(.by(let seconds)): "seek \(Self.signed(seconds))"
        case .skipForward: "skip-forward"
        case .skipBack: "skip-back"
        case .repeatPart(let part):
            part.map { "ab \(SoundLimits.number($0.start))-\(SoundLimits.number($0.end))" } ?? "ab off"
        case .cyclePart: "ab-loop"
        case .chapter(let place): "chapter \(Self.shown(place))"
        case .nextChapter: "next-chapter"
        case .previousChapter: "previous-chapter"
        case .rate(.to(let rate)): "rate \(SoundLimits.number(rate))"
        case .rate(.by(let step)): "rate \(Self.signed(step))"
        case .multiplyRate(let factor): "multiply-rate \(SoundLimits.number(factor))"
        case .pitch(.to(let cents)): "pitch \(SoundLimits.number(cents))"
        case .pitch(.by(let cents)): "add-pitch \(SoundLimits.number(cents))"
        case .volume(.to(let volume)): "volume \(Self.percent(volume))"
        case .volume(.by(let step)): "volume \(step < 0 ? "" : "+")\(Self.percent(step))"
        case .mute: "mute"
        case .balance(.to(let balance)): "balance \(SoundLimits.number(balance))"
        case .balance(.by(let step)): "add-balance \(SoundLimits.number(step))"
        case .mono(let isOn): isOn.map { $0 ? "mono on" : "mono off" } ?? "mono"
        case .equalizer(let name): name.map { "equalizer \($0)" } ?? "equalizer"
        case .smartSpeed: "smart-speed"
        case .voiceBoost: "voice-boost"
        case .normalize: "normalize"
        case .forgetSettings: "forget-settings"
        case .effect(let place, let keys):
            "effect \(Self.shown(place)) " + keys.sorted { $0.key < $1.key }.map(Self.pair).joined(separator: " ")
        case .addEffect(let text): "add-effect \(text)"
        case .removeEffect(let place): "remove-effect \(Self.shown(place))"
        case .moveEffect(let from, let to): "move-effect \(Self.shown(from)) \(Self.shown(to))"
        case .audioTrack(let place): place.map { "audio-track \(Self.shown($0))" } ?? "audio-track"
        case .language(let languages): "language \(languages.tags.joined(separator: ","))"
        case .output(let name): "output \(name)"
        case .enqueue(let input): "enqueue \(input)"
        case .remove(let place): "remove \(Self.shown(place))"
        case .move(let from, let to): "move \(Self.shown(from)) \(Self.shown(to))"
        case .clear: "clear"
        case .shuffle: "shuffle"
        case .loop: "loop-file"
        case .openPlaylist(let name): "open-playlist \(name)"
        case .savePlaylist(let name): "save-playlist \(name)"
        case .favorite: "favorite"
        case .live: "live"
        case .record(let isOn): isOn.map { $0 ? "record on" : "record off" } ?? "record"
        }
    }

    /// An index that counts from 1.
    private static func shown(_ place: Int) -> Int { place == .max ? place : place + 1 }
    private static func signed(_ number: Double) -> String { (number < 0 ? "" : "+") + SoundLimits.number(number) }
    /// Rounded, so that 0.05 is 5 and not 5.000000000000001.
    private static func percent(_ share: Double) -> String { SoundLimits.number((share * 1e6).rounded() / 1e4) }

    private static func pair(_ key: String, _ value: EffectValue) -> String {
        switch value {
        case .number(let number): "\(key)=\(number)"
        case .name(let name): "\(key)=\(name)"
        }
    }
}
