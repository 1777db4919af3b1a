import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxTerminal

/// The command's two ways to speak: data on standard output, messages on standard error.
///
/// Any thread. What could do something to a terminal is taken out of all that is written (`PrintableText`); JSON has it escaped.
///
/// The last lines of standard error may be a status, which is rewritten in place.
final class Console: Sendable {
    private struct Output {
        var brokenPipe = false
        var outputError: Int32?
    }

    private let clock: ProcessClock
    private let encoder = EventEncoder()
    // Two locks: the reader of standard output may keep the writer waiting, which is no reason to be silent.
    private let output = Mutex(Output())
    private let status = Mutex(StatusBlock())

    /// A console whose events are dated by `clock`.
    init(clock: ProcessClock) { self.clock = clock }

    /// Whether the reader of standard output has gone away.
    var isOutputClosed: Bool { output.withLock { $0.brokenPipe } }

    /// The reason why standard output could not be written, unless its reader has gone.
    var outputFailure: Failure? {
        output.withLock { $0.outputError }.map {
            Failure(code: .fileWriteFailed, message: Descriptor.sentence($0), name: "standard output")
        }
    }

    /// Writes one line of data, or several of text.
    func write(_ line: String) {
        output.withLock { output in
            guard !output.brokenPipe, output.outputError == nil else { return }
            let number = Descriptor.writeAll(Array((PrintableText.lines(line) + "\n").utf8), to: STDOUT_FILENO)
            guard number != 0 else { return }
            if number == EPIPE { output.brokenPipe = true } else { output.outputError = number }
        }
    }

    /// Writes one event as a line of JSON.
    func write(_ event: ListeningEvent) {
        // Encoding fails for no event: every number in one has been made finite.
        guard let line = try? encoder.line(for: event, at: clock.now) else { return }
        write(line)
    }

    /// Writes one line of message, above the status if there is one.
    func say(_ line: String) { status.withLock { Self.speak($0.print(PrintableText.line(line))) } }

    /// Writes the line of a failure.
    func say(_ failure: Failure) { say(failure.line) }

    /// Puts status lines in the place of those before; none takes them away.
    func show(status lines: [String]) { status.withLock { Self.speak($0.show(lines.map(PrintableText.line))) } }

    /// Leaves the status where it is, and goes on below it; nothing if a write is under way that may never end.
    func leaveStatus() { _ = status.withLockIfAvailable { Self.speak($0.leave()) } }

    /// Takes the status away; nothing if a write is under way that may never end.
    func dropStatus() { _ = status.withLockIfAvailable { Self.speak($0.show([])) } }

    /// Without standard error the failure cannot be reported.
    private static func speak(_ text: String) {
        Descriptor.writeAll(Array(text.utf8), to: STDERR_FILENO)
    }
}

extension Console {
    /// Reports a failure: a line for people, and an event where events are wanted.
    func tell(_ failure: Failure, asJSON: Bool) {
        if asJSON { write(.error(failure)) }
        say(failure)
    }
}
