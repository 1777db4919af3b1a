/// The order in which the tags of files are read: those whose rows are seen first, then the others of the queue.
struct TagOrder<Key: Hashable & Sendable>: Sendable {
    private var seen: ArraySlice<Key> = []
    private var others: ArraySlice<Key> = []
    /// The files that were read since the last report.
    ///
    /// A caller may still ask for them, because the report has not come. They are not read again.
    private var unreported: (seen: Set<Key>, others: Set<Key>) = ([], [])

    /// Sets the files whose rows are seen, in the order in which they are to be read.
    mutating func setSeen(_ keys: [Key]) {
        var known: Set<Key> = []
        seen = keys.filter { known.insert($0).inserted }[...]
    }

    /// Sets the other files of the queue, in the order in which they are to be read.
    mutating func setOthers(_ keys: [Key]) { others = keys[...] }

    /// Records that the results of the files read so far will be reported.
    mutating func willReport() { unreported = ([], []) }

    /// Returns the next file to read, and whether its row is visible; `nil` if all were read.
    mutating func next() -> (key: Key, isSeen: Bool)? {
        while let key = seen.popFirst() {
            unreported.others.insert(key)
            if unreported.seen.insert(key).inserted { return (key, true) }
        }
        while let key = others.popFirst() {
            if unreported.others.insert(key).inserted { return (key, false) }
        }
        return nil
    }
}
