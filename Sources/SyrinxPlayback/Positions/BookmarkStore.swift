internal import SyrinxByteStream

/// Bookmarks on disk, one file for each recording that has any.
///
/// The files are as safe as those of a ``PositionStore``, and may lie in the same folder. Any thread may call; each call blocks for as
/// long as the disk takes.
public struct BookmarkStore: Sendable {
    private struct Record: Codable {
        var item: String
        var bookmarks: BookmarkList
    }

    private let records: RecordFolder

    /// A store in this folder, which the first write creates.
    public init(folder: String) {
        records = RecordFolder(path: FilePath(folder), pathExtension: "bookmarks", maximumBytes: 1 << 20)
    }

    /// The bookmarks of an item; none if there is no file of them.
    ///
    /// - Throws: ``PlaybackError`` (`file.recordUnreadable`) if there is a file that cannot be read.
    public func bookmarks(of item: String) throws -> BookmarkList {
        let record = try records.load(Record.self, from: records.file(of: item))
        return record.flatMap { $0.item == item ? $0.bookmarks : nil } ?? BookmarkList()
    }

    /// The bookmarks of an item that had another identifier before, which are found under either.
    ///
    /// - Throws: As for ``bookmarks(of:)``.
    package func bookmarks(of item: String, formerly former: String?) throws -> BookmarkList {
        let bookmarks = try bookmarks(of: item)
        guard bookmarks.bookmarks.isEmpty, let former else { return bookmarks }
        return try self.bookmarks(of: former)
    }

    /// Writes the bookmarks of an item that had another identifier before, and removes those under the former one.
    ///
    /// - Throws: As for ``store(_:of:)``.
    package func store(_ bookmarks: BookmarkList, of item: String, formerly former: String?) throws {
        try store(bookmarks, of: item)
        if let former { try store(BookmarkList(), of: former) }
    }

    /// Writes the bookmarks of an item in place of its last ones; an empty list removes the file.
    ///
    /// - Throws: ``PlaybackError``: `file.positionNotWritten` if the disk is full, the folder cannot be written, or the titles have
    ///   more than 1 MiB; `file.recordUnreadable` if the last ones cannot be read, which then stay.
    public func store(_ bookmarks: BookmarkList, of item: String) throws {
        let file = records.file(of: item)
        if bookmarks.bookmarks.isEmpty { return try records.remove(Record.self, in: file) }
        try records.store(Record(item: item, bookmarks: bookmarks), to: file)
    }
}
