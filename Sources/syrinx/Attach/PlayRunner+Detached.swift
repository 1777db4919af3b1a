import Foundation
import SyrinxListening
import SyrinxStreaming

/// A player without a terminal, in a process of its own.
extension PlayRunner {
    /// Begins to accept faces, if this is a detached player.
    /// - Throws: `device.playerRuns` if another detached player runs, or an error of the socket.
    func openSocket() throws(Failure) {
        guard plan.isDetached else { return }
        let mailbox = mailbox
        host = try AttachHost(player, clock: context.clock) { mailbox.post($0) }
    }

    /// Takes over the queue of a player with a terminal, if this one was started for that.
    func takeOver() {
        guard let handover = plan.detached?.handover else { return }
        player.takeOver(plan.episodes, startingAt: handover.time)
    }

    /// Opens the input that is taken over, paused: it plays once the other player has stopped.
    func openTakenOver() {
        guard let detached = plan.detached else { return }
        if let handover = detached.handover, !handover.isIdle {
            player.carryOut(.resume)
            player.carryOut(.pause)
        } else if session.isIdle {
            noteStart(of: detached)
        }
    }

    /// Reports to the parent process that playback has started.
    func noteStart(_ notice: ListeningPlayer.Notice) {
        guard let detached = plan.detached, detached.isStarting, case .event(.state(let state, _)) = notice else {
            return
        }
        let isTakenOver = detached.handover != nil
        if state == .playing || isTakenOver && state == .paused || isTakenOver && session.isIdle {
            noteStart(of: detached)
        }
    }

    private func noteStart(of detached: DetachedProcess) {
        detached.noteReady()
        // From now on no process waits for an exit code.
        player.streamer.waitsForOutput = true
    }
}
