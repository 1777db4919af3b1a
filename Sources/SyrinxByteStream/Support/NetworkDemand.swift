import Synchronization

/// The users that wait for bytes of the network, so that others can yield to them.
package final class NetworkDemand: Sendable {
    private struct State {
        var waiting: Set<ObjectIdentifier> = []
        var observer: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// No reader waits.
    package init() {}

    /// Whether somebody waits.
    package var isThere: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Says that `who` waits for bytes, or does no more; `who` has to say so before it goes away.
    package func note(_ who: AnyObject, waits: Bool) {
        let id = ObjectIdentifier(who)
        state.withLock { state in
            let wasThere = !state.waiting.isEmpty
            if waits { state.waiting.insert(id) } else { state.waiting.remove(id) }
            if wasThere == state.waiting.isEmpty { state.observer?() }
        }
    }

    /// Calls `observer` when `isThere` has changed: on any thread, under locks, so that it may only ask to be called later.
    package func observe(_ observer: (@Sendable () -> Void)?) { state.withLock { $0.observer = observer } }
}
