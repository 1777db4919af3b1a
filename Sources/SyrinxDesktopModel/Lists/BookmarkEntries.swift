import SyrinxListening
package import SyrinxPlayback

/// The bookmarks of all recordings, in the order of a list.
package struct BookmarkEntries: Equatable, Sendable {
    /// A bookmark with its recording.
    package struct Entry: Equatable, Sendable {
        /// The address of the recording, which may contain a password.
        package let item: String
        /// The name of the recording.
        package let recording: String
        package let bookmark: Bookmark
        /// The name of the bookmark and that of the recording.
        package let text: String
    }

    /// The maximum number of entries: each is a row of a list that is made at once.
    package static let maximumCount = 500

    /// The bookmarks, at most ``maximumCount``: those of the recording that was changed last first, each recording's in the order of their times.
    package let entries: [Entry]

    /// Lists the bookmarks of recordings.
    package init(_ recordings: [RecordingBookmarks]) {
        let all = recordings.lazy.flatMap { recording in
            let title = recording.title.flatMap { $0.isEmpty ? nil : $0 }
            let name = title ?? ListeningInput(location: recording.item)?.shortName ?? "Recording"
            return recording.bookmarks.bookmarks.map { bookmark in
                let text = bookmark.title.map { "\($0) – \(name)" } ?? name
                return Entry(item: recording.item, recording: name, bookmark: bookmark, text: text)
            }
        }
        entries = Array(all.prefix(Self.maximumCount))
    }
}
