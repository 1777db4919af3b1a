/// The queue as a player plays it: the inputs that come next, the openings so far, and the queue before the last removal.
///
/// Pure.
struct PlayOrder: Sendable {
    /// The state outside the queue that decides which inputs come next.
    struct Conditions: Equatable {
        /// The repetition that is set.
        var loop: LoopMode
        /// The part of the current input that is repeated.
        var part: RepeatedPart?
        /// Whether playback ends with the current input.
        var endsWithItem: Bool
        /// Whether the current input could be heard: an input that cannot is not repeated without end.
        var hasSounded: Bool

        init(_ loop: LoopMode, _ part: RepeatedPart?, _ sleep: SleepWatch, _ life: InputLife) {
            (self.loop, self.part) = (loop, part)
            (endsWithItem, hasSounded) = (sleep.endsWithItem, life.open?.hasSounded ?? false)
        }

        /// Whether the current input follows on itself.
        var repeatsItem: Bool { loop == .one || part != nil }
    }

    /// The state that decides which turns come next: the list takes time to make, and nothing else changes it.
    private struct Basis: Equatable {
        var conditions: Conditions
        var revision: Int
        var turn: ListeningQueue.Turn.ID
        var openingCount: Int
        var roundHasSounded: Bool
    }

    /// The queue before a change that took inputs out of it.
    private struct FormerQueue {
        /// The queue with the input that was current.
        let queue: ListeningQueue
        /// The position in that input, in seconds.
        let time: Double
        /// Whether another queue was opened in its place, so that undo opens its input again.
        let isReplaced: Bool
    }

    /// The result of undo.
    enum Undone {
        case nothing
        /// The number of inputs that were put back.
        case restored(Int)
        /// The earlier queue, and the position in its current input, in seconds.
        case replaced(ListeningQueue, time: Double)
    }

    /// The inputs, and the one whose turn it is.
    var queue: ListeningQueue
    /// The number of inputs that have been opened.
    private(set) var openingCount = 0
    /// Whether the input that was opened last follows on another by itself, so that it begins at its start.
    private(set) var opensByItself = false
    /// Whether an input since the queue began anew could be heard.
    private var roundHasSounded = false
    /// Brings what playlists name into an order by chance; `nil` keeps theirs.
    private var shuffling: (any RandomNumberGenerator & Sendable)?
    private var former: FormerQueue?
    /// The turns that the streamer was told to play after the current one, and the state that they were made from.
    private var followed: [ListeningQueue.Turn] = []
    private var basis: Basis?

    init(_ inputs: [ListeningInput], from first: Int?, shuffling: (any RandomNumberGenerator & Sendable)?) {
        queue = ListeningQueue(inputs)
        if let first, queue.canOpen(first) { queue.move(to: first) }
        guard var generator = shuffling else { return }
        if first == nil { queue.shuffle(using: &generator) } else { queue.setShuffled(true, using: &generator) }
        self.shuffling = generator
    }

    // MARK: The next inputs

    /// The turns that the streamer is to play after the current one by itself.
    func upcoming(_ conditions: Conditions) -> [ListeningQueue.Turn] {
        // The streamer would be in the next input already when playback is to end with this one.
        if conditions.endsWithItem { return [] }
        return conditions.repeatsItem
            ? queue.upcoming(.one, repeats: conditions.hasSounded)
            : queue.upcoming(conditions.loop, repeats: roundHasSounded)
    }

    /// Returns the action that has the streamer follow on with other inputs, if they have changed.
    mutating func follow(_ conditions: Conditions) -> [SessionAction] {
        let new = Basis(
            conditions: conditions,
            revision: queue.revision,
            turn: queue.currentTurnID,
            openingCount: openingCount,
            roundHasSounded: roundHasSounded
        )
        guard new != basis else { return [] }
        basis = new
        let turns = upcoming(conditions)
        defer { followed = turns }
        return turns == followed ? [] : [.follow(turns)]
    }

    /// The place of the input that follows on the current one at its end; `nil` at the end of the queue.
    func next(_ conditions: Conditions) -> Int? {
        if conditions.repeatsItem, conditions.hasSounded, queue.canOpen(queue.index) { return queue.index }
        return queue.index(after: queue.index, wraps: conditions.loop == .all && roundHasSounded)
    }

    // MARK: Progress

    /// Takes note that the current input is about to be opened.
    /// - Parameter byItself: Whether it follows on another by itself; `nil` for the first of a list, which is opened as the list was.
    mutating func willOpen(byItself: Bool?) { if let byItself { opensByItself = byItself } }

    /// Takes note that the streamer opens the current input, and gets the turns after it.
    mutating func noteOpening(_ conditions: Conditions) {
        openingCount += 1
        queue.noteOpening()
        followed = upcoming(conditions)
    }

    /// Takes note that the current input can be heard.
    mutating func noteSound() { roundHasSounded = true }

    /// Goes to the input at `index`, to open it after the current one.
    mutating func move(to index: Int) {
        if index <= queue.index { roundHasSounded = false }
        queue.move(to: index)
    }

    /// Goes over to a turn that the streamer plays by itself.
    /// - Returns: Whether its input is still in the queue.
    mutating func advance(to turn: ListeningQueue.Turn.ID) -> Bool {
        let index = queue.index
        guard queue.advance(to: turn) else { return false }
        if queue.index <= index { roundHasSounded = false }
        queue.noteOpening()
        return true
    }

    /// Puts what a playlist names in its place.
    /// - Throws: If the queue would have too many inputs.
    mutating func replaceCurrent(with inputs: [ListeningInput]) throws(Failure) {
        try queue.replaceCurrent(with: inputs, shuffledBy: shuffling)
    }

    // MARK: Undo

    /// Whether a change of the queue can be undone.
    var canUndo: Bool { former != nil }

    /// Keeps a queue for undo.
    /// - Parameters:
    ///   - queue: The queue before the change.
    ///   - time: The position in its current input, in seconds.
    ///   - isReplaced: Whether another queue is opened in its place.
    mutating func keepForUndo(_ queue: ListeningQueue, at time: Double, isReplaced: Bool) {
        if !queue.isEmpty { former = FormerQueue(queue: queue, time: time, isReplaced: isReplaced) }
    }

    /// Brings back the inputs that the last change took out, or names the queue that it replaced.
    mutating func undo() -> Undone {
        guard let former else { return .nothing }
        self.former = nil
        return former.isReplaced
            ? .replaced(former.queue, time: former.time) : .restored(queue.restore(from: former.queue))
    }

    /// Takes the inputs of another queue.
    /// - Parameter isOpen: Whether the streamer has the current input, which it then has until it is stopped.
    mutating func become(_ other: ListeningQueue, isOpen: Bool) {
        queue.become(other, isOpen: isOpen)
        roundHasSounded = false
    }
}
