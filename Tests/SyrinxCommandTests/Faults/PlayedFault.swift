import SyrinxTestSupport
import Testing

/// One of the project's list of 40 faults, and what comes of it when the command plays through it.
///
/// To add a case, add an entry to the table of its kind, `PlayedFaults….swift`: `PlayedFaultTests` serves it, plays it and
/// holds against the entry what was written, told, asked of the server and answered to the shell; and, of every entry alike,
/// that it ends, that it takes no more memory than playing without faults, and that no password is to be seen. One number may
/// have several entries; one that has none is named in `PlayedFault.elsewhere` with the suite that has it.
struct PlayedFault: Sendable, CustomTestStringConvertible {
    /// The result for the listener.
    enum Outcome: Sendable {
        /// All the samples, and exit code 0.
        case whole
        /// So many frames, which are the first: `--duration` ends it.
        case first(Int)
        /// The first samples, so many frames at least, then `error` with this code, and this exit code.
        case prefix(atLeast: Int, String, exit: Int32)
        /// The first samples, and from a frame in this range on those of the sound backwards, which is another version of it.
        case spliced(Range<Int>)
        /// So much of the samples, from 0 to 1, in blocks of half an MP3 frame; the others are noise, silence or missing.
        case mostly(Double)

        /// No sample, and this failure.
        static func nothing(_ code: String, exit: Int32) -> Outcome { prefix(atLeast: 0, code, exit: exit) }
    }

    /// The answer of a server to a request, which has this number, from 0 on.
    typealias Answer = @Sendable (_ bytes: [UInt8], _ request: ScriptedRequest, _ index: Int) -> ScriptedResponse

    let number: Int
    let name: String
    let outcome: Outcome
    var sound = Sound.wave
    /// The requests in order, as `PlayedFault.asked` writes them; `nil`: whatever it takes.
    var requests: [String]?
    /// Retries, warnings, titles and the last word, in order.
    ///
    /// With an asterisk behind it, an event occurs once or more often in a row.
    let told: [String]
    /// The states, but for those of waiting once there was sound.
    var states: [String]
    /// Further arguments of `play`.
    var arguments: [String] = []
    var environment: [String: String] = [:]
    /// The URL that is played in place of the server's `/a`.
    var address: String?
    let answer: Answer

    var testDescription: String { "\(number): \(name)" }

    init(
        _ number: Int,
        _ name: String,
        _ outcome: Outcome = .whole,
        of sound: Sound = .wave,
        requests: [String]? = nil,
        told: [String] = [],
        states: [String]? = nil,
        arguments: [String] = [],
        environment: [String: String] = [:],
        address: String? = nil,
        handler: @escaping Answer
    ) {
        self.number = number
        self.name = name
        self.outcome = outcome
        self.sound = sound
        self.requests = requests
        self.told = told + [outcome.lastWord]
        self.states = states ?? outcome.states
        self.arguments = arguments + outcome.arguments
        self.environment = environment
        self.address = address
        answer = handler
    }

    /// With the answers in turn, the last one ever after.
    init(
        _ number: Int,
        _ name: String,
        _ outcome: Outcome = .whole,
        of sound: Sound = .wave,
        requests: [String]? = nil,
        told: [String] = [],
        states: [String]? = nil,
        arguments: [String] = [],
        environment: [String: String] = [:],
        address: String? = nil,
        _ answers: @escaping @Sendable (_ bytes: [UInt8]) -> [ScriptedResponse]
    ) {
        self.init(
            number,
            name,
            outcome,
            of: sound,
            requests: requests,
            told: told,
            states: states,
            arguments: arguments,
            environment: environment,
            address: address
        ) { bytes, _, index in
            let all = answers(bytes)
            return all[min(index, all.count - 1)]
        }
    }

    static let all: [PlayedFault] = [
        framing, ranges, types, interruptions, changes, refusals, busy, redirects, unreachable, heads, broadcasts,
        media,
        caches,
    ].flatMap { $0 }

    /// The faults without an entry here, and the suites that have them.
    static let elsewhere: [Int: String] = [
        16: "SyrinxHTTPStreamTests.SecureTests: a secure connection that ends without a word",
        20: "SyrinxStreamingTests.LinkTests: ten minutes at 99 % of what is needed, on a clock moved by hand",
        23: "SyrinxStreamingTests.LinkTests: a connection that the server closes in a long pause",
    ]

    /// A request as the entries write it: its range, and the validator that goes with it.
    static func asked(_ request: ScriptedRequest) -> String {
        let range = request.range.map { String($0.dropFirst("bytes=".count)) } ?? "whole"
        return range + (request.headers["if-range"].map { " if \($0)" } ?? "")
    }
}

extension PlayedFault.Outcome {
    fileprivate var lastWord: String {
        switch self {
        case .whole, .first, .spliced, .mostly: "ended"
        case .prefix(_, let code, _): "error \(code)"
        }
    }

    fileprivate var states: [String] {
        switch self {
        case .whole, .first, .spliced, .mostly: ["opening", "buffering", "playing", "ended"]
        case .prefix(let count, _, _) where count > 0: ["opening", "buffering", "playing", "failed"]
        case .prefix: ["opening", "failed"]
        }
    }

    fileprivate var arguments: [String] {
        if case .first(let count) = self { ["--duration", "\(Double(count) / 44_100)"] } else { [] }
    }

    /// The exit code that goes with it.
    var exit: Int32 { if case .prefix(_, _, let exit) = self { exit } else { 0 } }
}
