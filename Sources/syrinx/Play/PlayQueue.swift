/// What is to be played, in its order: the command line's inputs, each playlist replaced by what it names.
struct PlayQueue {
    /// An input in the queue.
    struct Entry: Equatable, Sendable, Identifiable {
        /// What tells it from others, the same input among them.
        let id: Int
        let input: InputArgument
        /// How many playlists led to it.
        fileprivate var depth = 0
    }

    /// Playlists in playlists in playlists, up to here: a list may name itself.
    private static let deepest = 4
    /// More than these are not taken from playlists, all together.
    private static let mostItems = 20_000

    /// As many inputs as this are told to come next: more than are over before the next are told.
    private static let mostUpcoming = 64

    private var items: [Entry] = []
    private var index = 0
    private var lastID = 0

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

    /// The same, as it stands in the queue.
    var currentEntry: Entry { items[index] }

    /// The inputs that come next, as far as no playlist has to be read before.
    var upcoming: [Entry] {
        Array(items[(index + 1)...].prefix(Self.mostUpcoming).prefix { !$0.input.isPlaylist })
    }

    /// Goes to the next, if that is the one of this `id`.
    /// - Returns: Whether it is.
    mutating func advance(to id: Int) -> Bool {
        guard index + 1 < items.count, items[index + 1].id == id else { return false }
        return advance()
    }

    /// Goes to the next.
    /// - Returns: Whether there is one.
    mutating func advance() -> Bool {
        guard index + 1 < items.count else { return false }
        index += 1
        return true
    }

    /// Puts what a playlist names in its place.
    /// - Throws: If it is one of too many playlists that name each other.
    mutating func replaceCurrent(with inputs: [InputArgument]) throws(Failure) {
        let depth = items[index].depth + 1
        guard !inputs.isEmpty, depth <= Self.deepest, items.count + inputs.count <= Self.mostItems else {
            throw Failure(
                code: "media.unsupported",
                message: "Playlists that name each other lead here, and too far.",
                name: current.name
            )
        }
        items.replaceSubrange(index...index, with: entries(inputs, depth: depth))
    }
}
