/// The repetition of what has been played to its end.
public enum PlaybackRepeatMode: Sendable, Equatable {
    /// Nothing is played again.
    case none
    /// The current entry is played until another is chosen.
    case one
    /// After the last entry the first one follows.
    case all
}

/// One playing of an entry of a `PlaybackQueue`.
public struct PlaybackTurn: Identifiable, Equatable, Sendable {
    /// The identity of the entry.
    public let entryID: Int
    /// The number of times that the queue, or the entry by itself, has begun again before.
    public let pass: Int
    /// The identity of the turn: it differs for each repetition of an entry.
    public var id: Int { pass << 32 | entryID }
}

/// A list of elements to play in order, with the one whose turn it is, repetition and shuffling.
///
/// A pure value: it opens and plays nothing. Editing costs time that grows with the number of entries behind the edit; everything
/// else but `index(of:)` and shuffling takes constant time.
public struct PlaybackQueue<Element> {
    /// An element in the queue.
    public struct Entry: Identifiable {
        /// The identity of the entry in its queue, which differs for the same element twice.
        public let id: Int
        /// The element.
        public var element: Element
        /// The place in the list before it was shuffled.
        fileprivate var rank = 0
    }

    /// The entries in the order of playing.
    public private(set) var entries: [Entry] = []
    /// The index of the entry whose turn it is; 0 in an empty queue, and `count` behind the last entry.
    public private(set) var currentIndex = 0
    /// The repetition; default `none`.
    public var repeatMode = PlaybackRepeatMode.none
    /// Whether the entries are shuffled.
    public private(set) var isShuffled = false
    private var pass = 0
    private var lastID = 0

    /// An empty queue.
    public init() {}

    /// A queue of `elements` at the first of them.
    public init(_ elements: some Sequence<Element>) { insert(elements, at: 0) }

    /// The number of entries.
    public var count: Int { entries.count }

    /// The entry whose turn it is; `nil` in an empty queue and behind the last one.
    public var current: Entry? { entries.indices.contains(currentIndex) ? entries[currentIndex] : nil }

    /// The turn of the current entry.
    public var currentTurn: PlaybackTurn? {
        // Without a copy of the element.
        entries.indices.contains(currentIndex) ? PlaybackTurn(entryID: entries[currentIndex].id, pass: pass) : nil
    }

    /// The element at an index, which has to be one of `entries`.
    public subscript(index: Int) -> Element {
        get { entries[index].element }
        set { entries[index].element = newValue }
    }

    /// Returns the index of the entry with this identity.
    public func index(of id: Entry.ID) -> Int? { entries.firstIndex { $0.id == id } }

    // MARK: Editing

    /// Inserts elements before the entry at `index`, which is brought into the range of the list.
    ///
    /// The current entry stays the current one.
    /// - Returns: The identities of the new entries.
    @discardableResult
    public mutating func insert(_ elements: some Sequence<Element>, at index: Int) -> [Entry.ID] {
        let index = min(max(index, 0), count)
        let isEmpty = entries.isEmpty
        // They come behind their neighbour when the shuffling is undone.
        let rank = index > 0 ? entries[index - 1].rank : -1
        let new = elements.map { element in
            lastID += 1
            return Entry(id: lastID, element: element, rank: rank)
        }
        entries.insert(contentsOf: new, at: index)
        if !isEmpty, index <= currentIndex { currentIndex += new.count }
        return new.map(\.id)
    }

    /// Adds elements behind the last entry.
    /// - Returns: The identities of the new entries.
    @discardableResult
    public mutating func append(_ elements: some Sequence<Element>) -> [Entry.ID] { insert(elements, at: count) }

    /// Removes the entry at `index`, if there is one.
    ///
    /// If it is the current one, the entry behind it has its turn.
    /// - Returns: The element.
    @discardableResult
    public mutating func remove(at index: Int) -> Element? {
        guard entries.indices.contains(index) else { return nil }
        if index < currentIndex { currentIndex -= 1 }
        return entries.remove(at: index).element
    }

    /// Removes all entries but the current one.
    public mutating func removeOthers() {
        entries = current.map { [$0] } ?? []
        currentIndex = 0
    }

    /// Moves the entry at `index` to the place that has the index `target` afterwards.
    ///
    /// The current entry stays the current one. An index that is not in the list changes nothing.
    public mutating func move(from index: Int, to target: Int) {
        guard entries.indices.contains(index), entries.indices.contains(target) else { return }
        let id = current?.id
        entries.insert(entries.remove(at: index), at: target)
        guard let id else { return }
        if index == currentIndex {
            currentIndex = target
        } else if let place = [currentIndex - 1, currentIndex, currentIndex + 1].first(where: {
            entries.indices.contains($0) && entries[$0].id == id
        }) {
            currentIndex = place
        }
    }

    /// Replaces the entry at `index` with elements, the first of which has its place, and its turn.
    public mutating func replace(at index: Int, with elements: some Collection<Element>) {
        guard entries.indices.contains(index) else { return }
        let wasCurrent = index == currentIndex
        insert(elements, at: index + 1)
        remove(at: index)
        if wasCurrent { currentIndex = index }
    }

    // MARK: Order

    /// Brings the entries into an order by chance, each of them once; the current one becomes the first.
    public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
        if !isShuffled { for index in entries.indices { entries[index].rank = index } }
        isShuffled = true
        let first = current == nil ? 0 : 1
        if first == 1 { entries.swapAt(0, currentIndex) }
        entries[first...].shuffle(using: &generator)
        currentIndex = first == 1 ? 0 : count
    }

    /// Brings the entries at these indices into an order by chance, such as those that have just been inserted.
    public mutating func shuffle(_ range: Range<Int>, using generator: inout some RandomNumberGenerator) {
        let id = current?.id
        entries[range.clamped(to: 0..<count)].shuffle(using: &generator)
        if let id, let index = index(of: id) { currentIndex = index }
    }

    /// Brings the entries back into the order that they had before they were shuffled.
    public mutating func unshuffle() {
        guard isShuffled else { return }
        isShuffled = false
        let id = current?.id
        let order = entries.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
        entries = order.map(\.element)
        if let id, let index = index(of: id) { currentIndex = index }
    }

    // MARK: Turns

    /// Gives the entry at `index` its turn; an index outside the list is the end of the queue.
    public mutating func move(to index: Int) { currentIndex = entries.indices.contains(index) ? index : count }

    /// Goes over to a turn that `upcoming` has named.
    /// - Returns: Whether the entry is still there.
    @discardableResult
    public mutating func advance(to turn: PlaybackTurn.ID) -> Bool {
        let id = turn & 0xFFFF_FFFF
        // It is near in most cases, in a queue of any length.
        let near = (currentIndex..<min(count, currentIndex + 64)).first { entries[$0].id == id }
        guard let index = near ?? index(of: id) else { return false }
        currentIndex = index
        pass = turn >> 32
        return true
    }

    /// Starts another pass, for entries that are opened again without having been named by `upcoming`.
    public mutating func beginPass() { pass += 1 }

    /// Returns the turns that follow on the current one by themselves.
    /// - Parameters:
    ///   - limit: The largest number of turns.
    ///   - repeats: Whether something may be played again: what makes no sound would repeat without end.
    public func upcoming(_ limit: Int, repeats: Bool = true) -> [PlaybackTurn] {
        guard let current, limit > 0 else { return [] }
        if repeatMode == .one {
            return repeats ? (1...limit).map { PlaybackTurn(entryID: current.id, pass: self.pass + $0) } : []
        }
        var turns: [PlaybackTurn] = []
        var (index, pass) = (currentIndex + 1, self.pass)
        while turns.count < limit {
            if index == count {
                guard repeatMode == .all, repeats else { break }
                (index, pass) = (0, pass + 1)
            }
            turns.append(PlaybackTurn(entryID: entries[index].id, pass: pass))
            index += 1
        }
        return turns
    }
}

extension PlaybackQueue: Sendable where Element: Sendable {}
extension PlaybackQueue.Entry: Sendable where Element: Sendable {}
extension PlaybackQueue.Entry: Equatable where Element: Equatable {}
extension PlaybackQueue: Equatable where Element: Equatable {}
