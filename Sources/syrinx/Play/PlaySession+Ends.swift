import SyrinxListening

/// The ends of inputs, and what follows on them.
extension PlaySession {
    /// The place in the queue that is being gone to; `nil` if none is.
    var movingIndex: Int? {
        if case .move(let index) = ending { index } else { nil }
    }

    /// Has the input at another place be the one that is being gone to.
    mutating func setMoving(to index: Int) { ending = .move(to: index) }

    mutating func end(_ ending: Ending, at now: Double) -> [Action] {
        if ending == .interrupted { status = .interrupted }
        if isIdle { return endIdleness(ending) }
        if case .move = ending {
            // An end of all playback has been asked for, and comes.
            if self.ending == .all || self.ending == .interrupted { return [] }
            waiting.dropSeeks()
        }
        if self.ending != nil {
            self.ending = ending
            return []
        }
        waiting.settlePause()
        self.ending = ending
        giveUpAt = now + Self.patience
        return [.stop]
    }

    /// Goes on when the input's last state and what comes with it have both been told.
    mutating func concludeIfComplete(at now: Double) -> [Action] {
        let isComplete = hasLastState && (hasEnded || progress.state == .stopped)
        if isComplete { return conclude() }
        if giveUpAt == nil { giveUpAt = now + Self.patience }
        return []
    }

    mutating func conclude() -> [Action] {
        var actions: [Action] = []
        if !hasLastState {
            // The contract asks for a last state, whatever became of the streamer.
            let state: PlayState = hasFailed ? .failed : hasEnded && ending == nil ? .ended : .stopped
            if awaitsOpening, !hasToldOpening { actions.append(.emit(.state(.opening, time: 0))) }
            if !hasFailed, !hasEnded { actions.append(.emit(.ended(frames: 0, underruns: 0, bytesReceived: 0))) }
            actions.append(.emit(.state(state, time: progress.time)))
        }
        let followed = ending == nil ? advancesTo : nil
        let (index, next) = (queue.index, nextIndex)
        let isOver = ending == .all || ending == .interrupted || sleep.endsWithItem && progress.state == .ended
        ending = nil
        isExpanding = false
        refusal = nil
        hasToldOpening = false
        let identity = queue.identity(at: queue.index)
        if let followed, queue.advance(to: followed) {
            if queue.index <= index { roundHasSounded = false }
            queue.noteOpening()
            // What was asked of the input before has been asked of the streamer, which plays on.
            _ = waiting.take()
            beginInput(isRepetition: queue.identity(at: queue.index) == identity)
            return actions + applySettings()
        }
        if let next, next < queue.count {
            if next <= queue.index { roundHasSounded = false }
            queue.move(to: next)
            return actions + openCurrent()
        }
        if staysOpen, !isOver { return actions + becomeIdle() }
        isFinished = true
        return actions + [.finish(status)]
    }

    /// The place in the queue at which it goes on, `nil` where it ends.
    private var nextIndex: Int? {
        switch ending {
        case .move(let index): return index
        case .all, .interrupted: return nil
        case nil: if progress.state == .ended, sleep.endsWithItem { return nil }
        }
        if settings.loop == .one || repetition.part != nil, hasSounded, queue.canOpen(queue.index) {
            return queue.index
        }
        return queue.index(after: queue.index, wraps: settings.loop == .all && roundHasSounded)
    }
}
