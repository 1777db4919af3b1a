internal import SyrinxByteStream

/// Stores bookmarks on disk, in one file per recording.
///
/// Files are written as safely as those of a ``PositionStore``, and may be in the same folder. Thread-safe; each call
/// blocks while it accesses the disk.
public struct BookmarkStore: Sendable {
    private struct Record: Codable {
        var item: String
        var bookmarks: BookmarkList
    }

    private let records: RecordFolder

    /// Creates a store in a folder, which is created by the first write.
    public init(folder: String) {
        records = RecordFolder(path: FilePath(folder), pathExtension: "bookmarks", maximumBytes: 1 << 20)
    }

    /// Returns the bookmarks of an item; an empty list if there is no file.
    ///
    /// - Throws: ``PlaybackError`` (`file.recordUnreadable`) if the file cannot be read.
    public func bookmarks(of item: String) throws -> BookmarkList {
        let record = try records.load(Record.self, from: records.file(of: item))
        return record.flatMap { $0.item == item ? $0.bookmarks : nil } ?? BookmarkList()
    }

    /// Returns the bookmarks of an item, looking for its former identifier if necessary.
    ///
    /// - Throws: The errors of ``bookmarks(of:)``.
    package func bookmarks(of item: String, formerly former: String?) throws -> BookmarkList {
        let bookmarks = try bookmarks(of: item)
        guard bookmarks.bookmarks.isEmpty, let former else { return bookmarks }
        return try self.bookmarks(of: former)
    }

    /// Stores the bookmarks of an item, and removes those of its former identifier.
    ///
    /// - Throws: The errors of ``store(_:of:)``.
    package func store(_ bookmarks: BookmarkList, of item: String, formerly former: String?) throws {
        try store(bookmarks, of: item)
        if let former { try store(BookmarkList(), of: former) }
    }

    /// Stores the bookmarks of an item, replacing the previous ones; an empty list removes the file.
    ///
    /// - Throws: ``PlaybackError``: `file.positionNotWritten` if the disk is full, the folder is not writable, or the
    ///   titles exceed 1 MiB; `file.recordUnreadable` if the previous file cannot be read, which is then kept.
    public func store(_ bookmarks: BookmarkList, of item: String) throws {
        let file = records.file(of: item)
        if bookmarks.bookmarks.isEmpty { return try records.remove(Record.self, in: file) }
        try records.store(Record(item: item, bookmarks: bookmarks), to: file)
    }
}
