/// A cache of the covers of visible rows, and of rows that were visible recently.
///
/// Recordings without a cover are cached too, so that they are not read again.
public struct KeptCovers<Key: Hashable & Comparable, Cover> {
    private struct Entry {
        var cover: Cover?
        var stamp: Int
    }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    private var seen: Set<Key> = []
    private var stamp = 0

    /// Creates an empty cache.
    /// - Parameter limit: The maximum number of cached recordings, at least 1; visible ones are always kept.
    public init(limit: Int) { self.limit = max(limit, 1) }

    /// The number of cached recordings.
    var count: Int { entries.count }

    /// Sets the recordings whose rows are visible.
    /// - Parameter keys: The recordings.
    /// - Returns: The recordings whose covers must be read, in the same order.
    public mutating func see(_ keys: [Key]) -> [Key] {
        seen = Set(keys)
        stamp += 1
        for key in seen { entries[key]?.stamp = stamp }
        return keys.filter { entries[$0] == nil }
    }

    /// Adds a cover, and evicts the covers of rows that have not been visible for the longest time.
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

    /// Removes recordings that are no longer in the queue.
    /// - Parameter keys: The recordings in the queue.
    public mutating func keepOnly(_ keys: Set<Key>) { entries = entries.filter { keys.contains($0.key) } }

    /// Returns the cached cover of a recording; `nil` if there is none.
    /// - Parameter key: The recording.
    public subscript(key: Key) -> Cover? { entries[key]?.cover }
}
