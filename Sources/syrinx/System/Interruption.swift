import Foundation
import Synchronization

/// The wish that the command ends at once, and who has to hear of it.
final class Interruption: Sendable {
    private struct State {
        var status: ExitStatus?
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Whether an end has been asked for.
    ///
    /// Any thread.
    var isRequested: Bool { status != nil }

    /// The exit code that the process ends with, once an end has been asked for.
    var status: ExitStatus? { state.withLock { $0.status } }

    /// Sets what an interruption does: at once, if it has come already.
    ///
    /// `nil` for nothing.
    func onRequest(_ action: (@Sendable () -> Void)?) {
        let isLate = state.withLock { state in
            state.action = action
            return state.status != nil
        }
        if isLate { action?() }
    }

    /// Asks for an end with this exit code; that of the first request counts.
    /// - Returns: Whether it was the first time.
    @discardableResult
    func request(_ status: ExitStatus) -> Bool {
        let (isFirst, action) = state.withLock { state in
            let isFirst = state.status == nil
            if isFirst { state.status = status }
            return (isFirst, isFirst ? state.action : nil)
        }
        action?()
        return isFirst
    }
}
