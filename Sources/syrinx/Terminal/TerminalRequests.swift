import Synchronization

/// Passes requests of the terminal to its user.
///
/// Any thread.
final class TerminalRequests: Sendable {
    /// A request to the user of the terminal.
    enum Request: Sendable {
        /// The process ends: leave the terminal as it was found.
        case leave
        /// The process is going to be stopped: be silent, and leave the terminal as it was found.
        case suspend
        /// The process runs again, after `suspend` or a stop that could not be reported before.
        case resume
        /// The terminal has another size.
        case resized
    }

    private let handler = Mutex<(@Sendable (Request) -> Void)?>(nil)

    /// Sets the receiver; `nil` for none.
    func onRequest(_ handler: (@Sendable (Request) -> Void)?) {
        self.handler.withLock { $0 = handler }
    }

    /// Tells it.
    ///
    /// Returns when it has been dealt with.
    func send(_ request: Request) {
        let handler = handler.withLock { $0 }
        handler?(request)
    }
}
