import SyrinxListening
import SyrinxPlayback

extension ListeningStore.Session {
    /// The part of `queue` around its current input; `nil` if that cannot be opened again.
    init?(_ queue: ListeningQueue, date: Double) {
        self.init(count: queue.count, current: queue.index, date: date) { queue.input(at: $0).keptInSession }
    }
}
