import SyrinxListening
import SyrinxPlayback

extension ListeningState.Session {
    /// The part of `queue` around its current input; `nil` if that cannot be opened again.
    init?(_ queue: PlayQueue, date: Double) {
        self.init(count: queue.count, current: queue.index, date: date) { queue.input(at: $0).keptInSession }
    }
}
