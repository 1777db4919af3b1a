/// What is to be played, in its order: the command line's inputs, each playlist replaced by what it names.
struct PlayQueue {
    private struct Item {
        var input: InputArgument
        /// How many playlists led to it.
        var depth = 0
        /// Whether it cannot be opened again: standard input that has been read.
        var isSpent = false
    }

    /// Playlists in playlists in playlists, up to here: a list may name itself.
    private static let deepest = 4
    /// More than these are not taken from playlists and commands, all together.
    private static let mostItems = 20_000

    private var items: [Item]
    /// The place of the input whose turn it is, from 0 on.
    private(set) var index = 0

    /// A queue of at least one input, at its first.
    init(_ inputs: [InputArgument]) { items = inputs.map { Item(input: $0) } }

    /// The input whose turn it is.
    var current: InputArgument { items[index].input }

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
        items.append(Item(input: input))
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
        items.replaceSubrange(index...index, with: inputs.map { Item(input: $0, depth: depth) })
    }
}
