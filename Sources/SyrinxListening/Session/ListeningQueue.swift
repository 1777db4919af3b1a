package import SyrinxByteStream
package import SyrinxStreaming

/// The inputs in the order of playing: those of the command line, each playlist replaced by its entries.
package struct ListeningQueue: Sendable {
    /// An input in the queue.
    struct Entry: Equatable, Sendable {
        let input: ListeningInput
        /// Whether it cannot be opened again: standard input that has been read.
        fileprivate(set) var isSpent = false
        /// The length in seconds that has been found out.
        fileprivate var duration: Double?
    }

    /// One playing of an input.
    package struct Turn: Equatable, Sendable, Identifiable {
        package let id: PlaybackTurn.ID
        package let input: ListeningInput
        /// Whether the input has been played before, and follows on itself.
        package let isRepetition: Bool
    }

    /// More than these are not taken from playlists and commands, all together.
    private static let mostItems = 200_000
    /// Inputs that are announced in advance: more than end before the next ones are announced.
    private static let mostUpcoming = 64
    /// Repetitions of one input that are announced in advance.
    private static let mostRepetitions = 16

    private var queue: PlaybackQueue<Entry>
    /// The input that was current, and has been removed while the streamer had it; `nil` once another one is begun.
    package private(set) var left: ListeningInput?
    /// A number that changes with the inputs, their order and their tags.
    package private(set) var revision = 0
    /// The tags of the files among the inputs, as far as they have been read.
    private var known = KnownTags()

    /// A queue at its first input.
    package init(_ inputs: [ListeningInput]) { queue = PlaybackQueue(inputs.map { Entry(input: $0) }) }

    /// The place of the input whose turn it is, from 0 on.
    package var index: Int { queue.currentIndex }

    /// Whether it has no input.
    package var isEmpty: Bool { queue.entries.isEmpty }

    /// The input whose turn it is; `ListeningInput.nothing` in an empty queue.
    package var current: ListeningInput { queue.current?.element.input ?? .nothing }

    /// The input that the streamer has, which may have been removed from the queue.
    package var opened: ListeningInput { left ?? current }

    /// The input at `index`, which is a place of the queue.
    package func input(at index: Int) -> ListeningInput { queue[index].input }

    /// The turn of the current input.
    package var currentTurn: Turn { Turn(id: currentTurnID, input: current, isRepetition: false) }

    /// The identity of the turn of the current input.
    package var currentTurnID: Turn.ID { queue.currentTurn?.id ?? 0 }

    /// Returns the turns that come next by themselves, as far as no playlist has to be read first.
    /// - Parameters:
    ///   - loop: The repetition.
    ///   - repeats: Whether something may be played again: what makes no sound would repeat without end.
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
        // They follow each other from the current one on, or from the start.
        let ahead = index..<min(queue.count, index + Self.mostUpcoming + 1)
        let place = ahead.first { queue.entries[$0].id == turn.entryID } ?? queue.index(of: turn.entryID)
        return place.map { queue[$0] }
    }

    /// Goes over to a turn that `upcoming` has named.
    /// - Returns: Whether its input is still in the queue.
    package mutating func advance(to turn: Turn.ID) -> Bool { queue.advance(to: turn) }

    /// The number of inputs; a playlist whose turn has not come counts as one.
    package var count: Int { queue.count }

    /// Goes to the input at `index`, to open it anew.
    package mutating func move(to index: Int) {
        queue.beginPass()
        queue.move(to: index)
    }

    /// Takes note that the input whose turn it is has been opened.
    package mutating func noteOpening() { if !isEmpty { queue[index].isSpent = current.isStandardInput } }

    /// Whether the input at `index` exists and can be opened.
    package func canOpen(_ index: Int) -> Bool { queue.entries.indices.contains(index) && !queue[index].isSpent }

    /// The place of the input after `index` that can be opened, beyond the last one the first if `wraps` is true.
    package func index(after index: Int, wraps: Bool) -> Int? {
        (index + 1..<max(index + 1, count)).first(where: canOpen)
            ?? (wraps ? queue.entries.indices.first(where: canOpen) : nil)
    }

    /// The place of the input before `index` that can be opened, before the first one the last if `wraps` is true.
    package func index(before index: Int, wraps: Bool) -> Int? {
        (0..<max(0, index)).last(where: canOpen) ?? (wraps ? queue.entries.indices.last(where: canOpen) : nil)
    }

    /// Adds an input at the end.
    /// - Returns: Whether there was room for it.
    package mutating func append(_ input: ListeningInput) -> Bool {
        guard count < Self.mostItems else { return false }
        queue.append([Entry(input: input)])
        revision &+= 1
        return true
    }

    /// A number that stays with the entry at `index` wherever it is moved.
    package func identity(at index: Int) -> Int? {
        queue.entries.indices.contains(index) ? queue.entries[index].id : nil
    }

    /// The place of the entry with this number; `nil` if it has been removed.
    package func index(ofIdentity id: Int) -> Int? { queue.index(of: id) }

    /// The tags of the input at `index`, from its file and from the list that names it.
    package func tags(at index: Int) -> ListeningTags {
        guard queue.entries.indices.contains(index) else { return ListeningTags() }
        var tags = known.tags(of: queue[index].input)
        tags.duration = queue[index].duration ?? tags.duration
        return tags
    }

    /// The length of the input at `index` in seconds, as it was found out, or as the list that names it says.
    package func duration(at index: Int) -> Double? { tags(at: index).duration }

    /// The files whose tags are not known, those that come next first; none of a queue that is too long for all of them to be kept.
    package mutating func filesToRead() -> [FilePath] {
        guard count <= KnownTags.maximumCount else { return [] }
        let inputs = queue.entries.lazy.map(\.element.input)
        if known.isFull { known.keep(inputs) }
        let start = min(index, count)
        return known.unknown(among: [inputs[start...], inputs[..<start]].joined())
    }

    /// Whether the tags of a file have been read.
    package func knows(_ path: FilePath) -> Bool { known.knows(path) }

    /// Takes the tags of files.
    package mutating func take(_ tags: [FilePath: ListeningTags]) {
        // Tags that are not kept would be asked for again.
        if known.take(tags) { revision &+= 1 }
    }

    /// Takes the length of the input of a turn, in seconds.
    package mutating func setDuration(_ duration: Double?, of turn: Turn.ID) {
        guard let duration, duration.isFinite, duration > 0 else { return }
        // Those that are opened are near the current one.
        let id = turn & 0xFFFF_FFFF
        let near = (index..<min(count, index + Self.mostUpcoming + 1)).first { queue.entries[$0].id == id }
        guard let place = near ?? queue.index(of: id), queue[place].duration != duration else { return }
        queue[place].duration = duration
        revision &+= 1
    }

    /// The inputs in the order of playing.
    package var inputs: [ListeningInput] { queue.entries.map(\.element.input) }

    /// Adds inputs before the place `index`.
    /// - Returns: Whether there was room for them.
    package mutating func insert(_ inputs: [ListeningInput], at index: Int) -> Bool {
        guard inputs.count <= Self.mostItems - count, (0...count).contains(index) else { return false }
        queue.insert(inputs.map { Entry(input: $0) }, at: index)
        revision &+= 1
        return true
    }

    /// Removes the input at `index`, if there is one; if it is the current one, another has its turn.
    package mutating func remove(at index: Int) {
        guard queue.entries.indices.contains(index) else { return }
        queue.remove(at: index)
        revision &+= 1
        if self.index >= count { queue.move(to: count - 1) }
    }

    /// Removes the current input, which the streamer has until it has been stopped.
    package mutating func leaveCurrent() {
        left = opened
        remove(at: index)
    }

    /// Forgets the input that was left: another one is begun.
    package mutating func forgetLeft() { left = nil }

    /// Removes all inputs.
    package mutating func removeAll() {
        queue.removeOthers()
        queue.remove(at: 0)
        revision &+= 1
    }

    /// Returns a queue of other inputs; an order by chance stays one.
    ///
    /// - Parameters:
    ///   - inputs: The inputs, at least one.
    ///   - index: The place of the input that plays.
    ///   - isChosen: Whether the listener chose that input, so that it plays first in an order by chance too.
    func replaced(by inputs: [ListeningInput], at index: Int, isChosen: Bool) -> ListeningQueue {
        var new = ListeningQueue(inputs)
        new.move(to: min(max(index, 0), inputs.count - 1))
        guard isShuffled else { return new }
        var generator = SystemRandomNumberGenerator()
        if isChosen { new.setShuffled(true) } else { new.shuffle(using: &generator) }
        return new
    }

    /// Takes the inputs of another queue.
    /// - Parameter isOpen: Whether the streamer has the current input, which it then has until it is stopped.
    mutating func become(_ other: ListeningQueue, isOpen: Bool) {
        let (left, revision, known) = (isOpen ? opened : nil, revision, known)
        self = other
        self.left = left
        self.revision = max(revision, other.revision) &+ 1
        self.known = known
    }

    /// Puts back the inputs of an earlier state of the queue that are no longer in it, each behind the input that it was behind.
    ///
    /// The turn of the current input stays. Cost: in proportion to both queues, as inputs that were beside each other are put back at once.
    /// - Returns: The number of inputs that were put back.
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

    /// Moves an input to the place that has the index `target` afterwards.
    package mutating func move(from index: Int, to target: Int) {
        queue.move(from: index, to: target)
        revision &+= 1
    }

    /// Brings the inputs into an order by chance, each of them once.
    package mutating func shuffle(using generator: inout some RandomNumberGenerator) {
        // No input has been opened: any of them may be the first.
        queue.move(to: count)
        queue.shuffle(using: &generator)
        revision &+= 1
        queue.move(to: 0)
    }

    /// Whether the order is by chance.
    package var isShuffled: Bool { queue.isShuffled }

    /// Brings the inputs into an order by chance, the current one first, or back into their own order.
    package mutating func setShuffled(_ isShuffled: Bool, using generator: inout some RandomNumberGenerator) {
        if isShuffled { queue.shuffle(using: &generator) } else { queue.unshuffle() }
        revision &+= 1
    }

    /// Puts what a playlist names in its place.
    /// - Parameter generator: Brings the inputs that come from now on into an order by chance; `nil` keeps theirs.
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
