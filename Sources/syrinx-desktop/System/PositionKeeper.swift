import Dispatch
import Foundation
import Synchronization
import SyrinxPlayback

/// Writes positions and the queue on a thread of its own: the disk may take its time.
///
/// Any thread.
final class PositionKeeper: Sendable {
    private let state: ListeningStore?
    private let queue = DispatchQueue(label: "syrinx.positions")
    private let pending = Mutex(Pending())

    /// The last of each item, and the last queue, which have not been written.
    private struct Pending {
        var positions: [String: StoredPosition] = [:]
        var session: ListeningStore.Session?
    }

    /// Keeps positions and the queue in a state; without one nothing is kept.
    init(_ state: ListeningStore?) { self.state = state }

    /// Has a position written, unless the recording has been heard later elsewhere.
    func keep(_ position: StoredPosition) {
        pending.withLock { $0.positions[position.item] = position }
        queue.async { [self] in
            guard let position = pending.withLock({ $0.positions.removeValue(forKey: position.item) })
            else { return }
            // A position that cannot be kept is no reason to disturb the listener.
            try? state?.positions.update(position, now: Date().timeIntervalSince1970)
        }
    }

    /// Has the queue written that plays.
    func keep(_ session: ListeningStore.Session) {
        pending.withLock { $0.session = session }
        queue.async { [self] in
            let session = pending.withLock { pending in
                defer { pending.session = nil }
                return pending.session
            }
            if let session { try? state?.store(session) }
        }
    }

    /// The position in a recording, once all that was to be written has been; `nil` if there is none.
    func position(of item: String) -> StoredPosition? {
        queue.sync { state?.positions.position(of: item) }
    }

    /// The queue that was played last and all positions, the last one first, once all that was to be written has been.
    func heard() async -> (session: ListeningStore.Session?, positions: [StoredPosition]) {
        await withCheckedContinuation { continuation in
            queue.async { [state] in
                // Thousands of files may take their time, for which no window is to wait.
                DispatchQueue.global(qos: .userInitiated).async {
                    continuation.resume(returning: (state?.session, state?.positions.all() ?? []))
                }
            }
        }
    }

    /// Waits until all is written.
    func drain() { queue.sync {} }
}
