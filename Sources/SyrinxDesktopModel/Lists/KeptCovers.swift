/// The covers of recordings that are kept: those of the rows that are seen, and some of the rows seen before.
///
/// A recording without a cover has an entry too, so that it is not read again.
public struct KeptCovers<Key: Hashable & Comparable, Cover> {
    private struct Entry {
        var cover: Cover?
        var stamp: Int
    }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    private var seen: Set<Key> = []
    private var stamp = 0

    /// Creates an empty collection.
    /// - Parameter limit: The number of recordings that are kept, 1 or more; those that are seen may be more.
    public init(limit: Int) { self.limit = max(limit, 1) }

    /// The number of recordings that are kept.
    var count: Int { entries.count }

    /// Takes the recordings whose rows are seen.
    /// - Parameter keys: The recordings.
    /// - Returns: Those whose covers are to be read, in the same order.
    public mutating func see(_ keys: [Key]) -> [Key] {
        seen = Set(keys)
        stamp += 1
        for key in seen { entries[key]?.stamp = stamp }
        return keys.filter { entries[$0] == nil }
    }

    /// Keeps a cover; those of the rows that were seen longest ago go.
    /// - Parameters:
    ///   - cover: The cover; `nil` if there is none.
    ///   - key: The recording.
    public mutating func keep(_ cover: Cover?, of key: Key) {
        entries[key] = Entry(cover: cover, stamp: stamp)
        guard entries.count > limit else { return }
        let others = entries.filter { !seen.contains($0.key) }.sorted {
            ($0.value.stamp, $0.key) < ($1.value.stamp, $1.key)
        }
        for (key, _) in others.prefix(entries.count - limit) { entries[key] = nil }
    }

    /// Forgets the recordings that are not in the queue.
    /// - Parameter keys: Those that are.
    public mutating func keepOnly(_ keys: Set<Key>) { entries = entries.filter { keys.contains($0.key) } }

    /// Returns the cover of a recording, if it is kept.
    /// - Parameter key: The recording.
    public subscript(key: Key) -> Cover? { entries[key]?.cover }
}
