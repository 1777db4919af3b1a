import Foundation
import SyrinxListening
import SyrinxPlayback
import SyrinxPlayerUI
import SyrinxStreaming

/// The handover of the queue to a detached player.
struct HandingOver {
    /// The index of the input that the other player has opened.
    let index: Int
    /// Whether the other player stays paused.
    let staysPaused: Bool
    /// Whether the terminal has closed.
    let hasHungUp: Bool

    /// Seconds that the end of the process may take while the other player starts.
    static let patience = 30.0
}

/// Continues in a process without a terminal: starts a detached player, stops when it has opened the input, and lets it
/// play.
extension PlayRunner {
    /// Whether the player is to outlive its terminal if that closes.
    var outlivesTerminal: Bool {
        guard screen != nil, plan.detachOptions != nil, let rule = config.hangUp else { return false }
        return rule != .end
    }

    /// Continues without the closed terminal, if the user's settings require it.
    func hangUp() {
        handOver(staysPaused: config.hangUp == .pause, hasHungUp: true)
    }

    /// Begins to hand the queue over, unless that is under way.
    func handOver(staysPaused: Bool = false, hasHungUp: Bool = false) {
        guard handingOver == nil else { return }
        do throws(Failure) {
            guard let options = plan.detachOptions else {
                let message = "the sound is written to a file, so the player needs this process"
                throw Failure(code: .badCommand, message: message, name: Failure.queue)
            }
            let handover = try Handover(player)
            // Encoding cannot fail: every number is finite.
            let document = (try? JSONEncoder().encode(handover)) ?? Data()
            handingOver = HandingOver(index: handover.index, staysPaused: staysPaused, hasHungUp: hasHungUp)
            let mailbox = mailbox
            try SystemThread.start("syrinx.detach") {
                do throws(Failure) {
                    try DetachedStart.start(options, handover: document)
                    mailbox.post(.handedOver(nil))
                } catch {
                    mailbox.post(.handedOver(error))
                }
            }
        } catch {
            refuseHandover(error, hasHungUp: hasHungUp)
        }
    }

    /// Starts the other player at the position where this one stops, and ends this one.
    func finishHandover(_ failure: Failure?) {
        guard let handing = handingOver else { return }
        do throws(Failure) {
            if let failure { throw failure }
            let connection = try AttachConnection()
            let plays = session.wantsPlayback && !handing.staysPaused
            player.carryOut(.pause)
            waitForSilence()
            player.updateTime()
            let state = player.screenState
            if state.queue.index != handing.index { connection.send(.wish(.command(.goTo(state.queue.index)))) }
            if !state.isIdle { connection.send(.wish(.command(.seek(.to(max(0, state.time)))))) }
            if let part = session.repetition.part { connection.send(.wish(.command(.repeatPart(part)))) }
            if let goal = state.sleepGoal { connection.send(.wish(.setSleep(goal))) }
            if plays { connection.send(.wish(.command(.resume))) }
            // The answer comes after the others have been carried out.
            guard connection.ask(.status) != nil else { throw AttachFolder.noPlayer }
            connection.send(.leave)
            isHandedOver = true
            result = handing.hasHungUp ? .hungUp : .success
        } catch {
            refuseHandover(error, hasHungUp: handing.hasHungUp)
        }
    }

    private func refuseHandover(_ failure: Failure, hasHungUp: Bool) {
        handingOver = nil
        if hasHungUp {
            player.handle(.interrupt)
        } else {
            screen?.show(failure.message.asSentence, isFailure: true, now: context.clock.now)
        }
    }

    /// Waits until the fade of a pause has been rendered.
    func waitForSilence() {
        let deadline = context.clock.now + SuspensionBarrier.patience
        while !player.streamer.engine.isHeld, context.clock.now < deadline { usleep(2000) }
    }
}
