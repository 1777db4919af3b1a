internal import SyrinxByteStream

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The bookmarks of one recording, as a ``BookmarkStore`` keeps them.
public struct RecordingBookmarks: Sendable, Equatable {
    /// The identifier of the recording, which may contain a password.
    public let item: String
    /// The title of the recording; `nil` if none was stored.
    public let title: String?
    /// The bookmarks.
    public let bookmarks: BookmarkList
}

/// Stores bookmarks on disk, in one file per recording.
///
/// Files are written as safely as those of a ``PositionStore``, and may be in the same folder. Thread-safe; each call
/// blocks while it accesses the disk.
public struct BookmarkStore: Sendable {
    private struct Record: Codable {
        var item: String
        /// The title of the recording.
        var title: String?
        var bookmarks: BookmarkList
    }

    /// The maximum number of recordings in ``all()``: 1,000.
    public static let maximumRecordingCount = 1_000
    /// The maximum number of bookmarks in ``all()``: 10,000.
    public static let maximumBookmarkCount = 10_000

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

    /// Returns the bookmarks of all recordings, those whose bookmarks changed last first.
    ///
    /// The list ends before the recording that exceeds ``maximumRecordingCount`` or ``maximumBookmarkCount``. Titles
    /// are cut to ``BookmarkList/maximumTitleLength``. Files that cannot be read are left out, and are kept.
    public func all() -> [RecordingBookmarks] {
        let files = records.files().compactMap { file in
            file.status.map { (file: file, time: $0.st_mtim) }
        }
        let latest = files.sorted {
            ($0.time.tv_sec, $0.time.tv_nsec, $0.file.name) > ($1.time.tv_sec, $1.time.tv_nsec, $1.file.name)
        }
        var result: [RecordingBookmarks] = []
        var count = 0
        for (file, _) in latest.prefix(Self.maximumRecordingCount) {
            guard let record = try? records.load(Record.self, from: file) else { continue }
            var bookmarks = record.bookmarks
            guard !bookmarks.bookmarks.isEmpty else { continue }
            count += bookmarks.bookmarks.count
            guard count <= Self.maximumBookmarkCount else { break }
            for index in bookmarks.bookmarks.indices {
                bookmarks.rename(at: index, to: bookmarks.bookmarks[index].title)
            }
            let title = record.title.map { String($0.prefix(BookmarkList.maximumTitleLength)) }
            result.append(RecordingBookmarks(item: record.item, title: title, bookmarks: bookmarks))
        }
        return result
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
    package func store(
        _ bookmarks: BookmarkList,
        of item: String,
        formerly former: String?,
        title: String? = nil
    ) throws {
        try store(bookmarks, of: item, title: title)
        if let former { try store(BookmarkList(), of: former) }
    }

    /// Stores the bookmarks of an item, replacing the previous ones; an empty list removes the file.
    ///
    /// - Parameters:
    ///   - bookmarks: The bookmarks.
    ///   - item: The identifier of the item.
    ///   - title: The title of the recording, for the list of all bookmarks; `nil` keeps the stored title.
    /// - Throws: ``PlaybackError``: `file.positionNotWritten` if the disk is full, the folder is not writable, or the
    ///   titles exceed 1 MiB; `file.recordUnreadable` if the previous file cannot be read, which is then kept.
    public func store(_ bookmarks: BookmarkList, of item: String, title: String? = nil) throws {
        let file = records.file(of: item)
        if bookmarks.bookmarks.isEmpty { return try records.remove(Record.self, in: file) }
        let former = try records.load(Record.self, from: file)
        let title = title.map { String($0.prefix(BookmarkList.maximumTitleLength)) } ?? former?.title
        try records.store(Record(item: item, title: title, bookmarks: bookmarks), to: file)
    }
}
