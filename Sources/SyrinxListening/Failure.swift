package import SyrinxByteStream
import SyrinxMediaCodec
package import SyrinxStreaming
import SyrinxTerminal

/// A failure as players report it.
package struct Failure: Error, Equatable, Sendable {
    /// The dotted code, which stays the same from version to version.
    package let code: ErrorCode
    /// One sentence that a person can act on, without a password and without a line break.
    package let message: String
    /// The name of the input, output or device that failed, without a password and otherwise unchanged.
    package let name: String
    /// The part of the input that it is about; `nil` for all of it.
    package var stretch: Stretch?

    /// A part of an input, in seconds.
    package struct Stretch: Equatable, Sendable {
        package var time: Double
        package var length: Double
    }

    /// A failure of `name`.
    package init(code: ErrorCode, message: String, name: String) {
        self.code = code
        self.message = Self.asClause(Redaction.redact(message: PrintableText.line(message)))
        self.name = Redaction.redact(name: name)
    }

    /// The line on standard error.
    package var line: String { PrintableText.line("syrinx: \(name): \(message)") }

    /// The names of what fails where a command of the listener changes nothing.
    package static let seek = "seek", control = "--control", queue = "queue", part = "A–B", sound = "sound"

    /// Whether it answers a command of the listener, and concerns no input.
    package var answersCommand: Bool { [Self.seek, Self.control, Self.queue, Self.part].contains(name) }

    /// The line for standard error if the failure is only a warning.
    package var warningLine: String { PrintableText.line("syrinx: \(name): warning: \(message)") }

    /// Whether the failure is only that somebody asked for an end.
    var isCancellation: Bool { code == .cancelled }

    /// The failure of an input of which nothing can be decoded, whatever is missing or damaged.
    package var givingNothing: Failure {
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

extension Failure {
    /// Creates a failure of bytes or of a recording, which messages call `name`.
    package init(_ error: SyrinxError, name: String) {
        self.init(code: error.code, message: error.message, name: name)
    }

    /// Creates a failure of playback.
    ///
    /// Failures of the input are reported under the name that the user gave it; those of a device or a file that was written, under its
    /// own.
    package init(_ error: SyrinxError, input: String) {
        let isOutput = error.code.rawValue.hasPrefix("device.") || error.code == .fileWriteFailed
        self.init(code: error.code, message: error.message, name: isOutput ? error.name : input)
    }

    /// Creates the failure of a part of an input that is missing, such as a segment of a presentation.
    package init(_ sound: MissingSound) {
        self.init(sound.error, name: sound.error.name)
        stretch = Stretch(time: sound.time, length: sound.duration)
    }
}

extension ErrorCode {
    /// A wish of the listener that is no command, or cannot be carried out.
    package static let badCommand = ErrorCode(rawValue: "usage.badCommand")
    /// Parts of the recording could not be decoded.
    package static let damaged = ErrorCode(rawValue: "media.damaged")
}
