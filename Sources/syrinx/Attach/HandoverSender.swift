import Foundation
import SyrinxListening
import SyrinxPlayback
import SyrinxStreaming

/// Hands the queue of a player over to a detached player: starts that one, stops this one when the other has opened the
/// input, and lets it play.
///
/// On the thread that plays.
final class HandoverSender {
    /// The state of a handover after an event.
    enum Step {
        /// The other player is starting.
        case waits
        /// The other player continues, and this process ends with a status.
        case ends(ExitStatus)
        /// This player continues.
        case refused(Failure, hasHungUp: Bool)
    }

    /// A handover that is under way.
    private struct Run {
        /// The description that the other player has got.
        var handover: Handover
        /// Whether the other player stays paused.
        var staysPaused: Bool
        /// Whether the terminal has closed.
        var hasHungUp: Bool
        /// The number of starts.
        var starts = 0
    }

    private let player: ListeningPlayer
    private let options: [String]?
    private let rule: HangUpRule?
    private let clock: ProcessClock
    private let post: @Sendable (PlayEvent) -> Void
    private var run: Run?
    /// Whether a detached player continues instead of this one.
    private(set) var isDone = false

    /// Seconds that the end of the process may take while the other player starts.
    static let patience = 30.0
    /// The starts of a player for a queue or a sound that the listener still changes.
    private static let mostStarts = 3

    /// Creates a sender.
    /// - Parameters:
    ///   - player: The player that hands over.
    ///   - options: The options of the detached player; `nil` if there can be none.
    ///   - rule: The user's rule for a closed terminal.
    ///   - post: Takes events for the thread that plays; any thread calls it.
    init(
        _ player: ListeningPlayer,
        options: [String]?,
        rule: HangUpRule?,
        clock: ProcessClock,
        post: @escaping @Sendable (PlayEvent) -> Void
    ) {
        (self.player, self.options, self.rule) = (player, options, rule)
        (self.clock, self.post) = (clock, post)
    }

    /// Whether the player is to outlive its terminal if that closes.
    var outlivesTerminal: Bool { options != nil && rule.map { $0 != .end } ?? false }

    /// Continues without the closed terminal, as the user's rule says.
    func hangUp() -> Step {
        guard run == nil else {
            run?.hasHungUp = true
            run?.staysPaused = rule == .pause
            return .waits
        }
        return begin(staysPaused: rule == .pause, hasHungUp: true)
    }

    /// Begins to hand the queue over, unless that is under way.
    func begin(staysPaused: Bool = false, hasHungUp: Bool = false) -> Step {
        guard run == nil else { return .waits }
        do throws(Failure) {
            let new = Run(handover: try Handover(player), staysPaused: staysPaused, hasHungUp: hasHungUp)
            try start(new, ending: nil)
            return .waits
        } catch {
            return .refused(error, hasHungUp: hasHungUp)
        }
    }

    /// Starts the other player on a thread of its own, after the end of one that lacks the last changes.
    private func start(_ new: Run, ending outdated: pid_t?) throws(Failure) {
        guard let options else {
            let message = "the sound is written to a file, so the player needs this process"
            throw Failure(code: .badCommand, message: message, name: Failure.queue)
        }
        guard new.starts < Self.mostStarts else {
            let message = "the queue or the sound kept changing; press D again"
            throw Failure(code: .badCommand, message: message, name: Failure.queue)
        }
        // Encoding cannot fail: every number is finite.
        let document = (try? JSONEncoder().encode(new.handover)) ?? Data()
        let post = post
        try SystemThread.start("syrinx.detach") {
            if let outdated { DetachedStart.end(outdated) }
            do throws(Failure) {
                post(.handedOver(.success(try DetachedStart.start(options, handover: document))))
            } catch {
                post(.handedOver(.failure(error)))
            }
        }
        run = new
        run?.starts += 1
    }

    /// Moves the other player to the position where this one stops, and ends this one.
    /// - Parameter result: The process of the other player.
    func finish(_ result: Result<pid_t, Failure>) -> Step {
        guard let current = run else { return .waits }
        var process: pid_t?
        let wantsPlayback = player.session.wantsPlayback
        var hasPaused = false
        do throws(Failure) {
            let started = try result.get()
            process = started
            let handover = try Handover(player)
            guard current.handover.isCurrent(handover) else {
                var new = current
                new.handover = handover
                try start(new, ending: started)
                return .waits
            }
            let connection = try AttachConnection()
            player.carryOut(.pause)
            hasPaused = true
            SuspensionBarrier.waitForSilence(of: player, clock)
            player.updateTime()
            for request in place(after: current.handover).requests { connection.send(request) }
            // The answer comes after the others have been carried out. A player that does not answer has to stay silent.
            guard connection.ask(.status) != nil else { throw AttachFolder.noPlayer }
            let plays = wantsPlayback && !current.staysPaused
            if plays, connection.send(.wish(.command(.resume))) == nil { throw AttachFolder.noPlayer }
            connection.send(.leave)
            isDone = true
            return .ends(current.hasHungUp ? .hungUp : .success)
        } catch {
            run = nil
            if let process { DetachedStart.end(process) }
            if wantsPlayback, hasPaused, !current.hasHungUp { player.carryOut(.resume) }
            return .refused(error, hasHungUp: current.hasHungUp)
        }
    }

    private func place(after handover: Handover) -> HandoverPlace {
        let state = player.screenState
        return HandoverPlace(
            opened: handover.index,
            index: state.queue.index,
            time: state.time,
            isIdle: state.isIdle,
            part: player.session.repetition.part,
            sleep: state.sleepGoal
        )
    }
}
