import Dispatch
import Foundation
import Synchronization
package import SyrinxPlayback
import SyrinxPodcastLibrary

/// Writes positions, queues and settings of podcasts on a thread of its own, because the disk may take its time.
///
/// Any thread may use it. All players of a process share one keeper, so that each player reads the positions that the others have written.
package final class PlaceKeeper: Sendable {
    private let store: ListeningStore?
    /// The playlists, favorites and stations of the listener; `nil` keeps none.
    package let lists: KeptLists?
    private let keptStore: KeptSettingsStore?
    private let queue = DispatchQueue(label: "syrinx.places")
    /// The writes to libraries of podcasts, for which a position is not to wait.
    private let libraryQueue = DispatchQueue(label: "syrinx.places.library")
    private let pending = Mutex(Pending())

    /// The last position of each item and the last queue that are not written yet, and the failures of writing.
    private struct Pending {
        var positions: [String: StoredPosition] = [:]
        var session: ListeningStore.Session?
        /// The failure of the last write of each kind; `nil` after a write that succeeded.
        var storeFailure: Failure?
        var libraryFailure: Failure?
        /// The failure of reading the positions, whose files stay as they are.
        var unreadable: Failure?
    }

    /// Creates a keeper of positions.
    /// - Parameters:
    ///   - store: The folder of the positions; `nil` keeps positions of episodes only.
    ///   - lists: The playlists, favorites and stations of the listener; `nil` keeps none.
    package init(_ store: ListeningStore?, lists: KeptLists? = nil) {
        (self.store, self.lists) = (store, lists)
        keptStore = store.map { KeptSettingsStore(folder: $0.folder) }
    }

    /// Removes the oldest positions beyond the limit of the folder.
    package func prune() {
        libraryQueue.async { [self] in
            guard let errors = store?.positions.prune(), let first = errors.first else { return }
            let others = errors.count > 1 ? "; \(errors.count - 1) more failed" : ""
            let failure = Failure(code: first.code, message: first.message + others, name: "--resume")
            pending.withLock { $0.unreadable = failure }
        }
    }

    /// Writes a position, unless another player has written a later one.
    package func keep(_ position: StoredPosition) {
        pending.withLock { $0.positions[position.item] = position }
        queue.async { [self] in
            guard let position = pending.withLock({ $0.positions.removeValue(forKey: position.item) }) else { return }
            write { try $0.positions.update(position, now: Date().timeIntervalSince1970) }
        }
    }

    /// Writes the queue that plays.
    package func keep(_ session: ListeningStore.Session) {
        pending.withLock { $0.session = session }
        queue.async { [self] in
            let session = pending.withLock { $0.session.take() }
            guard let session else { return }
            write { try $0.store(session) }
        }
    }

    /// Writes the name of the output that the listener has chosen.
    ///
    /// An output without sound is not kept: the next player would be silent without a reason that its listener can see.
    func keep(output name: String) {
        guard name != "null" else { return }
        queue.async { [self] in write { try $0.store(output: name == PlayerOutput.automatic ? nil : name) } }
    }

    /// The name of the output that the listener has chosen, after all writes so far; `nil` is the default output.
    package var output: String? { queue.sync { store?.output } }

    /// Writes the settings of a folder or a recording that have changed; `nil` removes all of them.
    func keep(_ changes: KeptSettings?, of place: KeptPlace) {
        queue.async { [self] in
            write { _ in try keptStore?.store(changes, of: place, now: Date().timeIntervalSince1970) }
        }
    }

    /// The settings of folders and recordings, by the keys of their places, after all writes so far; `nil` if none are kept.
    var keptSettings: [String: KeptSettings]? { queue.sync { keptStore?.all() } }

    private func write(_ body: (ListeningStore) throws -> Void) {
        guard let store else { return }
        do {
            try body(store)
            pending.withLock { $0.storeFailure = nil }
        } catch {
            let code = (error as? PlaybackError)?.code ?? .positionNotWritten
            let failure = Failure(code: code, message: error.localizedDescription, name: "--resume")
            pending.withLock { $0.storeFailure = failure }
        }
    }

    /// Changes a library of podcasts.
    func change(
        _ library: PodcastLibrary,
        _ body: @escaping @Sendable (PodcastLibrary) throws(PodcastError) -> Void
    ) {
        libraryQueue.async { [self] in
            do throws(PodcastError) {
                try body(library)
                pending.withLock { $0.libraryFailure = nil }
            } catch {
                pending.withLock { $0.libraryFailure = Failure(error) }
            }
        }
    }

    /// Returns the stored position of an item after all writes so far; `nil` if there is none.
    package func position(of item: String) -> StoredPosition? { queue.sync { store?.positions.position(of: item) } }

    /// Returns the queue that was played last and all positions, the last one first, after all writes so far.
    package func heard() async -> (session: ListeningStore.Session?, positions: [StoredPosition]) {
        await withCheckedContinuation { continuation in
            queue.async { [store] in
                // Thousands of files may take seconds, for which no write is to wait.
                DispatchQueue.global(qos: .userInitiated).async {
                    continuation.resume(returning: (store?.session, store?.positions.all() ?? []))
                }
            }
        }
    }

    /// Waits until everything is written.
    /// - Returns: The failures for the listener: that of the last write to the positions, that of the last write to a library, and that of
    ///   position files that cannot be read.
    @discardableResult package func drain() -> [Failure] {
        queue.sync {}
        libraryQueue.sync {}
        lists?.drain()
        return pending.withLock { [$0.unreadable, $0.storeFailure, $0.libraryFailure].compactMap(\.self) }
    }
}
