import SyrinxTerminal

/// The cached total duration of a queue.
struct QueueTotal: Sendable {
    private var queue: [QueueEntry] = []
    /// The sum of the known durations, in seconds.
    private(set) var total = 0.0

    /// Updates the total if the queue has changed.
    mutating func update(_ new: [QueueEntry]) {
        guard new != queue else { return }
        queue = new
        total = new.reduce(0) { $0 + max($1.duration ?? 0, 0) }
    }
}

/// The cached cover as half blocks.
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
