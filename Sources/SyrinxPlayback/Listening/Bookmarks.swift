/// A marked moment of a recording.
public struct Bookmark: Sendable, Equatable, Codable {
    /// Seconds from the start of the recording.
    public var position: Double
    /// The words of the listener, if there are any.
    public var title: String?

    /// A mark at `position`.
    public init(position: Double, title: String? = nil) {
        self.position = position
        self.title = title
    }
}

/// The bookmarks of one recording, by position.
///
/// Two marks are at least ``minimumDistance`` apart: the title of a second one there replaces that of the first.
public struct BookmarkList: Sendable, Equatable, Codable {
    /// The least distance of two marks in seconds: 1.
    public static let minimumDistance = 1.0
    /// The number of marks in a list: 1,000.
    public static let maximumCount = 1_000

    /// The marks by position.
    public private(set) var bookmarks: [Bookmark] = []

    /// A list of these marks, put in order; what does not fit is left out.
    public init(_ bookmarks: [Bookmark] = []) {
        for bookmark in bookmarks { add(at: bookmark.position, title: bookmark.title) }
    }

    /// Reads a list of marks.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([Bookmark].self))
    }

    /// Writes the marks as a list.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bookmarks)
    }

    /// Adds a mark; one that is too near takes the title.
    ///
    /// - Returns: The index of the mark; `nil` for a position that is negative or not finite, and in a full list.
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

    /// Removes the mark at this index; an index outside of the list removes nothing.
    @discardableResult public mutating func remove(at index: Int) -> Bookmark? {
        bookmarks.indices.contains(index) ? bookmarks.remove(at: index) : nil
    }

    /// The first mark after `position`.
    public func next(after position: Double) -> Bookmark? { bookmarks.first { $0.position > position } }

    /// The last mark that lies more than `grace` seconds before `position`; default: 1.
    public func previous(before position: Double, grace: Double = 1) -> Bookmark? {
        bookmarks.last { $0.position < position - grace }
    }
}
