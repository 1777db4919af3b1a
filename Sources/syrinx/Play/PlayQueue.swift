/// What is to be played, in its order: the command line's inputs, each playlist replaced by what it names.
struct PlayQueue {
    private struct Item {
        var input: InputArgument
        /// How many playlists led to it.
        var depth = 0
    }

    /// Playlists in playlists in playlists, up to here: a list may name itself.
    private static let deepest = 4
    /// More than these are not taken from playlists, all together.
    private static let mostItems = 20_000

    private var items: [Item]
    private var index = 0

    /// A queue of at least one input, at its first.
    init(_ inputs: [InputArgument]) { items = inputs.map { Item(input: $0) } }

    /// The input whose turn it is.
    var current: InputArgument { items[index].input }

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
        items.replaceSubrange(index...index, with: inputs.map { Item(input: $0, depth: depth) })
    }
}
