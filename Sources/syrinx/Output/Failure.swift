import SyrinxByteStream
import SyrinxDevice
import SyrinxListening
import SyrinxMediaCodec
import SyrinxTerminal

/// A failure as the command reports it.
struct Failure: Error, Equatable, Sendable {
    /// The dotted code, which stays the same from version to version.
    let code: ErrorCode
    /// One sentence that a person can act on, without a password and without a line break.
    let message: String
    /// The name of the input, output or device that failed, without a password and otherwise unchanged.
    let name: String
    /// The part of the input that it is about; `nil` for all of it.
    var stretch: Stretch?

    /// A part of an input, in seconds.
    struct Stretch: Equatable, Sendable {
        var time: Double
        var length: Double
    }

    /// A failure of `name`.
    init(code: ErrorCode, message: String, name: String) {
        self.code = code
        self.message = Self.asClause(Redaction.redact(message: PrintableText.line(message)))
        self.name = Redaction.redact(name: name)
    }

    /// A command line that is wrong in a way that only looking at all of it shows.
    static func usage(_ message: String, name: String, code: ErrorCode = .commandLine) -> Failure {
        Failure(code: code, message: message, name: name)
    }

    /// The line on standard error.
    var line: String { PrintableText.line("syrinx: \(name): \(message)") }

    /// The names of what fails where a command of the listener changes nothing.
    static let seek = "seek", control = "--control", queue = "queue", part = "A–B"

    /// Whether it answers a command of the listener, and concerns no input.
    var answersCommand: Bool { [Self.seek, Self.control, Self.queue, Self.part].contains(name) }

    /// The line where work goes on in spite of it.
    var warningLine: String { PrintableText.line("syrinx: \(name): warning: \(message)") }

    /// The exit code that the failure asks for.
    var exitStatus: ExitStatus { ExitStatus(code: code) }

    /// Whether the failure is only that somebody asked for an end.
    var isCancellation: Bool { code == .cancelled }

    /// The failure of an input of which nothing can be decoded, whatever is missing or damaged.
    var givingNothing: Failure {
        let isPartial = code == .truncated || code == .damaged
        return isPartial ? Failure(code: .corrupt, message: message, name: name) : self
    }

    /// A sentence in the middle of a line: without its full stop, and without its capital unless that belongs to the word.
    private static func asClause(_ text: String) -> String {
        let sentence = text.last == "." ? text.dropLast() : text[...]
        guard let first = sentence.first, sentence.dropFirst().first.map({ $0.isLowercase || $0 == " " }) ?? false
        else {
            return String(sentence)
        }
        return first.lowercased() + sentence.dropFirst()
    }
}

// Codes of the command.
extension ErrorCode {
    /// The command line is wrong.
    static let commandLine = ErrorCode(rawValue: "usage.commandLine")
    /// A line of `--control` is no command.
    static let badCommand = ErrorCode(rawValue: "usage.badCommand")
    /// No player runs that could be controlled.
    static let noPlayer = ErrorCode(rawValue: "device.noPlayer")
    /// Parts of the recording could not be decoded.
    static let damaged = ErrorCode(rawValue: "media.damaged")
}
