/// Pauses playback while the process is stopped, and resumes it afterwards.
///
/// A value without side effects. Playback is paused before the process stops, so that the sound fades out and the
/// device has no underrun. Playback that the user paused stays paused.
struct Suspension {
    private enum Phase {
        case running
        /// A pause was requested.
        case pausing
        /// The process may be stopped; `plays` is true if playback was running.
        case suspended(plays: Bool)
    }

    private var phase = Phase.running

    /// Processes the announcement that the process will be stopped.
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

    /// Processes a change of the status.
    mutating func note(_ state: PlayState) -> [SessionAction] {
        guard case .pausing = phase, state == .paused || state.isLast else { return [] }
        phase = .suspended(plays: state == .paused)
        return [.confirmSuspension]
    }

    /// Processes the continuation of the process.
    mutating func resume() -> [SessionAction] {
        defer { phase = .running }
        switch phase {
        case .running, .suspended(plays: false): return []
        case .pausing, .suspended(plays: true): return [.play]
        }
    }
}
