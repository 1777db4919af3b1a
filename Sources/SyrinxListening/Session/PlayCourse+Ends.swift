import SyrinxByteStream

/// The ends of inputs, and the inputs that follow them.
extension PlayCourse {
    /// Ends the current input, to play another one or to end playback.
    mutating func end(_ ending: InputLife.Ending, at now: Double) -> [SessionAction] {
        if ending == .interrupted { failures.interrupt() }
        if life.isIdle { return endIdleness(ending) }
        if case .move = ending {
            // The end of playback was already requested.
            if [.all, .close, .interrupted].contains(life.ending) { return [] }
            waiting.dropSeeks()
        }
        guard life.leave(ending, by: now + Self.patience) else { return [] }
        waiting.settlePause()
        return [.stop]
    }

    /// Plays another input, or ends playback, immediately: no input is open that would have to end first.
    private mutating func endIdleness(_ ending: InputLife.Ending) -> [SessionAction] {
        if case .move(let index) = ending {
            guard let index, queue.canOpen(index) else { return [] }
            order.queue.move(to: index)
            return openCurrent()
        }
        if case .close = ending {
            close()
            return [.stop]
        }
        life = .finished
        return [.finish(failures.outcome)]
    }

    /// Ends the current input as if it had been played to its end.
    mutating func finishItem(at now: Double) -> [SessionAction] {
        if sleep.endsWithItem {
            // A window keeps the position at which the sleep timer paused it.
            guard lifetime == .window else { return end(.all, at: now) }
            _ = sleep.set(nil)
            return [.pause]
        }
        let loop = sound.settings.loop
        let next = loop == .one ? queue.index : queue.index(after: queue.index, wraps: loop == .all)
        return end(.move(to: next), at: now)
    }

    /// Continues if the input's last status and its end have both been reported.
    mutating func concludeIfComplete(at now: Double) -> [SessionAction] {
        life.awaitsReport(until: now + Self.patience) ? [] : conclude()
    }

    /// Replaces the ended input with the one that follows.
    mutating func conclude() -> [SessionAction] {
        let actions = life.untold(at: item.progress.time).map { SessionAction.emit($0) }
        let ending = life.ending
        let next = nextIndex
        let fallsAsleep = sleep.endsWithItem && item.progress.state == .ended
        let isOver = ending == .all || ending == .interrupted || fallsAsleep && lifetime != .window
        if fallsAsleep, lifetime == .window { _ = sleep.set(nil) }
        let identity = queue.identity(at: queue.index)
        if ending == nil, let followed = life.open?.successor, order.advance(to: followed) {
            // The streamer, which continues, has already received the requests for the previous input.
            _ = waiting.take()
            beginInput(isRepetition: queue.identity(at: queue.index) == identity)
            return actions + adoptSettings()
        }
        if let failure = failures.last, ending == nil, holdsUp(failure, before: next) {
            settle(failure)
            return actions
        }
        if let next, next < queue.count {
            order.move(to: next)
            return actions + openCurrent(byItself: ending == nil)
        }
        if ending == .close {
            close()
            return actions
        }
        if staysOpen, !isOver {
            settle(nil)
            return actions
        }
        life = .finished
        return actions + [.finish(failures.outcome)]
    }

    /// Waits for the user, at the end of the queue or at a failed input.
    private mutating func settle(_ failure: Failure?) {
        _ = waiting.take()
        waiting.settlePause()
        if let failure {
            life = .idle(.failed(failure))
        } else if item.progress.state == .ended {
            life = .idle(.ended)
        } else {
            waitForListener()
        }
    }

    /// Empties the queue, and waits for the user.
    private mutating func close() {
        keepForUndo(queue, isReplaced: true)
        _ = waiting.take()
        order.queue.removeAll()
        waitForListener()
    }

    /// Waits for the user, with no input open.
    private mutating func waitForListener() {
        beginInput()
        rest()
        life = .idle(.waiting)
    }

    /// Returns whether playback stops at a failed input instead of continuing with the next one.
    ///
    /// Playback skips a damaged or missing file. It stops if the network is down, because the next inputs would fail
    /// too, and the position in the queue would be lost. Only a session that waits for the user stops.
    private func holdsUp(_ failure: Failure, before next: Int?) -> Bool {
        guard staysOpen, item.progress.state == .failed else { return false }
        return next == nil || next == queue.index || life.open?.hasSounded ?? false || !failure.isOfInput
    }

    /// The index of the input that follows the current one; `nil` at the end of the queue.
    private var nextIndex: Int? {
        switch life.ending {
        case .move(let index): return index
        case .all, .close, .interrupted: return nil
        case nil: if item.progress.state == .ended, sleep.endsWithItem { return nil }
        }
        return order.next(conditions)
    }

    // MARK: Other queues

    /// Saves a queue for undo, unless it is that of an earlier session.
    mutating func keepForUndo(_ former: ListeningQueue, isReplaced: Bool) {
        if life.rest != .offered { order.keepForUndo(former, at: item.progress.time, isReplaced: isReplaced) }
    }

    /// Replaces the queue, and opens its current input.
    mutating func replaceQueue(with new: ListeningQueue, at now: Double) -> [SessionAction] {
        order.become(new, isOpen: life.stage != nil)
        if life.isIdle { life = .idle(.waiting) }
        return end(.move(to: queue.index), at: now)
    }

    /// Restores the queue from before the last removal of inputs.
    mutating func undoQueueChange(at now: Double) -> [SessionAction] {
        switch order.undo() {
        case .nothing: return [.refusal("there is no change of the queue to undo", name: Failure.queue)]
        case .restored(let count):
            if life.rest == .waiting { rest() }
            return [.note(count == 1 ? "One input is back in the queue" : "\(count) inputs are back in the queue")]
        case .replaced(let former, let time):
            return replaceQueue(with: former, at: now) + (time > 0 ? [.seek(time)] : [])
        }
    }
}
