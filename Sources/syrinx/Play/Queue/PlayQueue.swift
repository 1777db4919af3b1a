import MediaCodec

/// The inputs in the order of playing: those of the command line, each playlist replaced by its entries.
struct PlayQueue {
    /// An input in the queue.
    struct Entry: Equatable, Sendable, Identifiable {
        /// The identity of the entry, which differs for the same input twice.
        let id: Int
        let input: InputArgument
        /// The number of playlists that led to the entry.
        fileprivate var depth = 0
        /// Whether it cannot be opened again: standard input that has been read.
        fileprivate(set) var isSpent = false
    }

    /// Playlists in playlists in playlists, up to here: a list may name itself.
    private static let deepest = 4
    /// More than these are not taken from playlists and commands, all together.
    private static let mostItems = 20_000

    /// Inputs that are announced in advance: more than end before the next ones are announced.
    private static let mostUpcoming = 64

    private var items: [Entry] = []
    private var lastID = 0
    /// The place of the input whose turn it is, from 0 on.
    private(set) var index = 0

    /// A queue of at least one input, at its first.
    init(_ inputs: [InputArgument]) { items = entries(inputs, depth: 0) }

    private mutating func entries(_ inputs: [InputArgument], depth: Int) -> [Entry] {
        inputs.map { input in
            lastID += 1
            return Entry(id: lastID, input: input, depth: depth)
        }
    }

    /// The input whose turn it is.
    var current: InputArgument { items[index].input }

    /// The entry whose turn it is.
    var currentEntry: Entry { items[index] }

    /// The entries that come next, as far as no playlist has to be read first.
    var upcoming: [Entry] {
        Array(items[(index + 1)...].prefix(Self.mostUpcoming).prefix { !$0.input.isList }.filter { !$0.isSpent })
    }

    /// The place of the entry `id`.
    func index(of id: Entry.ID) -> Int? { items.firstIndex { $0.id == id } }

    /// The number of inputs; a playlist whose turn has not come counts as one.
    var count: Int { items.count }

    /// Goes to the input at `index`.
    mutating func move(to index: Int) { self.index = index }

    /// Takes note that the input whose turn it is has been opened.
    mutating func noteOpening() { items[index].isSpent = items[index].input.isStandardInput }

    /// Whether the input at `index` exists and can be opened.
    func canOpen(_ index: Int) -> Bool { items.indices.contains(index) && !items[index].isSpent }

    /// The place of the input after `index` that can be opened, beyond the last one the first if `wraps` is true.
    func index(after index: Int, wraps: Bool) -> Int? {
        (index + 1..<max(index + 1, count)).first(where: canOpen) ?? (wraps ? items.indices.first(where: canOpen) : nil)
    }

    /// The place of the input before `index` that can be opened, before the first one the last if `wraps` is true.
    func index(before index: Int, wraps: Bool) -> Int? {
        (0..<max(0, index)).last(where: canOpen) ?? (wraps ? items.indices.last(where: canOpen) : nil)
    }

    /// Adds an input at the end.
    /// - Returns: Whether there was room for it.
    mutating func append(_ input: InputArgument) -> Bool {
        guard count < Self.mostItems else { return false }
        items += entries([input], depth: 0)
        return true
    }

    /// Puts what a playlist names in its place.
    /// - Throws: If it is one of too many playlists that name each other.
    mutating func replaceCurrent(with inputs: [InputArgument]) throws(Failure) {
        let depth = items[index].depth + 1
        guard !inputs.isEmpty, depth <= Self.deepest, items.count - 1 + inputs.count <= Self.mostItems else {
            throw Failure(
                code: .unsupported,
                message: "Playlists that name each other lead here, and too far.",
                name: current.name
            )
        }
        items.replaceSubrange(index...index, with: entries(inputs, depth: depth))
    }
}
