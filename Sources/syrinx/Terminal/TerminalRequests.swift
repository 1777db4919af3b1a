import Synchronization

/// Hands the signals that concern the terminal to whoever draws on it.
///
/// Any thread.
final class TerminalRequests: Sendable {
    private let handler = Mutex<(@Sendable (SignalWatcher.Request) -> Void)?>(nil)

    /// Sets who is told; `nil` for nobody.
    func onRequest(_ handler: (@Sendable (SignalWatcher.Request) -> Void)?) {
        self.handler.withLock { $0 = handler }
    }

    /// Tells it.
    ///
    /// Returns when it has been dealt with.
    func send(_ request: SignalWatcher.Request) {
        handler.withLock { $0 }?(request)
    }
}
