import SyrinxTerminal

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
