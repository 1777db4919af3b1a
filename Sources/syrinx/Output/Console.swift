import Foundation
import Synchronization

/// The command's two ways to speak: data on standard output, messages on standard error.
///
/// Any thread. What could do something to a terminal is taken out of all that is written (`PrintableText`); JSON has it escaped.
///
/// At most one line of standard error is a status line, which is rewritten in place.
final class Console: Sendable {
    private struct State {
        var statusLine: String?
        var brokenPipe = false
        var outputError: Int32?
    }

    private let clock: ProcessClock
    private let encoder = EventEncoder()
    private let state = Mutex(State())

    /// A console whose events are dated by `clock`.
    init(clock: ProcessClock) { self.clock = clock }

    /// Whether the reader of standard output has gone away: there is nobody left to write for.
    var isOutputClosed: Bool { state.withLock { $0.brokenPipe } }

    /// Why standard output could not be written, if that happened and its reader has not just gone away.
    var outputFailure: Failure? {
        state.withLock { $0.outputError }.map {
            Failure(code: "file.writeFailed", message: Descriptor.sentence($0), name: "standard output")
        }
    }

    /// Writes one line of data, or several of text.
    func write(_ line: String) {
        state.withLock { state in
            guard !state.brokenPipe, state.outputError == nil else { return }
            do throws(Descriptor.WriteError) {
                try Descriptor.write(PrintableText.lines(line) + "\n", to: STDOUT_FILENO)
            } catch {
                if error.number == EPIPE { state.brokenPipe = true } else { state.outputError = error.number }
            }
        }
    }

    /// Writes one event as a line of JSON.
    func write(_ event: CommandEvent) {
        // Encoding fails for no event: every number in one has been made finite.
        guard let line = try? encoder.line(for: event, at: clock.now) else { return }
        write(line)
    }

    /// Writes one line of message, above the status line if there is one.
    func say(_ line: String) {
        state.withLock { state in
            let status = state.statusLine
            let text = (status == nil ? "" : "\r\u{1B}[K") + PrintableText.line(line) + "\n" + (status ?? "")
            Self.speak(text)
        }
    }

    /// Writes the line of a failure.
    func say(_ failure: Failure) { say(failure.line) }

    /// Puts a status line in the place of the one before; `nil` takes it away.
    func show(status line: String?) {
        let line = line.map(PrintableText.line)
        state.withLock { state in
            guard line != state.statusLine else { return }
            Self.speak("\r" + (line ?? "") + "\u{1B}[K")
            state.statusLine = line
        }
    }

    /// Leaves the status line where it is, and goes on below it.
    func keepStatus() {
        state.withLock { state in
            if state.statusLine != nil { Self.speak("\n") }
            state.statusLine = nil
        }
    }

    /// Without standard error there is nobody to tell that it cannot be written.
    private static func speak(_ text: String) { try? Descriptor.write(text, to: STDERR_FILENO) }
}

extension Console {
    /// Tells of a failure: a line for people, and an event where events are wanted.
    func tell(_ failure: Failure, asJSON: Bool) {
        if asJSON { write(.error(failure)) }
        say(failure)
    }
}
