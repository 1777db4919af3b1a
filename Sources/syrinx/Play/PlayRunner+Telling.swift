import SyrinxListening
import SyrinxPlayerUI
import SyrinxTerminal

/// The lines that a runner prints outside of the full screen.
extension PlayRunner {
    /// Prints a line on a terminal that is not drawn on as a whole.
    func tell(_ line: String) {
        if plan.display == .printed || plan.display == .drawn { context.console.say(line) }
    }

    /// Prints a failure or a warning.
    func say(_ failure: Failure, isWarning: Bool) {
        if let screen {
            screen.show(failure, isWarning: isWarning, now: context.clock.now)
        } else {
            context.console.say(isWarning ? failure.warningLine : failure.line)
        }
    }

    /// Prints the help for the keys.
    func tellKeys() {
        let entries = KeyHelp.entries(config.bindings, skips: session.skipIntervals)
        for line in KeyHelp.lines(entries, width: Terminal.size.width - 1) { context.console.say(line) }
    }

    /// Prints that the current input resumes at its stored position.
    func tellResumption(at time: Double) {
        guard plan.display != .silent else { return }
        let line =
            "syrinx: \(session.queue.current.shortName): resumes at \(ClockTime.text(time)); --no-resume starts at the beginning"
        if let screen {
            screen.show(line, isFailure: false, now: context.clock.now)
        } else {
            context.console.say(line)
        }
    }
}
