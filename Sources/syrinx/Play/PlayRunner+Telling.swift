import SyrinxListening

/// The lines that a runner tells beside the full screen.
extension PlayRunner {
    /// Prints a line on a terminal that is not drawn on as a whole.
    func tell(_ line: String) {
        if plan.display == .printed || plan.display == .drawn { context.console.say(line) }
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
