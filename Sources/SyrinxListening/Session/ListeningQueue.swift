package import SyrinxByteStream
package import SyrinxStreaming

/// The inputs in playback order; playlists are replaced by their entries when they are opened.
package struct ListeningQueue: Sendable {
    /// An input in the queue.
    struct Entry: Equatable, Sendable {
        let input: ListeningInput
        /// Whether the input cannot be opened again, because it is standard input that has been read.
        fileprivate(set) var isSpent = false
        /// The measured duration in seconds; `nil` if it is unknown.
        fileprivate var duration: Double?
    }

    /// A playback of an input in the queue.
    package struct Turn: Equatable, Sendable, Identifiable {
        package let id: PlaybackTurn.ID
        package let input: ListeningInput
        /// Whether the input follows itself.
        package let isRepetition: Bool
    }

    /// The maximum number of inputs.
    private static let mostItems = 200_000
    /// The maximum number of inputs that the streamer is given in advance.
    private static let mostUpcoming = 64
    /// The maximum number of repetitions of an input that the streamer is given in advance.
    private static let mostRepetitions = 16

    private var queue: PlaybackQueue<Entry>
    /// The current input if it was removed while it was open; `nil` after the start of another one.
    package private(set) var left: ListeningInput?
    /// A number that changes with the inputs, their order and their tags.
    package private(set) var revision = 0
    /// The tags that have been read from files.
    private var known = KnownTags()

    /// Creates a queue whose first input is current.
    package init(_ inputs: [ListeningInput]) { queue = PlaybackQueue(inputs.map { Entry(input: $0) }) }

    /// The index of the current input.
    package var index: Int { queue.currentIndex }

    /// Whether the queue is empty.
    package var isEmpty: Bool { queue.entries.isEmpty }

    /// The current input; `ListeningInput.nothing` in an empty queue.
    package var current: ListeningInput { queue.current?.element.input ?? .nothing }

    /// The input that is open in the streamer, which may have been removed from the queue.
    package var opened: ListeningInput { left ?? current }

    /// Returns the input at `index`, which must be in range.
    package func input(at index: Int) -> ListeningInput { queue[index].input }

    /// The turn of the current input.
    package var currentTurn: Turn { Turn(id: currentTurnID, input: current, isRepetition: false) }

    /// The identity of the turn of the current input.
    package var currentTurnID: Turn.ID { queue.currentTurn?.id ?? 0 }

    /// Returns the turns that follow automatically, up to the next playlist.
    /// - Parameters:
    ///   - loop: The repeat mode.
    ///   - repeats: Whether inputs may be repeated; false if they have produced no audio.
    package func upcoming(_ loop: LoopMode, repeats: Bool) -> [Turn] {
        var queue = queue
        queue.repeatMode = loop.repeatMode
        let limit = loop == .one ? Self.mostRepetitions : Self.mostUpcoming
        var turns: [Turn] = []
        for turn in queue.upcoming(limit, repeats: repeats) {
            guard let entry = entry(of: turn), !entry.input.isList else { break }
            if !entry.isSpent {
                turns.append(Turn(id: turn.id, input: entry.input, isRepetition: loop == .one))
            }
        }
        return turns
    }

    private func entry(of turn: PlaybackTurn) -> Entry? {
        // Turns follow each other from the current one, or from the start of the queue.
        let ahead = index..<min(queue.count, index + Self.mostUpcoming + 1)
        let place = ahead.first { queue.entries[$0].id == turn.entryID } ?? queue.index(of: turn.entryID)
        return place.map { queue[$0] }
    }

    /// Advances to a turn that `upcoming` returned.
    /// - Returns: Whether its input is still in the queue.
    package mutating func advance(to turn: Turn.ID) -> Bool { queue.advance(to: turn) }

    /// The number of inputs; a playlist that has not been read counts as one.
    package var count: Int { queue.count }

    /// Makes the input at `index` current, to open it again.
    package mutating func move(to index: Int) {
        queue.beginPass()
        queue.move(to: index)
    }

    /// Records that the current input has been opened.
    package mutating func noteOpening() { if !isEmpty { queue[index].isSpent = current.isStandardInput } }

    /// Whether the input at `index` exists and can be opened.
    package func canOpen(_ index: Int) -> Bool { queue.entries.indices.contains(index) && !queue[index].isSpent }

    /// Returns the index of the next input after `index` that can be opened; with `wraps`, the search continues at the
    /// start.
    package func index(after index: Int, wraps: Bool) -> Int? {
        (index + 1..<max(index + 1, count)).first(where: canOpen)
            ?? (wraps ? queue.entries.indices.first(where: canOpen) : nil)
    }

    /// Returns the index of the last input before `index` that can be opened; with `wraps`, the search continues at the
    /// end.
    package func index(before index: Int, wraps: Bool) -> Int? {
        (0..<max(0, index)).last(where: canOpen) ?? (wraps ? queue.entries.indices.last(where: canOpen) : nil)
    }

    /// Adds an input at the end.
    /// - Returns: Whether the queue had room for it.
    package mutating func append(_ input: ListeningInput) -> Bool {
        guard count < Self.mostItems else { return false }
        queue.append([Entry(input: input)])
        revision &+= 1
        return true
    }

    /// Returns the identifier of the entry at `index`, which does not change when the entry moves.
    package func identity(at index: Int) -> Int? {
        queue.entries.indices.contains(index) ? queue.entries[index].id : nil
    }

    /// Returns the index of the entry with this identifier; `nil` if it was removed.
    package func index(ofIdentity id: Int) -> Int? { queue.index(of: id) }

    /// Returns the tags of the input at `index`, from its file and from the list that contains it.
    package func tags(at index: Int) -> ListeningTags {
        guard queue.entries.indices.contains(index) else { return ListeningTags() }
        var tags = known.tags(of: queue[index].input)
        tags.duration = queue[index].duration ?? tags.duration
        return tags
    }

    /// Returns the duration of the input at `index` in seconds, as measured, or as the list that contains it states.
    package func duration(at index: Int) -> Double? { tags(at: index).duration }

    /// Returns the files whose tags are unknown, the next ones in the queue first; empty if the queue is too long to
    /// keep all tags.
    package mutating func filesToRead() -> [FilePath] {
        guard count <= KnownTags.maximumCount else { return [] }
        let inputs = queue.entries.lazy.map(\.element.input)
        if known.isFull { known.keep(inputs) }
        let start = min(index, count)
        return known.unknown(among: [inputs[start...], inputs[..<start]].joined())
    }

    /// Returns whether the tags of a file have been read.
    package func knows(_ path: FilePath) -> Bool { known.knows(path) }

    /// Sets the tags of files.
    package mutating func take(_ tags: [FilePath: ListeningTags]) {
        // If tags are not kept, they would be requested again.
        if known.take(tags) { revision &+= 1 }
    }

    /// Sets the duration of the input of a turn, in seconds.
    package mutating func setDuration(_ duration: Double?, of turn: Turn.ID) {
        guard let duration, duration.isFinite, duration > 0 else { return }
        // Open inputs are near the current one.
        let id = turn & 0xFFFF_FFFF
        let near = (index..<min(count, index + Self.mostUpcoming + 1)).first { queue.entries[$0].id == id }
        guard let place = near ?? queue.index(of: id), queue[place].duration != duration else { return }
        queue[place].duration = duration
        revision &+= 1
    }

    /// The inputs in playback order.
    package var inputs: [ListeningInput] { queue.entries.map(\.element.input) }

    /// Inserts inputs before `index`.
    /// - Returns: Whether the queue had room for them.
    package mutating func insert(_ inputs: [ListeningInput], at index: Int) -> Bool {
        guard inputs.count <= Self.mostItems - count, (0...count).contains(index) else { return false }
        queue.insert(inputs.map { Entry(input: $0) }, at: index)
        revision &+= 1
        return true
    }

    /// Removes the input at `index`, if there is one; if it is the current one, another becomes current.
    package mutating func remove(at index: Int) {
        guard queue.entries.indices.contains(index) else { return }
        queue.remove(at: index)
        revision &+= 1
        if self.index >= count { queue.move(to: count - 1) }
    }

    /// Removes the current input, which stays open in the streamer until it is stopped.
    package mutating func leaveCurrent() {
        left = opened
        remove(at: index)
    }

    /// Forgets the removed input, because another one starts.
    package mutating func forgetLeft() { left = nil }

    /// Removes all inputs.
    package mutating func removeAll() {
        queue.removeOthers()
        queue.remove(at: 0)
        revision &+= 1
    }

    /// Returns a queue of other inputs, which is shuffled if this one is.
    ///
    /// - Parameters:
    ///   - inputs: The inputs, at least one.
    ///   - index: The index of the current input.
    ///   - isChosen: Whether the user chose that input, so that it plays first even if the queue is shuffled.
    func replaced(by inputs: [ListeningInput], at index: Int, isChosen: Bool) -> ListeningQueue {
        var new = ListeningQueue(inputs)
        new.move(to: min(max(index, 0), inputs.count - 1))
        guard isShuffled else { return new }
        var generator = SystemRandomNumberGenerator()
        if isChosen { new.setShuffled(true) } else { new.shuffle(using: &generator) }
        return new
    }

    /// Replaces the inputs with those of another queue.
    /// - Parameter isOpen: Whether the streamer has opened the current input, and keeps it open until playback stops.
    mutating func become(_ other: ListeningQueue, isOpen: Bool) {
        let (left, revision, known) = (isOpen ? opened : nil, revision, known)
        self = other
        self.left = left
        self.revision = max(revision, other.revision) &+ 1
        self.known = known
    }

    /// Restores removed inputs of an earlier state of the queue, each after its previous neighbour.
    ///
    /// The current turn does not change.
    /// - Returns: The number of restored inputs.
    /// - Complexity: Linear in the lengths of both queues.
    mutating func restore(from former: ListeningQueue) -> Int {
        let present = Set(queue.entries.map(\.id))
        var (last, count, missing): (Int?, Int, [Entry]) = (nil, 0, [])
        func putBack(into queue: inout PlaybackQueue<Entry>) {
            missing = Array(missing.prefix(max(Self.mostItems - queue.count, 0)))
            guard !missing.isEmpty else { return }
            queue.insert(missing, at: last.flatMap { queue.index(of: $0) }.map { $0 + 1 } ?? 0)
            count += missing.count
            missing = []
        }
        for entry in former.queue.entries {
            guard present.contains(entry.id) else {
                missing.append(entry.element)
                continue
            }
            putBack(into: &queue)
            last = entry.id
        }
        putBack(into: &queue)
        revision &+= 1
        return count
    }

    /// Removes all inputs but the current one.
    package mutating func removeOthers() {
        queue.removeOthers()
        revision &+= 1
    }

    /// Moves an input so that its index becomes `target`.
    package mutating func move(from index: Int, to target: Int) {
        queue.move(from: index, to: target)
        revision &+= 1
    }

    /// Shuffles the inputs.
    package mutating func shuffle(using generator: inout some RandomNumberGenerator) {
        // No input has been opened, so any of them may be the first.
        queue.move(to: count)
        queue.shuffle(using: &generator)
        revision &+= 1
        queue.move(to: 0)
    }

    /// Whether the queue is shuffled.
    package var isShuffled: Bool { queue.isShuffled }

    /// Shuffles the inputs, with the current one first, or restores their order.
    package mutating func setShuffled(_ isShuffled: Bool, using generator: inout some RandomNumberGenerator) {
        if isShuffled { queue.shuffle(using: &generator) } else { queue.unshuffle() }
        revision &+= 1
    }

    /// Replaces the current playlist with its inputs.
    /// - Parameter generator: Shuffles the inputs that have not been played; `nil` keeps their order.
    /// - Throws: If the queue would have too many inputs.
    package mutating func replaceCurrent(
        with inputs: [ListeningInput],
        shuffledBy generator: (any RandomNumberGenerator)?
    ) throws(Failure) {
        guard !inputs.isEmpty, count - 1 + inputs.count <= Self.mostItems else {
            let message = "The queue would have more than \(Self.mostItems) inputs."
            throw Failure(code: .unsupported, message: message, name: current.name)
        }
        revision &+= 1
        queue.replace(at: index, with: inputs.map { Entry(input: $0) })
        guard var generator else { return }
        let place = index
        queue.move(to: count)
        queue.shuffle(place..<count, using: &generator)
        queue.move(to: place)
    }
}

extension LoopMode {
    fileprivate var repeatMode: PlaybackRepeatMode {
        switch self {
        case .none: .none
        case .one: .one
        case .all: .all
        }
    }
}
