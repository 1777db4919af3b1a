internal import SyrinxByteStream

/// Stores playback positions on disk, so that they survive crashes and power failures.
///
/// Each item has its own file in the folder, named by a digest of its identifier. A file is replaced atomically after
/// its content has been written, so a reader sees either the old or the new position. Several processes may use a
/// folder at once; the last write wins. Thread-safe; each call blocks while it accesses the disk.
///
/// ```swift
/// let store = PositionStore(folder: "/home/ann/.local/state/player")
/// let now = Date().timeIntervalSince1970
/// try store.store(StoredPosition(item: "episode-12", position: 754, duration: 1_800, date: now))
/// print(store.position(of: "episode-12")?.position ?? 0)
/// ```
public struct PositionStore: Sendable {
    /// The path of the folder.
    public let folder: String
    /// The maximum number of stored items: 5,000.
    ///
    /// The oldest are removed first.
    public static let maximumCount = 5_000

    private let records: RecordFolder
    private static let maximumItemBytes = 1 << 14

    /// Creates a store in a folder, which is created by the first write.
    public init(folder: String) {
        self.folder = folder
        // A byte of the identifier takes at most six bytes in JSON.
        let maximumBytes = Self.maximumItemBytes * 6 + 1_024
        records = RecordFolder(
            path: FilePath(folder),
            pathExtension: "position",
            maximumBytes: maximumBytes
        )
    }

    /// Stores a position, replacing the previous one of the item.
    ///
    /// - Throws: ``PlaybackError``: `file.positionNotWritten` if the disk is full, the folder is not writable, the
    ///   position is negative or not finite, or the identifier is longer than 16 KiB; `file.recordUnreadable` if the
    ///   previous file cannot be read, which is then kept.
    public func store(_ position: StoredPosition) throws {
        guard position.isUsable, position.item.utf8.count <= Self.maximumItemBytes else {
            throw PlaybackError(
                .positionNotWritten,
                "The position is invalid and cannot be stored."
            )
        }
        try records.store(position, to: records.file(of: position.item))
    }

    /// Stores a position, unless a later one is already stored, for example by another player.
    /// - Parameters:
    ///   - position: The position, and the time at which it was reached.
    ///   - now: The current time, in seconds since 1970. A stored time in the future comes from a wrong clock, and is
    ///     ignored.
    /// - Throws: The errors of ``store(_:)``.
    package func update(_ position: StoredPosition, now: Double) throws {
        if let stored = self.position(of: position.item)?.date, stored > position.date, stored <= now {
            return
        }
        try store(position)
    }

    /// Removes the position of an item, if there is one.
    ///
    /// - Throws: ``PlaybackError`` (`file.recordUnreadable`) if its file cannot be read, which is then kept.
    public func remove(_ item: String) throws {
        try records.remove(StoredPosition.self, in: records.file(of: item))
    }

    /// Removes the oldest positions beyond a maximum number; unreadable files are kept.
    ///
    /// Call it once when the program starts.
    /// - Parameter count: The maximum number of positions (default: ``maximumCount``).
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

    /// Returns the position of an item; `nil` if there is none, or if its file is damaged.
    public func position(of item: String) -> StoredPosition? {
        let position = load(records.file(of: item))
        return position?.item == item ? position : nil
    }

    /// Returns the last stored position of an unfinished item; `nil` if there is none.
    public func latest() -> StoredPosition? { all().first { !$0.isFinished } }

    /// Returns all positions, latest first, without damaged files.
    public func all() -> [StoredPosition] {
        records.files().compactMap(load).sorted { ($0.date, $0.item) > ($1.date, $1.item) }
    }

    private func load(_ file: FilePath) -> StoredPosition? {
        let position = try? records.load(StoredPosition.self, from: file)
        return position?.isUsable == true ? position : nil
    }
}
