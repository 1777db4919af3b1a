/// The queue during playback: the next inputs, the number of openings, and the queue for undo.
///
/// A value without side effects.
struct PlayOrder: Sendable {
    /// The conditions outside of the queue that decide which inputs come next.
    struct Conditions: Equatable {
        /// The repeat mode.
        var loop: LoopMode
        /// The repeated part of the current input; `nil` for none.
        var part: RepeatedPart?
        /// Whether playback ends with the current input.
        var endsWithItem: Bool
        /// Whether the current input has produced audio; an input that produces none is not repeated.
        var hasSounded: Bool

        init(_ loop: LoopMode, _ part: RepeatedPart?, _ sleep: SleepWatch, _ life: InputLife) {
            (self.loop, self.part) = (loop, part)
            (endsWithItem, hasSounded) = (sleep.endsWithItem, life.open?.hasSounded ?? false)
        }

        /// Whether the current input follows on itself.
        var repeatsItem: Bool { loop == .one || part != nil }
    }

    /// All values on which the list of next turns depends, to detect whether it must be computed again.
    private struct Basis: Equatable {
        var conditions: Conditions
        var revision: Int
        var turn: ListeningQueue.Turn.ID
        var openingCount: Int
        var roundHasSounded: Bool
    }

    /// The queue before a removal of inputs.
    private struct FormerQueue {
        /// The queue, with its current input.
        let queue: ListeningQueue
        /// The position in the current input, in seconds.
        let time: Double
        /// Whether another queue replaced it, so that undo opens its current input again.
        let isReplaced: Bool
    }

    /// The result of undo.
    enum Undone {
        case nothing
        /// The number of restored inputs.
        case restored(Int)
        /// The earlier queue, and the position in its current input, in seconds.
        case replaced(ListeningQueue, time: Double)
    }

    /// The inputs, one of which is current.
    var queue: ListeningQueue
    /// The number of openings so far.
    private(set) var openingCount = 0
    /// Whether the last opened input follows another one automatically, so that it begins at its start.
    private(set) var opensByItself = false
    /// Whether an input has produced audio since the queue last started from the beginning.
    private var roundHasSounded = false
    /// Shuffles the inputs of playlists; `nil` keeps their order.
    private var shuffling: (any RandomNumberGenerator & Sendable)?
    private var former: FormerQueue?
    /// The turns that the streamer plays after the current one, and the values on which they depend.
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

    /// Returns the turns that the streamer plays automatically after the current one.
    func upcoming(_ conditions: Conditions) -> [ListeningQueue.Turn] {
        // If playback ends with this input, the streamer must not advance.
        if conditions.endsWithItem { return [] }
        return conditions.repeatsItem
            ? queue.upcoming(.one, repeats: conditions.hasSounded)
            : queue.upcoming(conditions.loop, repeats: roundHasSounded)
    }

    /// Returns the action that updates the streamer's next turns, if they have changed.
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

    /// Returns the index of the input that follows the current one; `nil` at the end of the queue.
    func next(_ conditions: Conditions) -> Int? {
        if conditions.repeatsItem, conditions.hasSounded, queue.canOpen(queue.index) { return queue.index }
        return queue.index(after: queue.index, wraps: conditions.loop == .all && roundHasSounded)
    }

    // MARK: Progress

    /// Records that the current input will be opened.
    /// - Parameter byItself: Whether it follows another one automatically; `nil` for the first input of a list, for
    ///   which the value of the list applies.
    mutating func willOpen(byItself: Bool?) { if let byItself { opensByItself = byItself } }

    /// Records that the streamer opens the current input and receives the turns after it.
    mutating func noteOpening(_ conditions: Conditions) {
        openingCount += 1
        queue.noteOpening()
        followed = upcoming(conditions)
    }

    /// Records that the current input produces audio.
    mutating func noteSound() { roundHasSounded = true }

    /// Makes the input at `index` current; it is opened after the end of the previous one.
    mutating func move(to index: Int) {
        if index <= queue.index { roundHasSounded = false }
        queue.move(to: index)
    }

    /// Advances to a turn that the streamer has started.
    /// - Returns: Whether its input is still in the queue.
    mutating func advance(to turn: ListeningQueue.Turn.ID) -> Bool {
        let index = queue.index
        guard queue.advance(to: turn) else { return false }
        if queue.index <= index { roundHasSounded = false }
        queue.noteOpening()
        return true
    }

    /// Replaces a playlist with its inputs.
    /// - Throws: If the queue would have too many inputs.
    mutating func replaceCurrent(with inputs: [ListeningInput]) throws(Failure) {
        try queue.replaceCurrent(with: inputs, shuffledBy: shuffling)
    }

    // MARK: Undo

    /// Whether a change of the queue can be undone.
    var canUndo: Bool { former != nil }

    /// Saves a queue for undo.
    /// - Parameters:
    ///   - queue: The queue before the change.
    ///   - time: The position in its current input, in seconds.
    ///   - isReplaced: Whether another queue replaces it.
    mutating func keepForUndo(_ queue: ListeningQueue, at time: Double, isReplaced: Bool) {
        if !queue.isEmpty { former = FormerQueue(queue: queue, time: time, isReplaced: isReplaced) }
    }

    /// Restores the inputs that the last change removed, or returns the queue that it replaced.
    mutating func undo() -> Undone {
        guard let former else { return .nothing }
        self.former = nil
        return former.isReplaced
            ? .replaced(former.queue, time: former.time) : .restored(queue.restore(from: former.queue))
    }

    /// Replaces the inputs with those of another queue.
    /// - Parameter isOpen: Whether the streamer has opened the current input, and keeps it open until playback stops.
    mutating func become(_ other: ListeningQueue, isOpen: Bool) {
        queue.become(other, isOpen: isOpen)
        roundHasSounded = false
    }
}
