import Dispatch
import Foundation
import SyrinxListening
import SyrinxPlayback

/// Keeps positions and the queue while inputs play, on a thread of its own: the disk may take its time.
final class ListeningRecord {
    private let state: ListeningStore
    private let queue = DispatchQueue(label: "syrinx.listening")
    private let failure = Latest<Failure>()
    /// The warning about files that cannot be read, which stay as they are.
    private let unreadable = Latest<Failure>()
    private var progress: ListeningProgress?
    /// The number of inputs in the queue that was kept.
    private var count = 0

    init(_ state: ListeningStore) {
        self.state = state
        queue.async { [unreadable] in
            let errors = state.positions.prune()
            guard let first = errors.first else { return }
            let others = errors.count > 1 ? "; so it is with \(errors.count - 1) more" : ""
            unreadable.set(Failure(code: first.code, message: first.message + others, name: "--resume"))
        }
    }

    /// Handles an event about the current input of `session`, at `now` seconds since the process started.
    func handle(_ event: ListeningEvent, of session: ListeningSession, at now: Double) {
        // The library keeps those of episodes.
        guard session.episode == nil else {
            progress = nil
            return
        }
        let date = Date().timeIntervalSince1970
        var hasOpened = false
        if case .opened = event { hasOpened = true }
        if hasOpened || count != 0 && count != session.queue.count {
            count = session.queue.count
            if let kept = ListeningStore.Session(session.queue, date: date) {
                keep { try $0.store(kept) }
            }
        }
        // An input that is removed while it plays has left the queue when it stops.
        if hasOpened { progress = session.queue.current.identity.map { ListeningProgress(of: $0) } }
        // What has no known end, such as a broadcast, has no position.
        if let position = progress?.handle(event, of: session, at: date), position.duration != nil {
            keep { try $0.positions.update(position, now: date) }
        }
        // What comes now is about another input, which may fail before it is open.
        if case .state(let state, _) = event, state.isLast { progress = nil }
    }

    private func keep(_ body: @escaping @Sendable (ListeningStore) throws -> Void) {
        queue.async { [state, failure] in
            do {
                try body(state)
                failure.set(nil)
            } catch {
                let code = (error as? PlaybackError)?.code ?? .positionNotWritten
                failure.set(Failure(code: code, message: error.localizedDescription, name: "--resume"))
            }
        }
    }

    /// Waits until all is kept, and reports what could not be.
    func finish(in console: Console) {
        queue.sync {}
        for failure in [unreadable.value, failure.value].compactMap(\.self) {
            console.say(failure.warningLine)
        }
    }
}

extension ListeningProgress {
    /// Handles an event about the current input of `session`, at `date` seconds since 1970.
    /// - Returns: The position to store now, if one is due.
    mutating func handle(_ event: ListeningEvent, of session: ListeningSession, at date: Double)
        -> StoredPosition?
    {
        (outro, repeatsPart) = (session.outro, session.repetition.part != nil)
        return handle(event, isPlaying: session.item.progress.state == .playing, at: date)
    }

    /// Handles an event about the item, at `date` seconds since 1970.
    /// - Parameters:
    ///   - event: The event.
    ///   - isPlaying: Whether the item plays, so that its position moves by itself.
    ///   - date: Seconds since 1970.
    mutating func handle(_ event: ListeningEvent, isPlaying: Bool = true, at date: Double)
        -> StoredPosition?
    {
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
