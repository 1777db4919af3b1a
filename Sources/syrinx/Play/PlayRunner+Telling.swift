import SyrinxListening
import SyrinxPlayerUI
import SyrinxTerminal

/// The lines that a runner tells beside the full screen.
extension PlayRunner {
    /// Prints a line on a terminal that is not drawn on as a whole.
    func tell(_ line: String) {
        if plan.display == .printed || plan.display == .drawn { context.console.say(line) }
    }

    /// Tells people of a failure, or of something that goes on in spite of one.
    func say(_ failure: Failure, isWarning: Bool) {
        if let screen {
            screen.show(failure, isWarning: isWarning, now: context.clock.now)
        } else {
            context.console.say(isWarning ? failure.warningLine : failure.line)
        }
    }

    /// Tells what the keys beside the line mean.
    func tellKeys() {
        let entries = KeyHelp.entries(config.bindings, skips: session.skipIntervals)
        for line in KeyHelp.lines(entries, width: Terminal.size.width - 1) { context.console.say(line) }
    }

    /// Tells that the current input goes on where it was left.
    func tellResumption(at time: Double) {
        guard plan.display != .silent else { return }
        let line =
            "syrinx: \(session.queue.current.shortName): goes on at \(ClockTime.text(time)); --no-resume begins at the start"
        if let screen {
            screen.show(line, isFailure: false, now: context.clock.now)
        } else {
            context.console.say(line)
        }
    }
}
