package import SyrinxByteStream
import SyrinxMediaCodec
package import SyrinxStreaming
import SyrinxTerminal

/// A failure that players report to the user.
package struct Failure: Error, Equatable, Sendable {
    /// The error code, which is stable across versions.
    package let code: ErrorCode
    /// The message for the user: one sentence, without passwords and line breaks.
    package let message: String
    /// The name of the input, output or device that failed, without passwords.
    package let name: String
    /// The affected part of the input; `nil` for the whole input.
    package var stretch: Stretch?

    /// A part of an input, in seconds.
    package struct Stretch: Equatable, Sendable {
        package var time: Double
        package var length: Double
    }

    /// Creates a failure.
    package init(code: ErrorCode, message: String, name: String) {
        self.code = code
        self.message = Self.asClause(Redaction.redact(message: PrintableText.line(message)))
        self.name = Redaction.redact(name: name)
    }

    /// The line on standard error.
    package var line: String { PrintableText.line("syrinx: \(name): \(message)") }

    /// The names in failures of commands.
    package static let seek = "seek", control = "--control", queue = "queue", part = "A–B", sound = "sound"

    /// Whether the failure is the response to a command, and not about an input.
    package var answersCommand: Bool { [Self.seek, Self.control, Self.queue, Self.part].contains(name) }

    /// The line on standard error, if the failure is only a warning.
    package var warningLine: String { PrintableText.line("syrinx: \(name): warning: \(message)") }

    /// Whether the failure is a requested cancellation.
    var isCancellation: Bool { code == .cancelled }

    /// The failure for an input of which nothing could be decoded: `truncated` and `damaged` become `corrupt`.
    package var givingNothing: Failure {
        let isPartial = code == .truncated || code == .damaged
        return isPartial ? Failure(code: .corrupt, message: message, name: name) : self
    }

    /// Returns a sentence as a clause: without the full stop, and without the capital letter unless the word needs it.
    private static func asClause(_ text: String) -> String {
        let sentence = text.last == "." ? text.dropLast() : text[...]
        guard let first = sentence.first, sentence.dropFirst().first.map({ $0.isLowercase || $0 == " " }) ?? false
        else {
            return String(sentence)
        }
        return first.lowercased() + sentence.dropFirst()
    }
}

extension Failure {
    /// Creates a failure from an error; `name` is the name of the input in messages.
    package init(_ error: SyrinxError, name: String) {
        self.init(code: error.code, message: error.message, name: name)
    }

    /// Creates a failure of playback.
    ///
    /// Failures of the input have the name `input`; failures of a device, or of a written file, have its own name.
    package init(_ error: SyrinxError, input: String) {
        let isOutput = error.code.rawValue.hasPrefix("device.") || error.code == .fileWriteFailed
        self.init(code: error.code, message: error.message, name: isOutput ? error.name : input)
    }

    /// Creates a failure about a missing part of an input, such as a segment of a live stream.
    package init(_ sound: MissingSound) {
        self.init(sound.error, name: sound.error.name)
        stretch = Stretch(time: sound.time, length: sound.duration)
    }
}

extension ErrorCode {
    /// The command is invalid, or cannot be carried out.
    package static let badCommand = ErrorCode(rawValue: "usage.badCommand")
    /// Parts of the recording could not be decoded.
    package static let damaged = ErrorCode(rawValue: "media.damaged")
}
