internal import SyrinxByteStream

/// Positions on disk, which outlive a crash, a killed process and a loss of power.
///
/// Each item has a file of its own in the folder, named by the digest of its identifier. A file is replaced as a whole after its
/// content has reached the disk, so that a reader sees the old position or the new one. Several processes may use a folder at once;
/// the last one to write wins. Any thread may call; each call blocks for as long as the disk takes.
public struct PositionStore: Sendable {
    /// The path of the folder.
    public let folder: String
    /// The number of items that are kept, of which the oldest go first: 5,000.
    public static let maximumCount = 5_000

    private let records: RecordFolder
    private static let maximumItemBytes = 1 << 14

    /// A store in this folder, which the first write creates.
    public init(folder: String) {
        self.folder = folder
        // Six bytes in JSON for one of the identifier, at most.
        let maximumBytes = Self.maximumItemBytes * 6 + 1_024
        records = RecordFolder(
            path: FilePath(folder),
            pathExtension: "position",
            maximumBytes: maximumBytes
        )
    }

    /// Writes a position in place of the item's last one.
    ///
    /// - Throws: ``PlaybackError``: `file.positionNotWritten` if the disk is full or the folder cannot be written. It is thrown too for a
    ///   position that is negative or not finite, and for an identifier longer than 16 KiB. `file.recordUnreadable` if the last one
    ///   cannot be read, which then stays.
    public func store(_ position: StoredPosition) throws {
        guard position.isUsable, position.item.utf8.count <= Self.maximumItemBytes else {
            throw PlaybackError(
                .positionNotWritten,
                "The position cannot be stored because it is not a valid one."
            )
        }
        try records.store(position, to: records.file(of: position.item))
    }

    /// Writes a position, unless the item has been heard later than it: by another player, or in another window.
    /// - Parameters:
    ///   - position: The position, with the moment at which it was heard.
    ///   - now: The present, in seconds since 1970: a date that is still to come was written with a wrong clock, and does not count.
    /// - Throws: As for ``store(_:)``.
    package func update(_ position: StoredPosition, now: Double) throws {
        if let stored = self.position(of: position.item)?.date, stored > position.date, stored <= now {
            return
        }
        try store(position)
    }

    /// Removes the position of an item, if there is one.
    ///
    /// - Throws: ``PlaybackError`` (`file.recordUnreadable`) if its file cannot be read, which then stays.
    public func remove(_ item: String) throws {
        try records.remove(StoredPosition.self, in: records.file(of: item))
    }

    /// Removes the oldest positions beyond a number; files that cannot be read stay.
    ///
    /// Call it once, when the program starts.
    /// - Parameter count: The number of positions that stay. Default: ``maximumCount``.
    /// - Returns: An error (`file.recordUnreadable`) for each file that cannot be read.
    @discardableResult public func prune(to count: Int = maximumCount) -> [PlaybackError] {
        var kept: [(date: Double, file: FilePath)] = []
        var unreadable: [PlaybackError] = []
        for file in records.files() {
            do throws(PlaybackError) {
                if let position = try records.load(StoredPosition.self, from: file) {
                    kept.append((position.date, file))
                }
            } catch {
                unreadable.append(error)
            }
        }
        kept.sort { $0.date > $1.date }
        for (_, file) in kept.dropFirst(max(count, 0)) {
            try? records.remove(StoredPosition.self, in: file)
        }
        return unreadable
    }

    /// The position of an item; `nil` if there is none, or if its file is damaged.
    public func position(of item: String) -> StoredPosition? {
        let position = load(records.file(of: item))
        return position?.item == item ? position : nil
    }

    /// The position that was written last, of an item that has not been finished.
    public func latest() -> StoredPosition? { all().first { !$0.isFinished } }

    /// All positions, the last one first; damaged files are left out.
    public func all() -> [StoredPosition] {
        records.files().compactMap(load).sorted { ($0.date, $0.item) > ($1.date, $1.item) }
    }

    private func load(_ file: FilePath) -> StoredPosition? {
        let position = try? records.load(StoredPosition.self, from: file)
        return position?.isUsable == true ? position : nil
    }
}
