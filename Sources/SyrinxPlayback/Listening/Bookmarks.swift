/// A bookmark in a recording.
public struct Bookmark: Sendable, Equatable, Codable {
    /// The position from the start of the recording, in seconds.
    public var position: Double
    /// The user's title; `nil` if there is none.
    public var title: String?

    /// Creates a bookmark at a position in seconds.
    public init(position: Double, title: String? = nil) {
        self.position = position
        self.title = title
    }
}

/// The bookmarks of one recording, sorted by position.
///
/// Two bookmarks are at least ``minimumDistance`` apart. A new one that is closer to an existing one replaces its
/// title.
///
/// ```swift
/// var list = BookmarkList()
/// list.add(at: 754.2, title: "The recipe")
/// for bookmark in list.bookmarks { print(bookmark.position, bookmark.title ?? "") }
/// ```
public struct BookmarkList: Sendable, Equatable, Codable {
    /// The minimum distance of two bookmarks in seconds: 1.
    public static let minimumDistance = 1.0
    /// The maximum number of bookmarks in a list: 1,000.
    public static let maximumCount = 1_000
    /// The maximum length of a title that is set by ``rename(at:to:)``, in characters: 200.
    public static let maximumTitleLength = 200

    /// The bookmarks, sorted by position.
    public private(set) var bookmarks: [Bookmark] = []

    /// Creates a sorted list of bookmarks, omitting those that cannot be added.
    public init(_ bookmarks: [Bookmark] = []) {
        for bookmark in bookmarks { add(at: bookmark.position, title: bookmark.title) }
    }

    /// Decodes an array of bookmarks.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([Bookmark].self))
    }

    /// Encodes the bookmarks as an array.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bookmarks)
    }

    /// Adds a bookmark, or replaces the title of one that is too close.
    ///
    /// - Returns: The index of the bookmark; `nil` if the position is negative or not finite, or the list is full.
    @discardableResult public mutating func add(at position: Double, title: String? = nil) -> Int? {
        guard position.isFinite, position >= 0 else { return nil }
        if let near = bookmarks.firstIndex(where: { abs($0.position - position) < Self.minimumDistance }) {
            bookmarks[near].title = title ?? bookmarks[near].title
            return near
        }
        guard bookmarks.count < Self.maximumCount else { return nil }
        let index = bookmarks.firstIndex { $0.position > position } ?? bookmarks.count
        bookmarks.insert(Bookmark(position: position, title: title), at: index)
        return index
    }

    /// Changes the title of the bookmark at an index; does nothing if the index is out of range.
    /// - Parameters:
    ///   - index: The index of the bookmark.
    ///   - title: The title, which is cut to ``maximumTitleLength``; `nil` or an empty text removes it.
    public mutating func rename(at index: Int, to title: String?) {
        guard bookmarks.indices.contains(index) else { return }
        let title = title.map { String($0.prefix(Self.maximumTitleLength)) } ?? ""
        bookmarks[index].title = title.isEmpty ? nil : title
    }

    /// Removes and returns the bookmark at an index; returns `nil` if the index is out of range.
    @discardableResult public mutating func remove(at index: Int) -> Bookmark? {
        bookmarks.indices.contains(index) ? bookmarks.remove(at: index) : nil
    }

    /// Returns the first bookmark after `position`; `nil` if there is none.
    public func next(after position: Double) -> Bookmark? { bookmarks.first { $0.position > position } }

    /// Returns the last bookmark more than `grace` seconds (default: 1) before `position`; `nil` if there is none.
    public func previous(before position: Double, grace: Double = 1) -> Bookmark? {
        bookmarks.last { $0.position < position - grace }
    }
}
