import Foundation
import Synchronization

/// Somebody's wish that the command ends at once, and who has to hear of it.
final class Interruption: Sendable {
    private struct State {
        var isRequested = false
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Whether an end has been asked for.
    ///
    /// Any thread.
    var isRequested: Bool { state.withLock { $0.isRequested } }

    /// Sets what an interruption does: at once, if it has come already.
    ///
    /// `nil` for nothing.
    func onRequest(_ action: (@Sendable () -> Void)?) {
        let isLate = state.withLock { state in
            state.action = action
            return state.isRequested
        }
        if isLate { action?() }
    }

    /// Asks for an end.
    /// - Returns: Whether it was the first time.
    func request() -> Bool {
        let (isFirst, action) = state.withLock { state in
            let isFirst = !state.isRequested
            state.isRequested = true
            return (isFirst, isFirst ? state.action : nil)
        }
        action?()
        return isFirst
    }
}
