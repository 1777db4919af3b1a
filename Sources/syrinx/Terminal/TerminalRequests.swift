import Synchronization

/// Forwards requests from the terminal to the code that uses it.
///
/// Thread-safe.
final class TerminalRequests: Sendable {
    /// A request to the user of the terminal.
    enum Request: Sendable {
        /// Restore the terminal, because the process is ending.
        case leave
        /// Pause the sound and restore the terminal, because the process will be suspended.
        case suspend
        /// Continue, after a suspension or after a stop that was not announced.
        case resume
        /// The size of the terminal has changed.
        case resized
    }

    private let handler = Mutex<(@Sendable (Request) -> Void)?>(nil)

    /// Sets the receiver of requests; `nil` removes it.
    func onRequest(_ handler: (@Sendable (Request) -> Void)?) {
        self.handler.withLock { $0 = handler }
    }

    /// Sends a request.
    ///
    /// Returns after it has been handled.
    func send(_ request: Request) {
        let handler = handler.withLock { $0 }
        handler?(request)
    }
}
