import Foundation

/// A command of `--control`: one JSON object on a line of standard input.
enum ControlCommand: Equatable, Sendable {
    case pause
    case resume
    /// Pauses, or goes on.
    case toggle
    /// Goes to a time of the input, in seconds.
    case seek(time: Double)
    /// Goes this many seconds on, or back.
    case skip(by: Double)
    /// Goes on, or back, by the interval that is set.
    case forward
    case back
    /// Repeats a part of the input; `nil` ends that.
    case part(RepeatedPart?)
    case rate(Double)
    /// In cents.
    case pitch(Double)
    case volume(Double)
    /// Has all channels sound alike, or not.
    case mono(Bool)
    /// From the left channel alone to the right one alone, −1…1.
    case balance(Double)
    /// Sets the equaliser to the preset of a name.
    case equalizer(String)
    /// Plays the sound in the first of these languages that an input has.
    case language([String])
    /// Ends all playback.
    case stop
    /// Goes on with the next input.
    case next
    /// Goes back to the input before.
    case previous
    /// Goes to the input at this place of the queue, from 0 on.
    case goto(index: Int)
    /// Adds an input at the end of the queue.
    case enqueue(InputArgument)
    /// Removes the input at this place of the queue, from 0 on.
    case remove(index: Int)
    /// Moves the input at a place of the queue to another, where it is afterwards.
    case move(index: Int, to: Int)
    /// Removes all inputs but the one that plays.
    case clear
    /// Goes to the start of the chapter at this place of the input's list, from 0 on.
    case chapter(index: Int)
    /// Sets keys of the effect at this place of the command line, from 0 on.
    case effect(index: Int, set: [String: EffectArgument.Value])

    /// The reason why a line is not a command.
    struct Malformed: Error, Equatable {
        /// One sentence.
        let message: String
    }

    /// Reads one line.
    init(line: String) throws(Malformed) {
        let fields: Fields
        do {
            fields = try JSONDecoder().decode(Fields.self, from: Data(line.utf8))
        } catch {
            throw Malformed(message: "the command is not a JSON object with a \"command\": \(Self.excerpt(line))")
        }
        switch fields.command {
        case "pause": self = .pause
        case "resume": self = .resume
        case "toggle": self = .toggle
        case "stop": self = .stop
        case "next": self = .next
        case "previous": self = .previous
        case "goto": self = .goto(index: try fields.place())
        case "chapter": self = .chapter(index: try fields.place())
        case "remove": self = .remove(index: try fields.place())
        case "move": self = .move(index: try fields.place(), to: try fields.target())
        case "clear": self = .clear
        case "effect": self = .effect(index: try fields.place(), set: try fields.keys())
        case "enqueue": self = .enqueue(try fields.input())
        case "seek": self = .seek(time: try fields.number(\.time, "time", in: 0...TimeArgument.limit))
        case "skip": self = .skip(by: try fields.number(\.by, "by", in: -TimeArgument.limit...TimeArgument.limit))
        case "forward": self = .forward
        case "back": self = .back
        case "ab": self = .part(try fields.part())
        case "mono": self = .mono(try fields.switchValue())
        case "balance": self = .balance(try fields.number(\.value?.number, "value", in: Tone.balanceRange))
        case "equalizer": self = .equalizer(try fields.presetName())
        case "rate": self = .rate(try fields.number(\.value?.number, "value", in: SoundLimits.rate))
        case "pitch": self = .pitch(try fields.number(\.value?.number, "value", in: SoundLimits.pitch))
        case "volume": self = .volume(try fields.number(\.value?.number, "value", in: SoundLimits.volume))
        case "language": self = .language(try fields.languages())
        default: throw Malformed(message: "there is no command \"\(Self.excerpt(fields.command))\"")
        }
    }

    /// Enough of the text for its writer to recognise it.
    private static func excerpt(_ text: String) -> String {
        text.count > 60 ? text.prefix(60) + "…" : text
    }

    /// A number, a text, or true or false.
    private struct Value: Decodable {
        var number: Double?
        var text: String?
        var flag: Bool?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self.flag = flag
            } else if let text = try? container.decode(String.self) {
                self.text = text
            } else {
                number = try container.decode(Double.self)
            }
        }
    }

    private struct Fields: Decodable {
        var command: String
        var time: Double?
        var by: Double?
        var value: Value?
        var from: Double?
        var index: Int?
        var to: Double?
        var url: String?
        var preset: String?
        var set: [String: EffectArgument.Value]?

        func number(
            _ field: KeyPath<Fields, Double?>,
            _ name: String,
            in range: ClosedRange<Double>
        ) throws(Malformed) -> Double {
            guard let number = self[keyPath: field] else {
                throw Malformed(message: "the command \"\(command)\" needs a number \"\(name)\"")
            }
            guard range.contains(number) else {
                throw Malformed(
                    message: "\"\(name)\" of \"\(command)\" is \(number), outside \(SoundLimits.text(range))"
                )
            }
            return number
        }

        func languages() throws(Malformed) -> [String] {
            guard let text = value?.text, let languages = LanguageList(argument: text) else {
                throw Malformed(
                    message: "the command \"\(command)\" needs a \"value\": languages such as \"de\" or \"de,en\""
                )
            }
            return languages.tags
        }

        func place() throws(Malformed) -> Int {
            guard let index, index >= 0 else {
                throw Malformed(message: "the command \"\(command)\" needs an \"index\", a whole number from 0 on")
            }
            return index
        }

        func target() throws(Malformed) -> Int {
            guard let to, to >= 0, let place = Int(exactly: to) else {
                throw Malformed(message: "the command \"\(command)\" needs \"to\", a whole number from 0 on")
            }
            return place
        }

        func part() throws(Malformed) -> RepeatedPart? {
            if from == nil, to == nil { return nil }
            let range = 0...TimeArgument.limit
            let (start, end) = (try number(\.from, "from", in: range), try number(\.to, "to", in: range))
            guard start < end else { throw Malformed(message: "\"from\" of \"\(command)\" lies behind its \"to\"") }
            return RepeatedPart(start: start, end: end)
        }

        func switchValue() throws(Malformed) -> Bool {
            guard let flag = value?.flag else {
                throw Malformed(message: "the command \"\(command)\" needs a \"value\", true or false")
            }
            return flag
        }

        func presetName() throws(Malformed) -> String {
            guard let preset, let name = EqualizerName(argument: preset) else {
                throw Malformed(
                    message: "the command \"\(command)\" needs a \"preset\", one of \(EqualizerName.list)"
                )
            }
            return name.identifier
        }

        func keys() throws(Malformed) -> [String: EffectArgument.Value] {
            guard let set, !set.isEmpty else {
                throw Malformed(message: "the command \"\(command)\" needs \"set\", an object of keys and values")
            }
            return set
        }

        func input() throws(Malformed) -> InputArgument {
            guard let url, let input = InputArgument(argument: url), !input.isStandardInput else {
                throw Malformed(
                    message: "the command \"\(command)\" needs a \"url\": a path, or a file:, http: or https: URL"
                )
            }
            return input
        }
    }
}
