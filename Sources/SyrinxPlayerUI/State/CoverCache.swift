import SyrinxTerminal

/// The duration of a queue, added up once for each queue.
struct QueueTotal: Sendable {
    private var queue: [QueueEntry] = []
    /// The sum of the durations that are known, in seconds.
    private(set) var total = 0.0

    /// Takes a queue; at once if it is the one before.
    mutating func update(_ new: [QueueEntry]) {
        guard new != queue else { return }
        queue = new
        total = new.reduce(0) { $0 + max($1.duration ?? 0, 0) }
    }
}

/// The cover as half blocks, reduced once for each size.
struct CoverCache: Sendable {
    private var picture: Picture?
    private var blocks: HalfBlockPicture?

    /// Returns the picture at a size in cells.
    mutating func halfBlocks(_ picture: Picture, columns: Int, rows: Int) -> HalfBlockPicture {
        if let blocks, self.picture == picture, blocks.columns == columns, blocks.rows == rows { return blocks }
        let new = HalfBlockPicture(picture, columns: columns, rows: rows)
        self.picture = picture
        blocks = new
        return new
    }
}
