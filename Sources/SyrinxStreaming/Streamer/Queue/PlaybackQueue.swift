/// The repeat mode of a queue.
public enum PlaybackRepeatMode: Sendable, Equatable {
    /// The queue ends after its last entry.
    case none
    /// The current entry repeats until another one is selected.
    case one
    /// The queue continues with its first entry after the last one.
    case all
}

/// One playback of an entry of a `PlaybackQueue`.
public struct PlaybackTurn: Identifiable, Equatable, Sendable {
    /// The identity of the entry.
    public let entryID: Int
    /// The number of earlier passes through the queue, or through the repeated entry.
    public let pass: Int
    /// The identity of this turn, which differs for each repetition of an entry.
    public var id: Int { pass << 32 | entryID }
}

/// A playback queue with a current entry, repeat modes and shuffling.
///
/// A pure value: it does not open or play anything. An edit takes time proportional to the number of entries after it.
/// `index(of:)` and shuffling take linear time; everything else takes constant time.
///
/// ```swift
/// var queue = PlaybackQueue(["a.flac", "b.flac", "c.flac"])
/// queue.repeatMode = .all
/// queue.move(to: 2)
/// let next = queue.upcoming(2)            // the turns of a.flac and b.flac, in the second pass
/// queue.advance(to: next[0].id)
/// print(queue.current?.element ?? "end")  // a.flac
/// ```
public struct PlaybackQueue<Element> {
    /// An element of the queue, with an identity.
    public struct Entry: Identifiable {
        /// The identity of the entry in its queue; two entries with equal elements have different identities.
        public let id: Int
        /// The element, as passed to the queue.
        public var element: Element
        /// The index in the list before shuffling.
        fileprivate var rank = 0
    }

    /// The entries in playback order.
    public private(set) var entries: [Entry] = []
    /// The index of the current entry; `count` after the last entry, 0 in an empty queue.
    public private(set) var currentIndex = 0
    /// The repeat mode; `none` by default.
    public var repeatMode = PlaybackRepeatMode.none
    /// Whether the entries are shuffled.
    public private(set) var isShuffled = false
    private var pass = 0
    private var lastID = 0

    /// Creates an empty queue.
    public init() {}

    /// Creates a queue of `elements`; the first one is current.
    public init(_ elements: some Sequence<Element>) { insert(elements, at: 0) }

    /// The number of entries.
    public var count: Int { entries.count }

    /// The current entry; `nil` in an empty queue and after the last entry.
    public var current: Entry? { entries.indices.contains(currentIndex) ? entries[currentIndex] : nil }

    /// The turn of the current entry; `nil` in an empty queue and after the last entry.
    public var currentTurn: PlaybackTurn? {
        // Avoids a copy of the element.
        entries.indices.contains(currentIndex) ? PlaybackTurn(entryID: entries[currentIndex].id, pass: pass) : nil
    }

    /// The element at `index`.
    /// - Precondition: `index` is a valid index of `entries`.
    public subscript(index: Int) -> Element {
        get { entries[index].element }
        set { entries[index].element = newValue }
    }

    /// Returns the index of the entry with the identity `id`, or `nil`.
    /// - Complexity: O(*n*).
    public func index(of id: Entry.ID) -> Int? { entries.firstIndex { $0.id == id } }

    // MARK: Editing

    /// Inserts elements before the entry at `index`, which is clamped to 0…`count`.
    ///
    /// The current entry stays current.
    ///
    /// ```swift
    /// var queue = PlaybackQueue(["a.flac", "b.flac"])
    /// queue.insert(["next.flac"], at: queue.currentIndex + 1)  // play next
    /// ```
    /// - Returns: The identities of the new entries.
    @discardableResult
    public mutating func insert(_ elements: some Sequence<Element>, at index: Int) -> [Entry.ID] {
        let index = min(max(index, 0), count)
        let isEmpty = entries.isEmpty
        // Undoing the shuffle puts the new entries after their present neighbor.
        let rank = index > 0 ? entries[index - 1].rank : -1
        let new = elements.map { element in
            lastID += 1
            return Entry(id: lastID, element: element, rank: rank)
        }
        entries.insert(contentsOf: new, at: index)
        if !isEmpty, index <= currentIndex { currentIndex += new.count }
        return new.map(\.id)
    }

    /// Appends elements after the last entry.
    /// - Returns: The identities of the new entries.
    @discardableResult
    public mutating func append(_ elements: some Sequence<Element>) -> [Entry.ID] { insert(elements, at: count) }

    /// Removes the entry at `index`; an invalid index has no effect.
    ///
    /// If it is the current entry, the entry after it becomes current.
    /// - Returns: The removed element, or `nil`.
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

    /// Moves the entry at `index` so that its new index is `target`.
    ///
    /// The current entry stays current. If either index is invalid, nothing changes.
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

    /// Replaces the entry at `index` with `elements`; if it was current, the first new entry becomes current.
    public mutating func replace(at index: Int, with elements: some Collection<Element>) {
        guard entries.indices.contains(index) else { return }
        let wasCurrent = index == currentIndex
        insert(elements, at: index + 1)
        remove(at: index)
        if wasCurrent { currentIndex = index }
    }

    // MARK: Order

    /// Shuffles all entries; the current entry becomes the first.
    public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
        if !isShuffled { for index in entries.indices { entries[index].rank = index } }
        isShuffled = true
        let first = current == nil ? 0 : 1
        if first == 1 { entries.swapAt(0, currentIndex) }
        entries[first...].shuffle(using: &generator)
        currentIndex = first == 1 ? 0 : count
    }

    /// Shuffles the entries in `range`, such as entries that were just inserted.
    public mutating func shuffle(_ range: Range<Int>, using generator: inout some RandomNumberGenerator) {
        let id = current?.id
        entries[range.clamped(to: 0..<count)].shuffle(using: &generator)
        if let id, let index = index(of: id) { currentIndex = index }
    }

    /// Restores the order before shuffling.
    public mutating func unshuffle() {
        guard isShuffled else { return }
        isShuffled = false
        let id = current?.id
        let order = entries.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
        entries = order.map(\.element)
        if let id, let index = index(of: id) { currentIndex = index }
    }

    // MARK: Turns

    /// Makes the entry at `index` current; an invalid index moves to the end of the queue.
    public mutating func move(to index: Int) { currentIndex = entries.indices.contains(index) ? index : count }

    /// Advances to a turn that `upcoming(_:repeats:)` returned.
    /// - Returns: Whether the entry still exists.
    @discardableResult
    public mutating func advance(to turn: PlaybackTurn.ID) -> Bool {
        let id = turn & 0xFFFF_FFFF
        // The entry is usually close to the current one: this search is fast in a queue of any length.
        let near = (currentIndex..<min(count, currentIndex + 64)).first { entries[$0].id == id }
        guard let index = near ?? index(of: id) else { return false }
        currentIndex = index
        pass = turn >> 32
        return true
    }

    /// Starts another pass, for entries that are opened again without a turn from `upcoming(_:repeats:)`.
    public mutating func beginPass() { pass += 1 }

    /// Returns the next turns in playback order, without the current one.
    /// - Parameters:
    ///   - limit: The maximum number of turns.
    ///   - repeats: Whether repeat modes apply. Pass false for inputs without audio, which would otherwise repeat
    ///     endlessly.
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
