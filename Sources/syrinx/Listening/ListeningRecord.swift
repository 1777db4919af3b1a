import Dispatch
import Foundation
import SyrinxPlayback

/// Decides which positions of inputs are kept, and when.
///
/// Pure.
struct ListeningProgress {
    /// An input that is left with less than so many seconds to come has been heard.
    private static let endSeconds = 15.0

    private var schedule = PositionSchedule()
    private var duration: Double?
    private var time = 0.0
    /// Whether anything of the input has been heard: what fails before that has no position.
    private var hasBegun = false

    /// Handles an event about `item`, at `date` seconds since 1970.
    /// - Returns: The position to keep now. What has no known end, such as a broadcast, has none.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - item: The input.
    ///   - date: Seconds since 1970.
    ///   - outro: Seconds at the end that are passed over.
    ///   - repeats: Whether a part is repeated, whose end is not that of the input.
    mutating func handle(
        _ event: CommandEvent,
        of item: String,
        at date: Double,
        outro: Double = 0,
        repeats: Bool = false
    ) -> StoredPosition? {
        switch event {
        case .opened(let fields):
            (duration, hasBegun) = (fields.duration, false)
        case .duration(let seconds, _): duration = seconds
        case .position(let time):
            (self.time, hasBegun) = (time, true)
            return position(of: item, at: date).flatMap { schedule.reached($0) }
        case .state(let state, let time):
            guard hasBegun, [.paused, .stopped, .failed, .ended].contains(state) else { return nil }
            if time > 0 { self.time = time }
            let end = max(Self.endSeconds, outro + 1)
            let isLeftAtEnd = state == .stopped && duration.map { $0 - self.time < end } == true
            let isFinished = !repeats && (state == .ended || isLeftAtEnd)
            if state.isLast { hasBegun = false }
            return position(of: item, at: date, isFinished: isFinished).flatMap { schedule.settled($0) }
        default: break
        }
        return nil
    }

    private func position(of item: String, at date: Double, isFinished: Bool = false) -> StoredPosition? {
        guard duration != nil else { return nil }
        return StoredPosition(item: item, position: time, duration: duration, isFinished: isFinished, date: date)
    }
}

/// Keeps positions and the queue while inputs play, on a thread of its own: the disk may take its time.
final class ListeningRecord {
    private let state: ListeningState
    private let queue = DispatchQueue(label: "syrinx.listening")
    private let failure = Latest<Failure>()
    /// The warning about files that cannot be read, which stay as they are.
    private let unreadable = Latest<Failure>()
    private var progress = ListeningProgress()
    private var item: String?
    /// The number of inputs in the queue that was kept.
    private var count = 0

    init(_ state: ListeningState) {
        self.state = state
        queue.async { [unreadable] in
            let errors = state.positions.prune()
            guard let first = errors.first else { return }
            let others = errors.count > 1 ? "; so it is with \(errors.count - 1) more" : ""
            unreadable.set(Failure(code: first.code, message: first.message + others, name: "--resume"))
        }
    }

    /// Handles an event about the current input of `session`, at `now` seconds since the process started.
    func handle(_ event: CommandEvent, of session: PlaySession, at now: Double) {
        // The library keeps those of episodes.
        guard session.episode == nil else {
            item = nil
            return
        }
        let date = Date().timeIntervalSince1970
        var hasOpened = false
        if case .opened = event { hasOpened = true }
        if hasOpened || count != 0 && count != session.queue.count {
            count = session.queue.count
            if let kept = ListeningState.Session(session.queue, date: date) { keep { try $0.store(kept) } }
        }
        // An input that is removed while it plays has left the queue when it stops.
        if !session.isEnding || item == nil { item = session.queue.current.identity }
        guard let item else { return }
        let (outro, repeats) = (session.skips.outro, session.repetition.part != nil)
        if let position = progress.handle(event, of: item, at: date, outro: outro, repeats: repeats) {
            keep { try $0.positions.store(position) }
        }
    }

    private func keep(_ body: @escaping @Sendable (ListeningState) throws -> Void) {
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
        for failure in [unreadable.value, failure.value].compactMap(\.self) { console.say(failure.warningLine) }
    }
}
