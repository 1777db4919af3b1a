/// The effects of commands on a queue.
extension ListeningQueue {
    /// The result of a command.
    enum Answer {
        /// The queue has been changed, or has not been.
        case actions([SessionAction])
        /// Step to the input at this index; `nil` is past the end.
        case go(to: Int?)
        /// The same by a step, which leaves a paused player paused.
        case step(to: Int?)
    }

    /// Performs a command.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - place: The index of the next current input; `nil` past the end of the queue.
    ///   - wraps: Whether the first input follows on the last.
    ///   - isIdle: Whether nothing is open, so that the current input can be removed like the others.
    /// - Returns: `nil` for a command that has nothing to do with the queue, or changes nothing in it.
    mutating func carryOut(_ command: ListeningCommand, from place: Int?, wraps: Bool, isIdle: Bool) -> Answer? {
        switch command {
        case .next(let isWeak):
            let next = place.flatMap { index(after: $0, wraps: wraps) }
            return isWeak && next == nil ? .actions([]) : .step(to: next)
        case .previous(let isWeak):
            if let index = index(before: place ?? count, wraps: wraps) { return .step(to: index) }
            return .actions(isWeak ? [] : [.refusal("there is no previous input to play")])
        case .first: return canOpen(0) ? .step(to: 0) : .actions([])
        case .last: return canOpen(count - 1) ? .step(to: count - 1) : .actions([])
        case .goTo(let index):
            if canOpen(index) { return .go(to: index) }
            let reason =
                index < count
                ? "standard input cannot be played twice"
                : "there is no input with the index \(index): the queue has \(count)"
            return .actions([.refusal(reason)])
        case .remove(let index): return remove(at: index, isIdle: isIdle)
        case .move(let index, let target):
            guard max(index, target) < count else {
                return .actions([.refusal("there is no such position: the queue has \(count)")])
            }
            move(from: index, to: target)
        case .clear: if isIdle { removeAll() } else { removeOthers() }
        case .shuffle: setShuffled(!isShuffled)
        default: return nil
        }
        return .actions([])
    }

    /// Shuffles the inputs, the current one first, or restores their order.
    mutating func setShuffled(_ isShuffled: Bool) {
        var generator = SystemRandomNumberGenerator()
        setShuffled(isShuffled, using: &generator)
    }

    /// Removes an input; after the current one the next input plays, or else the previous one.
    private mutating func remove(at index: Int, isIdle: Bool) -> Answer {
        guard (0..<count).contains(index), count > 1 || isIdle else {
            let reason = count > 1 ? "there is no input with the index \(index)" : "it has only this input"
            return .actions([.refusal("nothing is removed: \(reason)", name: Failure.queue)])
        }
        guard index == self.index, !isIdle else {
            remove(at: index)
            return .actions([])
        }
        let hasNext = index + 1 < count
        leaveCurrent()
        return .go(to: hasNext ? index : max(0, index - 1))
    }
}
