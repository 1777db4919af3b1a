/// A history of pictures before a reader's position, used to step back, with a limited size in bytes.
///
/// The pictures are consecutive, so the history is emptied if one cannot be added. Use it from one thread at a time.
struct PictureHistory<Picture> {
    /// A picture, its start time, and its size in bytes.
    private struct Entry {
        let picture: Picture
        let start: Int64
        let size: Int
    }

    /// The maximum size of all pictures, in bytes.
    let byteLimit: Int
    /// The size of all pictures, in bytes.
    private(set) var byteCount = 0
    private var entries: [Entry] = []

    /// - Parameter byteLimit: The maximum size of all pictures, in bytes; 0 keeps none.
    init(byteLimit: Int) { self.byteLimit = max(byteLimit, 0) }

    /// The number of pictures.
    var count: Int { entries.count }

    /// Appends the next picture, and removes the oldest ones if the limit is exceeded.
    /// - Parameters:
    ///   - start: The start time; if it is not later than that of the previous picture, the history is emptied first.
    ///   - size: The size in bytes.
    mutating func append(_ picture: Picture, start: Int64, size: Int) {
        if let last = entries.last, last.start >= start { removeAll() }
        guard size >= 0, size <= byteLimit else { return removeAll() }
        while byteCount > byteLimit - size {
            byteCount -= entries.removeFirst().size
        }
        entries.append(Entry(picture: picture, start: start, size: size))
        byteCount += size
    }

    /// Removes and returns the picture that is visible at a time and those after it, in order.
    /// - Returns: An empty array if that picture is no longer stored.
    mutating func take(from time: Int64) -> [Picture] {
        guard let first = entries.lastIndex(where: { $0.start <= time }) else { return [] }
        let taken = entries[first...]
        entries.removeSubrange(first...)
        byteCount = entries.reduce(0) { $0 + $1.size }
        return taken.map(\.picture)
    }

    /// Removes all pictures.
    mutating func removeAll() {
        entries = []
        byteCount = 0
    }
}
