import SyrinxListening

/// The session while nothing is open: it waits for the listener.
extension PlaySession {
    /// Waits for the listener, with the queue as it is.
    mutating func becomeIdle() -> [Action] {
        beginInput()
        rest()
        isIdle = true
        _ = waiting.take()
        return []
    }

    /// Tells what is known of the input whose turn it is, and that nothing is open.
    ///
    /// - Parameter time: The place at which it would go on, in seconds.
    mutating func rest(at time: Double = 0) {
        let known = queue.tags(at: queue.index)
        progress = PlaybackProgress(state: .stopped, time: time, duration: known.duration)
        let texts = ["title": known.title, "artist": known.artist, "album": known.album]
        tags = titled(texts.compactMapValues(\.self))
    }

    /// Opens the input whose turn it is if it is to be played; what concerns a place in it has no meaning yet.
    mutating func wakeUp(by actions: [Action]) -> [Action] {
        let others = actions.filter { !$0.isTransport }
        return actions.contains(.play) ? others + openCurrent() : others
    }

    /// Goes to another input, or ends the process, at once: nothing is open that would have to end before.
    mutating func endIdleness(_ ending: Ending) -> [Action] {
        if case .move(let index) = ending {
            guard let index, queue.canOpen(index) else { return [] }
            queue.move(to: index)
            return openCurrent()
        }
        isFinished = true
        return [.finish(status)]
    }

    /// Drops the queue of an earlier session: the listener wants something else.
    mutating func dropOffer() {
        if isOffered { queue.removeAll() }
        isOffered = false
    }
}
