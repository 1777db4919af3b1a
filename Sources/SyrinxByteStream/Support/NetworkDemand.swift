import Synchronization

/// Tracks the readers that wait for network bytes, so that background transfers can yield to them.
package final class NetworkDemand: Sendable {
    private struct State {
        var waiting: Set<ObjectIdentifier> = []
        var observer: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Creates an object without waiting readers.
    package init() {}

    /// Whether a reader is waiting.
    package var isThere: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Notes whether the reader `who` is waiting; a reader must end its wait before it is deallocated.
    package func note(_ who: AnyObject, waits: Bool) {
        let id = ObjectIdentifier(who)
        state.withLock { state in
            let wasThere = !state.waiting.isEmpty
            if waits { state.waiting.insert(id) } else { state.waiting.remove(id) }
            if wasThere == state.waiting.isEmpty { state.observer?() }
        }
    }

    /// Sets an observer of changes of `isThere`.
    ///
    /// It is called on any thread with locks held, so it may only schedule work.
    package func observe(_ observer: (@Sendable () -> Void)?) { state.withLock { $0.observer = observer } }
}
