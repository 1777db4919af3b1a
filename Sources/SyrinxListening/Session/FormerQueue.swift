/// The queue before a change that took inputs out of it, for undo.
struct FormerQueue: Sendable {
    /// The queue with the input that was current.
    let queue: ListeningQueue
    /// The position in that input, in seconds.
    let time: Double
    /// Whether another queue was opened in its place, so that undo opens its input again.
    let isReplaced: Bool
}

/// Replacing the queue, and undoing changes.
extension PlayCourse {
    /// Keeps a queue for undo.
    mutating func keepForUndo(_ former: ListeningQueue, isReplaced: Bool) {
        guard !former.isEmpty, life.rest != .offered else { return }
        formerQueue = FormerQueue(queue: former, time: item.progress.time, isReplaced: isReplaced)
    }

    /// Opens other inputs in place of the queue, and plays one of them; an order by chance stays one.
    ///
    /// - Parameters:
    ///   - inputs: The inputs, at least one.
    ///   - index: The place of the input that plays.
    ///   - isChosen: Whether the listener chose that input, so that it plays first in an order by chance too.
    ///   - now: The present, in seconds.
    mutating func replaceQueue(
        with inputs: [ListeningInput],
        at index: Int,
        isChosen: Bool,
        at now: Double
    ) -> [SessionAction] {
        keepForUndo(queue, isReplaced: true)
        var new = ListeningQueue(inputs)
        new.move(to: min(max(index, 0), inputs.count - 1))
        if queue.isShuffled {
            var generator = SystemRandomNumberGenerator()
            if isChosen { new.setShuffled(true) } else { new.shuffle(using: &generator) }
        }
        return open(new, at: now)
    }

    /// Brings back the queue before the last change that took inputs out of it.
    mutating func undoQueueChange(at now: Double) -> [SessionAction] {
        guard let former = formerQueue else {
            return [.refusal("there is no change of the queue to undo", name: Failure.queue)]
        }
        formerQueue = nil
        guard former.isReplaced else {
            let count = queue.restore(from: former.queue)
            if life.rest == .waiting { rest() }
            return [.note(count == 1 ? "One input is back in the queue" : "\(count) inputs are back in the queue")]
        }
        return open(former.queue, at: now) + (former.time > 0 ? [.seek(former.time)] : [])
    }

    private mutating func open(_ new: ListeningQueue, at now: Double) -> [SessionAction] {
        queue.become(new, isOpen: life.stage != nil)
        roundHasSounded = false
        if life.isIdle { life = .idle(.waiting) }
        return end(.move(to: queue.index), at: now)
    }
}
