/// Decides how playing stops and goes on around a stop of the process.
///
/// Pure. What plays is paused before the process is stopped, so that the sound ends with a fade and no device runs dry; what
/// the listener has paused stays paused.
struct Suspension {
    private enum Phase {
        case running
        /// A pause has been asked for.
        case pausing
        /// The process may be stopped; `plays` if it was playing.
        case suspended(plays: Bool)
    }

    private var phase = Phase.running

    /// The process is going to be stopped.
    /// - Parameter isBetween: Whether one input ends and the next has not been opened.
    mutating func suspend(_ state: PlayState, isBetween: Bool) -> [SessionAction] {
        guard case .running = phase else { return [] }
        if !isBetween, state == .playing || state == .buffering {
            phase = .pausing
            return [.pause]
        }
        phase = .suspended(plays: false)
        return [.confirmSuspension]
    }

    /// The state of playing has changed.
    mutating func note(_ state: PlayState) -> [SessionAction] {
        guard case .pausing = phase, state == .paused || state.isLast else { return [] }
        phase = .suspended(plays: state == .paused)
        return [.confirmSuspension]
    }

    /// The process runs again.
    mutating func resume() -> [SessionAction] {
        defer { phase = .running }
        switch phase {
        case .running, .suspended(plays: false): return []
        case .pausing, .suspended(plays: true): return [.play]
        }
    }
}
