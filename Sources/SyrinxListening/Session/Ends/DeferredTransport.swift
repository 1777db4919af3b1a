/// The transport commands given while one input ends, or a playlist is read.
///
/// They apply to the next input.
///
/// Pure.
struct DeferredTransport {
    private var actions: [SessionAction] = []
    /// Whether the input that plays was asked to pause and has not said that it did: it may have come to its end before.
    private(set) var awaitsPause = false
    /// Whether the input that is being opened will be paused.
    private(set) var opensPaused = false

    /// Whether a pause is the last that was asked for.
    var isPaused: Bool { actions.last { $0 == .pause || $0 == .play } == .pause }

    /// Keeps what concerns the next input out of `actions`.
    /// - Returns: The others, which can be done at once.
    mutating func keep(_ actions: [SessionAction]) -> [SessionAction] {
        self.actions += actions.filter(\.isTransport)
        return actions.filter { !$0.isTransport }
    }

    /// Notes what is done to the input that plays, which pauses already or does not.
    mutating func note(_ actions: [SessionAction], isPaused: Bool) {
        guard let last = actions.last(where: { $0 == .pause || $0 == .play }) else { return }
        awaitsPause = last == .pause && !isPaused
        opensPaused = false
    }

    /// The input that is being opened will be paused, although no command says so.
    mutating func willOpenPaused() { opensPaused = true }

    /// The input that plays has paused, or is left before it comes to its end.
    mutating func settlePause() { (awaitsPause, opensPaused) = (false, false) }

    /// Drops what concerns the place in an input that does not play after all.
    mutating func dropSeeks() { actions.removeAll { $0 != .pause && $0 != .play } }

    /// Returns the actions for the next input, and forgets them.
    mutating func take() -> [SessionAction] {
        let taken = (awaitsPause ? [.pause] : []) + actions
        opensPaused = taken.last { $0 == .pause || $0 == .play } == .pause
        (actions, awaitsPause) = ([], false)
        return taken
    }
}
