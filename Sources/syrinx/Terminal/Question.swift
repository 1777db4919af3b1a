import Foundation
import SyrinxByteStream
import SyrinxTerminal

/// A question to the user on the terminal.
enum Question {
    /// The maximum length of an answer, in bytes.
    private static let longestAnswer = 1_024

    /// Asks a question, and waits for a line.
    ///
    /// - Parameters:
    ///   - text: The question, with a trailing space.
    ///   - context: The context, whose interruption ends the wait.
    /// - Returns: Whether the answer starts with y; `nil`, without asking, if standard input or standard error is not a
    ///   terminal.
    static func ask(_ text: String, in context: CommandContext) -> Bool? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        Descriptor.writeAll(Array(PrintableText.line(text).utf8), to: STDERR_FILENO)
        while !Descriptor.wait(for: POLLIN, on: STDIN_FILENO, milliseconds: 100) {
            guard !context.interruption.isRequested else { return false }
        }
        let answer = Descriptor.readSome(from: STDIN_FILENO, limit: longestAnswer) ?? []
        return answer.first { $0 != 0x20 }.map { $0 == UInt8(ascii: "y") || $0 == UInt8(ascii: "Y") } ?? false
    }
}

extension ErrorCode {
    /// A file exists and was not replaced.
    static let fileKept = ErrorCode(rawValue: "file.exists")
}
