import Foundation
package import SyrinxPlayback
import SyrinxPodcastLibrary

/// Saves the position in the current input, and the queue: those of recordings in the state folder, those of episodes in their
/// library.
///
/// One thread.
struct PlaceRecord {
    /// The last opened input.
    private struct Opened {
        var progress: ListeningProgress
        /// The episode, if the input is one.
        let episode: EpisodeItem?
        let turn: ListeningQueue.Turn.ID
        /// The identity of the input in the queue, which stays the same when the input moves.
        let entry: Int?
        /// Whether the input has reported its last state; later events belong to another input.
        var isOver = false
    }

    private let keeper: PlaceKeeper
    /// Whether the positions of recordings and the queue are saved; positions of episodes always are.
    private let keepsRecordings: Bool
    /// Returns the location under which the position in an input is saved; `nil` if it is not saved.
    private let key: (ListeningInput) -> String?
    private var opened: Opened?
    /// The number of inputs in the last saved queue; 0 before the first one.
    private var count = 0

    init(_ keeper: PlaceKeeper, keepsRecordings: Bool, key: @escaping (ListeningInput) -> String?) {
        (self.keeper, self.keepsRecordings, self.key) = (keeper, keepsRecordings, key)
    }

    /// Processes an event of the current input of `session`.
    /// - Parameter episode: The episode, if the input is one.
    mutating func handle(_ event: ListeningEvent, of session: ListeningSession, _ episode: EpisodeItem?) {
        let date = Date().timeIntervalSince1970
        let (turn, entry) = (session.queue.currentTurnID, session.queue.identity(at: session.queue.index))
        let hasOpened = if case .opened = event { true } else { false }
        if hasOpened || count != 0 && count != session.queue.count { keepQueue(of: session, date: date) }
        // An input that is removed while it plays has left the queue when it stops.
        if hasOpened {
            let item = episode.map { "\($0.episode.id)" } ?? (keepsRecordings ? key(session.queue.current) : nil)
            opened = item.map {
                Opened(progress: ListeningProgress(of: $0), episode: episode, turn: turn, entry: entry)
            }
        }
        guard var current = opened else { return }
        // When the end of an input is reported, the session is already at the next input.
        let isCurrent = current.turn == turn
        if isCurrent {
            (current.progress.outro, current.progress.repeatsPart) = (session.outro, session.repetition.part != nil)
        }
        var position: StoredPosition?
        if case .state(let state, _) = event, current.isOver {
            // The listener plays an input again that is open at its end.
            current.isOver = state != .playing || !isCurrent
        } else if case .state(.ended, _) = event, isCurrent ? session.beginsAgain : current.entry == entry {
            // An input that begins again has not been heard to its end yet.
            position = current.progress.beganAgain(at: date)
            current.isOver = true
        } else if case .state(.stopped, let time) = event, !isCurrent, current.entry == entry {
            // An input that is opened anew, or repeated from its outro, has not been left.
            position = current.progress.stood(at: time)
            current.isOver = true
        } else if !current.isOver {
            position = current.progress.handle(event, isPlaying: session.item.progress.state == .playing, at: date)
            if case .state(let state, _) = event { current.isOver = state.isLast }
        }
        opened = current
        if let position { keep(position, of: current.episode, repeatsQueue: session.settings.loop == .all) }
    }

    /// Stores the position immediately, if the input is open.
    /// - Parameter isLeaving: Whether the user leaves the input, which then counts as played if it is near its end.
    mutating func keepPlace(in session: ListeningSession, at time: Double, isLeaving: Bool) {
        // Before an input is open, and after its end, the time of the streamer is that of another one, or of its start.
        guard var current = opened, !current.isOver, current.turn == session.queue.currentTurnID, session.item.isOpen
        else { return }
        let due = isLeaving ? current.progress.left(at: time) : current.progress.stood(at: time)
        opened = current
        guard let position = due else { return }
        keep(position, of: current.episode, repeatsQueue: session.settings.loop == .all)
    }

    private func keep(_ position: StoredPosition, of episode: EpisodeItem?, repeatsQueue: Bool) {
        if let episode {
            let id = episode.episode.id
            // An episode of a queue that is repeated stays in the library's queue, because its turn comes again.
            keeper.change(episode.library) { library throws(PodcastError) in
                try library.keep(position, of: id, keepsInQueue: repeatsQueue)
            }
        } else if position.duration != nil {
            // An input without a known end, such as a broadcast, has no position.
            keeper.keep(position)
        }
    }

    /// Saves the queue; the library has its own queue for episodes.
    private mutating func keepQueue(of session: ListeningSession, date: Double) {
        guard keepsRecordings, session.episode == nil else { return }
        let queue = session.queue
        count = queue.count
        let kept = ListeningStore.Session(queue, date: date) { session.show(of: $0) == nil ? key($0) : nil }
        if let kept { keeper.keep(kept) }
    }
}

extension ListeningStore.Session {
    /// The part of a queue around its current input; `nil` if that cannot be opened again.
    /// - Parameter address: Returns the address by which an input is opened again; `nil` leaves the input out.
    package init?(_ queue: ListeningQueue, date: Double, address: (ListeningInput) -> String? = { $0.identity }) {
        self.init(count: queue.count, current: queue.index, date: date) { place in
            let input = queue.input(at: place)
            return input.keptInSession.flatMap { kept in address(input).map { ($0, kept.title) } }
        }
    }
}

extension ListeningProgress {
    /// Handles an event about the item, at `date` seconds since 1970.
    /// - Parameters:
    ///   - event: The event.
    ///   - isPlaying: Whether the item is playing, so that its position advances.
    ///   - date: Seconds since 1970.
    /// - Returns: The position to store now, if one is due.
    mutating func handle(_ event: ListeningEvent, isPlaying: Bool = true, at date: Double) -> StoredPosition? {
        switch event {
        case .opened(let fields): duration = fields.duration
        case .duration(let seconds, _): duration = seconds
        case .position(let time): return isPlaying ? heard(time, at: date) : moved(to: time, at: date)
        case .state(let state, let time):
            switch state {
            case .paused, .buffering, .failed: return stood(at: time)
            case .stopped: return left(at: time)
            case .ended: return ended(at: date)
            case .opening, .playing: return nil
            }
        default: break
        }
        return nil
    }
}
