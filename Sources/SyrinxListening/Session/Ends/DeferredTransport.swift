/// The transport commands that arrive while an input ends, or a playlist is read.
///
/// They apply to the next input. A value without side effects.
struct DeferredTransport {
    private var actions: [SessionAction] = []
    /// Whether the playing input was asked to pause, but has not reported it; it may have ended before.
    private(set) var awaitsPause = false
    /// Whether the input that is being opened will be paused.
    private(set) var opensPaused = false

    /// Whether the last request was a pause.
    var isPaused: Bool { actions.last { $0 == .pause || $0 == .play } == .pause }

    /// Stores the actions that concern the next input.
    /// - Returns: The other actions, which can be carried out immediately.
    mutating func keep(_ actions: [SessionAction]) -> [SessionAction] {
        self.actions += actions.filter(\.isTransport)
        return actions.filter { !$0.isTransport }
    }

    /// Records actions for the playing input.
    mutating func note(_ actions: [SessionAction], isPaused: Bool) {
        guard let last = actions.last(where: { $0 == .pause || $0 == .play }) else { return }
        awaitsPause = last == .pause && !isPaused
        opensPaused = false
    }

    /// Records that the input that is being opened will be paused without a command.
    mutating func willOpenPaused() { opensPaused = true }

    /// Records that the playing input has paused, or is ended early.
    mutating func settlePause() { (awaitsPause, opensPaused) = (false, false) }

    /// Discards the stored seeks, because their input is not played.
    mutating func dropSeeks() { actions.removeAll { $0 != .pause && $0 != .play } }

    /// Returns and removes the actions for the next input.
    mutating func take() -> [SessionAction] {
        let taken = (awaitsPause ? [.pause] : []) + actions
        opensPaused = taken.last { $0 == .pause || $0 == .play } == .pause
        (actions, awaitsPause) = ([], false)
        return taken
    }
}
