import Foundation

/// Reads the keys of a terminal on a thread of its own, for as long as the process lives.
enum KeyReader {
    /// The time that the rest of an escape sequence may take: enough for a slow link, and imperceptible.
    private static let escapeMilliseconds: Int32 = 100

    /// Begins to hand keys to `handler`, if `terminal` has any.
    static func start(on terminal: Terminal, _ handler: @escaping @Sendable (Key) -> Void) {
        guard let keys = terminal.keys else { return }
        let thread = Thread { read(keys, of: terminal, handler) }
        thread.name = "syrinx.keys"
        thread.start()
    }

    private static func read(_ keys: Int32, of terminal: Terminal, _ handler: @Sendable (Key) -> Void) {
        var decoder = KeyDecoder()
        while true {
            if !terminal.hasKeys {
                // In the background the terminal's keys are not ours; there is no signal that says when they are again.
                usleep(200_000)
                continue
            }
            let timeout = decoder.isPending ? escapeMilliseconds : 500
            guard Descriptor.wait(for: POLLIN, on: keys, milliseconds: timeout) else {
                decoder.timeOut()
                continue
            }
            guard let bytes = Descriptor.read(from: keys, limit: 64) else {
                usleep(200_000)
                continue
            }
            if bytes.isEmpty { return }
            for key in decoder.keys(in: bytes) { handler(key) }
        }
    }
}
