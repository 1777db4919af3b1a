import Foundation
import SyrinxPlayback
import SyrinxStreaming

/// A request of a face in another process to its player.
package enum AttachRequest: Equatable, Sendable {
    /// A command, or another request of the listener.
    case wish(ListeningRequest)
    /// Plays an episode of the library now or adds it to the queue; `start` is the position in seconds, by default the stored one.
    case episode(Int64, isNow: Bool, start: Double?)
    /// Adds inputs, the first of which begins at `start` seconds.
    case open([ListeningInput], QueuePlacement, start: Double?)
    /// Asks for rows of the queue.
    case rows(from: Int, count: Int)
    /// Asks for the picture of the item.
    case picture
    /// Asks for the outputs of the system.
    case outputs
    /// Asks for the status that `syrinx control status` prints.
    case status
    /// Chooses the news that the face gets beside the state.
    case watch(AttachWatch)
    /// Sets the effect of losing the face without `leave`; `nil` has the player play on.
    case hangUp(HangUpRule?)
    /// Announces that the client disconnects intentionally.
    case leave
}

/// The news that a face gets beside the state.
package struct AttachWatch: Codable, Equatable, Sendable {
    /// The level meters, up to 30 times a second while something plays.
    package var levels = false
    /// The waveform.
    package var peaks = false
    /// The rows of the queue that have changed.
    package var queue = false

    package init(levels: Bool = false, peaks: Bool = false, queue: Bool = false) {
        (self.levels, self.peaks, self.queue) = (levels, peaks, queue)
    }
}

/// The effect on the player when a face or its terminal goes without a word.
package enum HangUpRule: String, Codable, CaseIterable, Sendable {
    /// The player pauses.
    case pause
    /// The player ends.
    case end
    /// The player plays on.
    case play
}

/// A request with the number by which its answer names it.
package struct AttachCall: Equatable, Sendable {
    /// The number; `nil` if the face wants no answer.
    package var id: Int?
    package var request: AttachRequest

    package init(id: Int?, _ request: AttachRequest) { (self.id, self.request) = (id, request) }

    /// A line that is no request.
    package struct Malformed: Error, Equatable {
        /// The number of the request, if it could be read.
        package var id: Int?
        /// One sentence, without a period.
        package var message: String
    }

    /// The fields that decide the kind of a request.
    private struct Head: Decodable {
        var id: Int?
        var command: String?
        var line: String?
        var request: String?
    }

    /// Reads a line.
    ///
    /// - Parameter line: A JSON object with `command` and its values as `--control` takes them, with `line` and a command in text, or with
    ///   `request`.
    /// - Throws: ``Malformed`` if it is none, or if a value does not fit.
    package init(line: String) throws(Malformed) {
        let data = Data(line.utf8)
        guard let head = try? JSONDecoder().decode(Head.self, from: data) else {
            let excerpt = ListeningCommand.excerpt(line)
            let expected = "a JSON object with \"command\", \"line\" or \"request\""
            throw Malformed(message: "the line is not \(expected): \(excerpt)")
        }
        id = head.id
        do throws(CommandError) {
            if head.command != nil {
                request = .wish(.command(try ListeningCommand(json: line)))
            } else if let text = head.line {
                request = .wish(.command(try ListeningCommand(text: text)))
            } else if let name = head.request {
                request = try AttachRequest(name, data)
            } else {
                throw CommandError("the object has none of \"command\", \"line\" and \"request\"")
            }
        } catch {
            throw Malformed(id: head.id, message: error.message)
        }
    }

    /// The line, without a line break.
    package var line: String {
        var fields = request.fields
        if let id { fields["id"] = .number(Double(id)) }
        // Encoding cannot fail: every number is finite.
        return (try? JSONText.encode(JSONTree.object(fields))) ?? "{}"
    }
}

// MARK: Encoding

extension AttachRequest {
    /// The maximum number of rows in an answer.
    package static let mostRows = 500

    fileprivate init(_ name: String, _ data: Data) throws(CommandError) {
        let values = Values(name, data)
        switch name {
        case "play": self = .wish(.play(try values.text("input")))
        case "loop": self = .wish(.setLoop(try values.choice("value")))
        case "shuffle": self = .wish(.setShuffled(try values.flag("value")))
        case "undo": self = .wish(.undoQueueChange)
        case "smart-speed": self = .wish(.setSmartSpeed(try values.choice("value")))
        case "sleep": self = .wish(.setSleep(try values.sleepGoal()))
        case "bypass": self = .wish(.setBypass(effect: try values.whole("effect"), try values.flag("value")))
        case "episode":
            let isNow = try values.optional("now") { value throws(CommandError) in try values.flag(value, "now") }
            self = .episode(try values.number("episode"), isNow: isNow ?? true, start: try values.seconds("start"))
        case "open": self = .open(try values.inputs(), try values.placement(), start: try values.seconds("start"))
        case "queue": self = .rows(from: try values.whole("from"), count: min(try values.whole("count"), Self.mostRows))
        case "picture": self = .picture
        case "outputs": self = .outputs
        case "status": self = .status
        case "watch":
            let flags = { (name: String) throws(CommandError) in
                try values.optional(name) { value throws(CommandError) in try values.flag(value, name) } ?? false
            }
            self = .watch(
                AttachWatch(levels: try flags("levels"), peaks: try flags("peaks"), queue: try flags("queue"))
            )
        case "on-hangup":
            self = .hangUp(
                try values.optional("value") { value throws(CommandError) in try values.choice(value, "value") }
            )
        case "leave": self = .leave
        default: throw CommandError("there is no request \"\(ListeningCommand.excerpt(name))\"")
        }
    }

    fileprivate var fields: [String: JSONTree] {
        func named(_ name: String, _ values: [String: JSONTree?] = [:]) -> [String: JSONTree] {
            values.compactMapValues(\.self).merging(["request": .text(name)]) { $1 }
        }
        switch self {
        case .wish(.command(let command)): return ["line": .text(command.text)]
        case .wish(.play(let text)): return named("play", ["input": .text(text)])
        case .wish(.setLoop(let mode)): return named("loop", ["value": .text(mode.rawValue)])
        case .wish(.setShuffled(let isOn)): return named("shuffle", ["value": .flag(isOn)])
        case .wish(.undoQueueChange): return named("undo")
        case .wish(.setSmartSpeed(let speed)): return named("smart-speed", ["value": .text(speed.rawValue)])
        case .wish(.setBypass(let index, let isOn)):
            return named("bypass", ["effect": .number(Double(index)), "value": .flag(isOn)])
        case .wish(.setSleep(let goal)): return named("sleep", ["value": goal?.tree])
        case .wish(.add(let inputs, let placement)): return AttachRequest.open(inputs, placement, start: nil).fields
        // A face with a curve of its own has the player in its own process, so this changes nothing.
        case .wish(.customEqualizer): return named("status")
        case .episode(let number, let isNow, let start):
            return named(
                "episode",
                ["episode": .number(Double(number)), "now": .flag(isNow), "start": start.map(JSONTree.number)]
            )
        case .open(let inputs, let placement, let start):
            let locations = inputs.compactMap(\.identity).map(JSONTree.text)
            let start = ["inputs": .list(locations), "start": start.map(JSONTree.number)]
            return named("open", start.merging(placement.fields) { $1 })
        case .rows(let from, let count):
            return named("queue", ["from": .number(Double(from)), "count": .number(Double(count))])
        case .picture: return named("picture")
        case .outputs: return named("outputs")
        case .status: return named("status")
        case .watch(let watch):
            return named(
                "watch",
                ["levels": .flag(watch.levels), "peaks": .flag(watch.peaks), "queue": .flag(watch.queue)]
            )
        case .hangUp(let rule): return named("on-hangup", ["value": rule.map { .text($0.rawValue) }])
        case .leave: return named("leave")
        }
    }
}

extension SleepGoal {
    fileprivate var tree: JSONTree {
        if case .time(let seconds) = self { .number(seconds) } else { .text(name) }
    }
}

extension QueuePlacement {
    fileprivate var fields: [String: JSONTree?] {
        switch self {
        case .replacing(let index, let isChosen):
            ["placement": .text("replace"), "index": .number(Double(index)), "chosen": .flag(isChosen)]
        case .now: ["placement": .text("now")]
        case .next: ["placement": .text("next")]
        case .last: ["placement": .text("last")]
        case .lastNow: ["placement": .text("last-now")]
        case .at(let index): ["placement": .text("at"), "index": .number(Double(index))]
        }
    }
}

/// The values of a request.
private struct Values {
    let name: String
    let fields: [String: JSONTree]

    init(_ name: String, _ data: Data) {
        self.name = name
        fields = (try? JSONDecoder().decode([String: JSONTree].self, from: data)) ?? [:]
    }

    private func lacks(_ field: String, _ expected: String) -> CommandError {
        CommandError("\"\(field)\" of \"\(name)\" has to be \(expected)")
    }

    /// Reads a field that may be missing or `null`.
    func optional<Value>(_ field: String, _ read: (JSONTree) throws(CommandError) -> Value) throws(CommandError)
        -> Value?
    {
        guard let value = fields[field], value != .null else { return nil }
        return try read(value)
    }

    func text(_ field: String) throws(CommandError) -> String {
        guard case .text(let text) = fields[field], !text.isEmpty else { throw lacks(field, "a text") }
        return text
    }

    func flag(_ field: String) throws(CommandError) -> Bool { try flag(fields[field] ?? .null, field) }

    func flag(_ value: JSONTree, _ field: String) throws(CommandError) -> Bool {
        guard case .flag(let flag) = value else { throw lacks(field, "true or false") }
        return flag
    }

    func number(_ field: String) throws(CommandError) -> Int64 {
        guard case .number(let number) = fields[field], let whole = Int64(exactly: number) else {
            throw lacks(field, "a whole number")
        }
        return whole
    }

    /// A whole number from 0 on.
    func whole(_ field: String) throws(CommandError) -> Int {
        guard case .number(let number) = fields[field], number >= 0, let whole = Int(exactly: number) else {
            throw lacks(field, "a whole number from 0 on")
        }
        return whole
    }

    /// Seconds, if there are any.
    func seconds(_ field: String) throws(CommandError) -> Double? {
        try optional(field) { value throws(CommandError) in
            guard case .number(let seconds) = value, (0...ClockTime.limit).contains(seconds) else {
                throw lacks(field, "a time in seconds")
            }
            return seconds
        }
    }

    func choice<Value: RawRepresentable & CaseIterable>(_ field: String) throws(CommandError) -> Value
    where Value.RawValue == String {
        try choice(fields[field] ?? .null, field)
    }

    func choice<Value: RawRepresentable & CaseIterable>(_ value: JSONTree, _ field: String) throws(CommandError)
        -> Value
    where Value.RawValue == String {
        guard case .text(let text) = value, let choice = Value(rawValue: text) else {
            throw lacks(field, "one of " + Value.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    func sleepGoal() throws(CommandError) -> SleepGoal? {
        try optional("value") { value throws(CommandError) in
            if case .number(let seconds) = value, seconds > 0, seconds <= ClockTime.limit { return .time(seconds) }
            guard case .text(let name) = value, let goal = SleepGoal(argument: name) else {
                throw lacks("value", "seconds, chapter, item or null")
            }
            return goal
        }
    }

    func inputs() throws(CommandError) -> [ListeningInput] {
        guard case .list(let list) = fields["inputs"], !list.isEmpty else { throw lacks("inputs", "a list of inputs") }
        var inputs: [ListeningInput] = []
        for entry in list {
            guard case .text(let text) = entry, let input = ListeningInput(location: text) else {
                throw lacks("inputs", "a list of absolute paths and URLs")
            }
            inputs.append(input)
        }
        return inputs
    }

    func placement() throws(CommandError) -> QueuePlacement {
        switch fields["placement"] {
        case nil, .text("last"): return .last
        case .text("now"): return .now
        case .text("next"): return .next
        case .text("last-now"): return .lastNow
        case .text("at"): return .at(try whole("index"))
        case .text("replace"):
            let isChosen = try optional("chosen") { value throws(CommandError) in try flag(value, "chosen") }
            return .replacing(at: try whole("index"), isChosen: isChosen ?? true)
        default: throw lacks("placement", "one of now, next, last, last-now, at, replace")
        }
    }
}
