/// The ends of inputs, and what follows on them.
extension PlayCourse {
    /// Ends the current input, to go elsewhere or to end all.
    mutating func end(_ ending: InputLife.Ending, at now: Double) -> [SessionAction] {
        if ending == .interrupted { outcome = .interrupted }
        if life.isIdle { return endIdleness(ending) }
        if case .move = ending {
            // An end of all playback has been asked for, and comes.
            if life.ending == .all || life.ending == .interrupted { return [] }
            waiting.dropSeeks()
        }
        guard life.leave(ending, by: now + Self.patience) else { return [] }
        waiting.settlePause()
        return [.stop]
    }

    /// Goes to another input, or ends the process, at once: nothing is open that would have to end before.
    private mutating func endIdleness(_ ending: InputLife.Ending) -> [SessionAction] {
        if case .move(let index) = ending {
            guard let index, queue.canOpen(index) else { return [] }
            queue.move(to: index)
            return openCurrent()
        }
        life = .finished
        return [.finish(outcome)]
    }

    /// Ends the current input as if it had been played to its end.
    mutating func finishItem(at now: Double) -> [SessionAction] {
        if sleep.endsWithItem { return end(.all, at: now) }
        let loop = sound.settings.loop
        let next = loop == .one ? queue.index : queue.index(after: queue.index, wraps: loop == .all)
        return end(.move(to: next), at: now)
    }

    /// Goes on when the input's last state and what comes with it have both been told.
    mutating func concludeIfComplete(at now: Double) -> [SessionAction] {
        if life.open?.isComplete ?? false { return conclude() }
        if life.deadline == nil { life.open?.deadline = now + Self.patience }
        return []
    }

    /// Leaves the input, which is over, for what follows on it.
    mutating func conclude() -> [SessionAction] {
        let actions = life.untold(at: item.progress.time).map { SessionAction.emit($0) }
        let ending = life.ending
        let (index, next) = (queue.index, nextIndex)
        let isOver = ending == .all || ending == .interrupted || sleep.endsWithItem && item.progress.state == .ended
        let identity = queue.identity(at: index)
        if ending == nil, let followed = life.open?.successor, queue.advance(to: followed) {
            if queue.index <= index { roundHasSounded = false }
            queue.noteOpening()
            // What was asked of the input before has been asked of the streamer, which plays on.
            _ = waiting.take()
            beginInput(isRepetition: queue.identity(at: queue.index) == identity)
            return actions + adoptSettings()
        }
        if let next, next < queue.count {
            if next <= queue.index { roundHasSounded = false }
            queue.move(to: next)
            return actions + openCurrent()
        }
        if staysOpen, !isOver {
            beginInput()
            rest()
            life = .idle(isOffered: false)
            _ = waiting.take()
            return actions
        }
        life = .finished
        return actions + [.finish(outcome)]
    }

    /// The place in the queue at which it goes on, `nil` where it ends.
    private var nextIndex: Int? {
        switch life.ending {
        case .move(let index): return index
        case .all, .interrupted: return nil
        case nil: if item.progress.state == .ended, sleep.endsWithItem { return nil }
        }
        let hasSounded = life.open?.hasSounded ?? false
        if sound.settings.loop == .one || repetition.part != nil, hasSounded, queue.canOpen(queue.index) {
            return queue.index
        }
        return queue.index(after: queue.index, wraps: sound.settings.loop == .all && roundHasSounded)
    }
}
