/// The order in which the tags of recordings are read: one at a time.
///
/// The rows that are seen come first, then those among which a search looks. The values of a number of recordings are kept, and those
/// of the rows that are seen always. A search needs the tags alone, without covers: what is read for it is not kept here. So a recording
/// is read again once its row is seen after that, or after it has been forgotten.
public struct TagReading<Value> {
    private struct Entry {
        /// The value; `nil` if nothing could be read.
        var value: Value?
        var stamp: Int
    }

    private let limit: Int
    private var entries: [String: Entry] = [:]
    private var wanted: [String] = []
    private var searched: ArraySlice<String> = []
    private var running: String?
    /// Whether what is being read is for the search: the tags without a cover.
    public private(set) var isForSearch = false
    private var stamp = 0

    /// Creates an empty order.
    /// - Parameter limit: The number of recordings that are kept, 1 or more; those that are seen may be more.
    public init(limit: Int) { self.limit = max(limit, 1) }

    /// The number of recordings that are kept.
    var keptCount: Int { entries.count }

    /// Takes the recordings whose rows are seen, in the order in which they are to be read.
    /// - Parameter keys: The addresses.
    /// - Returns: The recording to be read now, if any.
    public mutating func want(_ keys: [String]) -> String? {
        wanted = keys
        stamp += 1
        for key in keys where entries[key] != nil { entries[key]?.stamp = stamp }
        return next()
    }

    /// Takes the recordings among which a search looks and whose tags are not known.
    /// - Parameter keys: The addresses in the order in which they are to be read, behind those whose rows are seen; none ends it. One
    ///   that occurs more than once, as of the parts of a file, is read once.
    /// - Returns: The recording to be read now, if any.
    public mutating func search(_ keys: [String]) -> String? {
        // The tags of what is being read will be known.
        var known = Set([running].compactMap(\.self))
        searched = keys.filter { known.insert($0).inserted }[...]
        return next()
    }

    /// Forgets the recordings that are not in the queue, which are read again when they come back.
    /// - Parameter keys: The addresses of those that are.
    public mutating func keep(_ keys: Set<String>) {
        entries = entries.filter { keys.contains($0.key) }
        wanted.removeAll { !keys.contains($0) }
        searched.removeAll { !keys.contains($0) }
    }

    /// Takes what has been read of a recording.
    /// - Parameters:
    ///   - value: The tags; `nil` if it could not be read, and then it is not tried again. What was read for the search is not kept.
    ///   - key: The address.
    /// - Returns: The recording to be read now, if any.
    public mutating func take(_ value: Value?, of key: String) -> String? {
        let isKept = running != key || !isForSearch
        if running == key { running = nil }
        if isKept {
            entries[key] = Entry(value: value, stamp: stamp)
            forgetOldest()
        }
        return next()
    }

    /// Returns what has been read of a recording.
    /// - Parameter key: The address.
    public func value(of key: String) -> Value? { entries[key]?.value }

    private mutating func next() -> String? {
        guard running == nil else { return nil }
        running = wanted.first { entries[$0] == nil }
        isForSearch = running == nil
        while running == nil, let key = searched.popFirst() {
            if entries[key] == nil { running = key }
        }
        return running
    }

    private mutating func forgetOldest() {
        guard entries.count > limit else { return }
        let seen = Set(wanted)
        let others = entries.filter { !seen.contains($0.key) }.sorted {
            ($0.value.stamp, $0.key) < ($1.value.stamp, $1.key)
        }
        for (key, _) in others.prefix(entries.count - limit) { entries[key] = nil }
    }
}
