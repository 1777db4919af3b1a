public import SyrinxPlayback

/// Formats the texts of bookmarks.
public enum BookmarkText {
    /// Returns the title of a bookmark, or its position if it has none.
    /// - Parameter bookmark: The bookmark.
    /// - Returns: The text.
    public static func title(_ bookmark: Bookmark) -> String {
        bookmark.title ?? "At \(TimeText.clock(bookmark.position))"
    }
}
