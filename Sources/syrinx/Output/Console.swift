import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxTerminal

/// Writes data to standard output, and messages to standard error.
///
/// Thread-safe. Terminal control sequences are removed from all output (`PrintableText`), or escaped in JSON. The last
/// lines of standard error may be a status that is redrawn in place.
final class Console: Sendable {
    private struct Output {
        var brokenPipe = false
        var outputError: Int32?
    }

    private let clock: ProcessClock
    private let encoder = EventEncoder()
    // Two locks: if writing to standard output blocks, messages must still be possible.
    private let output = Mutex(Output())
    private let status = Mutex(StatusBlock())

    /// Creates a console whose events are timed by `clock`.
    init(clock: ProcessClock) { self.clock = clock }

    /// Whether the reader of standard output has closed it.
    var isOutputClosed: Bool { output.withLock { $0.brokenPipe } }

    /// The error of writing to standard output; `nil` if there is none or its reader has closed it.
    var outputFailure: Failure? {
        output.withLock { $0.outputError }.map {
            Failure(code: .fileWriteFailed, message: Descriptor.sentence($0), name: "standard output")
        }
    }

    /// Writes data as one or several lines.
    func write(_ line: String) {
        output.withLock { output in
            guard !output.brokenPipe, output.outputError == nil else { return }
            let number = Descriptor.writeAll(Array((PrintableText.lines(line) + "\n").utf8), to: STDOUT_FILENO)
            guard number != 0 else { return }
            if number == EPIPE { output.brokenPipe = true } else { output.outputError = number }
        }
    }

    /// Writes an event as a line of JSON.
    func write(_ event: ListeningEvent) {
        // Encoding cannot fail, because all numbers have been made finite.
        guard let line = try? encoder.line(for: event, at: clock.now) else { return }
        write(line)
    }

    /// Writes a message line, above the status if there is one.
    func say(_ line: String) { status.withLock { Self.speak($0.print(PrintableText.line(line))) } }

    /// Writes an error message.
    func say(_ failure: Failure) { say(failure.line) }

    /// Replaces the status lines; an empty array removes them.
    func show(status lines: [String]) { status.withLock { Self.speak($0.show(lines.map(PrintableText.line))) } }

    /// Keeps the status and continues below it; does nothing while another write is blocked.
    func leaveStatus() { _ = status.withLockIfAvailable { Self.speak($0.leave()) } }

    /// Removes the status; does nothing while another write is blocked.
    func dropStatus() { _ = status.withLockIfAvailable { Self.speak($0.show([])) } }

    /// If standard error cannot be written, the error cannot be reported.
    private static func speak(_ text: String) {
        Descriptor.writeAll(Array(text.utf8), to: STDERR_FILENO)
    }
}

extension Console {
    /// Reports an error as a message and, if `asJSON` is true, as an event.
    func tell(_ failure: Failure, asJSON: Bool) {
        if asJSON { write(.error(failure)) }
        say(failure)
    }
}
