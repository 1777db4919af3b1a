import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxTerminal

/// Reads terminal events on a separate thread until the process ends.
enum TerminalReader {
    /// Starts to pass events to `handler`, if `terminal` reads keys.
    /// - Throws: An error if the thread cannot be created.
    static func start(
        on terminal: Terminal,
        _ handler: @escaping @Sendable (TerminalEvent) -> Void
    ) throws(Failure) {
        guard let keys = terminal.keys else { return }
        try SystemThread.start("syrinx.keys") { read(keys, of: terminal, handler) }
    }

    private static func read(
        _ keys: Int32,
        of terminal: Terminal,
        _ handler: @Sendable (TerminalEvent) -> Void
    ) {
        var parser = InputParser()
        while true {
            if !terminal.hasKeys {
                // In the background keys must not be read, and no signal reports the return to the foreground.
                usleep(200_000)
                continue
            }
            let timeout = parser.isPending ? Int32(InputParser.escapeMilliseconds) : 500
            guard Descriptor.wait(for: POLLIN, on: keys, milliseconds: timeout) else {
                for event in parser.timeOut() { handler(event) }
                continue
            }
            guard let bytes = Descriptor.readSome(from: keys, limit: 1024) else {
                usleep(200_000)
                continue
            }
            if bytes.isEmpty { return }
            for event in parser.parse(bytes) { handler(event) }
        }
    }
}
