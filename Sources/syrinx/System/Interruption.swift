import Foundation
import Synchronization

/// A request to end the command as soon as possible, and the action that it triggers.
final class Interruption: Sendable {
    private struct State {
        var status: ExitStatus?
        var hangUpPatience: Double?
        var action: (@Sendable () -> Void)?
    }

    /// The time that a requested end may take before the process is ended without it, in seconds.
    private static let standardPatience = 1.0

    private let state = Mutex(State())

    /// The time that a requested end may take before the process is ended without it, in seconds.
    var patience: Double {
        state.withLock { $0.status == .hungUp ? $0.hangUpPatience : nil } ?? Self.standardPatience
    }

    /// Sets the time that an end may take, in seconds, if the terminal has closed.
    func setHangUpPatience(_ seconds: Double) { state.withLock { $0.hangUpPatience = seconds } }

    /// Whether an end was requested.
    ///
    /// Thread-safe.
    var isRequested: Bool { status != nil }

    /// The exit code for the requested end; `nil` if there was no request.
    var status: ExitStatus? { state.withLock { $0.status } }

    /// Sets the action of a request, which is called at once if there already was one.
    ///
    /// `nil` removes the action.
    func onRequest(_ action: (@Sendable () -> Void)?) {
        let isLate = state.withLock { state in
            state.action = action
            return state.status != nil
        }
        if isLate { action?() }
    }

    /// Requests an end with this exit code; after the first request, others are ignored.
    /// - Returns: Whether this was the first request.
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
