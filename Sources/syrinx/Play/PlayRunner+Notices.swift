import AVFAudio
import Foundation
import SyrinxListening
import SyrinxPlayerUI
import SyrinxStreaming
import SyrinxTerminal

/// The player's news, shown.
extension PlayRunner {
    func show(_ notice: ListeningPlayer.Notice) {
        host?.note(notice)
        noteStart(notice)
        switch notice {
        case .event(let event): show(event)
        case .failure(let failure): say(failure, isWarning: false)
        case .answer(let line): screen?.show(line, isFailure: false, now: context.clock.now)
        case .note(let text):
            if let screen {
                screen.show(text, isFailure: false, now: context.clock.now)
            } else {
                tell(text)
            }
        case .resumed(let time): tellResumption(at: time)
        case .suspended: confirmSuspension()
        case .finished(let outcome): result = ExitStatus(outcome)
        }
    }

    private func show(_ event: ListeningEvent) {
        if plan.writesJSON { context.console.write(event) }
        if let line = spoken.line(for: event) { tell(line) }
        screen?.note(event)
        if case .warning(let failure) = event { say(failure, isWarning: true) }
        if let line = spoken.item(after: event, NowPlaying(session)) { tell(line) }
    }

    /// Allows suspension of the process after the fade-out of a pause is rendered.
    private func confirmSuspension() {
        SuspensionBarrier.waitForSilence(of: player, context.clock)
        // The terminal keeps the last frame, which shows that playback is paused.
        draw()
        silence.open()
    }
}
