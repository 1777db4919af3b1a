import Foundation
import SyrinxByteStream
import SyrinxListening

/// Reads the lines of `--control` from standard input on a thread of its own.
enum ControlReader {
    /// The maximum length of a line in bytes, longer than any command; a longer line is invalid, and is discarded.
    private static let longestLine = 65_536

    /// Begins to hand commands, or why a line is none, to `handler`.
    ///
    /// The end of standard input changes nothing.
    /// - Throws: If there is no thread.
    static func start(
        _ handler: @escaping @Sendable (Result<ListeningCommand, CommandError>) -> Void
    ) throws(Failure) {
        try SystemThread.start("syrinx.control") {
            var lines = LineSplitter(longestLine: longestLine)
            // The first use of the decoder, and of numbers, takes most of a millisecond, by which a seek would be heard later.
            _ = try? ListeningCommand(json: #"{"command": "seek", "time": 0.5}"#)
            while let bytes = Descriptor.readSome(from: STDIN_FILENO, limit: 4096), !bytes.isEmpty {
                for line in lines.lines(in: bytes) { handle(line, handler) }
            }
            if let line = lines.rest() { handle(line, handler) }
        }
    }

    private static func handle(
        _ line: LineSplitter.Line,
        _ handler: (Result<ListeningCommand, CommandError>) -> Void
    ) {
        switch line {
        case .text(let text) where text.allSatisfy(\.isWhitespace): return
        case .text(let text):
            do throws(CommandError) {
                handler(.success(try ListeningCommand(json: text)))
            } catch {
                handler(.failure(error))
            }
        case .tooLong:
            handler(.failure(CommandError("the command is longer than \(longestLine) bytes")))
        }
    }
}
