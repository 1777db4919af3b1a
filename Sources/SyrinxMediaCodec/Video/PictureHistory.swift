/// Pictures that lie before the next one of a reader, kept for steps back, within a number of bytes.
///
/// They follow each other without a gap: to leave one out empties it. No clock, no thread.
struct PictureHistory<Picture> {
    /// A picture, the time at which it begins, and the bytes that it takes.
    private struct Entry {
        let picture: Picture
        let start: Int64
        let size: Int
    }

    /// The bytes that all pictures may take.
    let byteLimit: Int
    /// The bytes that all pictures take.
    private(set) var byteCount = 0
    private var entries: [Entry] = []

    /// - Parameter byteLimit: The bytes that all pictures may take; with 0 nothing is kept.
    init(byteLimit: Int) { self.byteLimit = max(byteLimit, 0) }

    /// The number of pictures.
    var count: Int { entries.count }

    /// Adds the picture that follows on the last; those that began first make place for it.
    /// - Parameters:
    ///   - start: The time at which it begins; not later than the one before, it empties the history first.
    ///   - size: The bytes that it takes.
    mutating func append(_ picture: Picture, start: Int64, size: Int) {
        if let last = entries.last, last.start >= start { removeAll() }
        guard size >= 0, size <= byteLimit else { return removeAll() }
        while byteCount > byteLimit - size {
            byteCount -= entries.removeFirst().size
        }
        entries.append(Entry(picture: picture, start: start, size: size))
        byteCount += size
    }

    /// Takes out the picture that is shown at a time, and those after it, in order.
    /// - Returns: Nothing if that picture has not been kept.
    mutating func take(from time: Int64) -> [Picture] {
        guard let first = entries.lastIndex(where: { $0.start <= time }) else { return [] }
        let taken = entries[first...]
        entries.removeSubrange(first...)
        byteCount = entries.reduce(0) { $0 + $1.size }
        return taken.map(\.picture)
    }

    /// Forgets all pictures.
    mutating func removeAll() {
        entries = []
        byteCount = 0
    }
}
