import Foundation
import Synchronization

/// Hands every event to every listener.
final class EventHub<Event: Sendable>: Sendable {
    private let listeners = Mutex<[UUID: AsyncStream<Event>.Continuation]>([:])

    deinit { listeners.withLock { for listener in $0.values { listener.finish() } } }

    /// Returns an independent stream of all later events.
    func makeStream() -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
        let id = UUID()
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { $0[id] = nil }
        }
        listeners.withLock { $0[id] = continuation }
        return stream
    }

    func send(_ event: Event) {
        // Copied, because a listener that ends removes itself from the list.
        for listener in listeners.withLock({ Array($0.values) }) { listener.yield(event) }
    }
}
