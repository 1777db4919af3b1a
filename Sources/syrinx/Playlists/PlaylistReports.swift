import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxStreaming

/// A playlist as it is listed.
struct PlaylistReport: ListedReport, Equatable {
    var name: String
    /// The number of entries, if they were counted.
    @NullEncoded var entries: Int?
    var path: String
    /// The time of the last change, in ISO 8601.
    var changed: String

    init(_ summary: PlaylistShelf.Summary, in shelf: PlaylistShelf) {
        (name, entries) = (summary.name.text, summary.count)
        path = shelf.path(of: summary.name).name
        changed = Date(timeIntervalSince1970: summary.date).ISO8601Format()
    }

    var text: String {
        let count = entries.map { "  (\($0) \($0 == 1 ? "entry" : "entries"))" } ?? ""
        return "\(changed.prefix(10))  \(name)\(count)"
    }
}

/// An entry of a playlist as it is listed.
struct PlaylistEntryReport: ListedReport, Equatable {
    /// The place in the playlist, from 0 on.
    var index: Int
    /// The absolute URL or path, without a password.
    var url: String
    @NullEncoded var title: String?
    /// In seconds, if it is known.
    @NullEncoded var duration: Double?

    init(_ entry: Playlist.Entry, index: Int) {
        let input = ListeningInput(entry)
        (self.index, url, title) = (index, input.absoluteName, entry.title)
        duration = JSONText.seconds(entry.duration)
    }

    var text: String {
        let length = duration.map { "  (\(ClockTime.text($0)))" } ?? ""
        return "\(String(index + 1).leftPadded(to: 3, with: " "))  \(title ?? url)\(length)"
    }
}

extension RemoteQueueEntry {
    /// The entry of a playlist; `nil` for standard input, which cannot be played again.
    var playlistEntry: Playlist.Entry? {
        // The whole text is the path: the part of the file is in separate fields.
        let file = FilePath(location: url).map { ListeningInput(path: $0) }
        guard let input = file ?? ListeningInput(location: url) else { return nil }
        let part = start.map { StreamingInput.Part(start: $0, end: end) }
        let tags = artist.map { ["artist": $0] } ?? [:]
        return Playlist.Entry(url: input.url, title: title, duration: duration, part: part, tags: tags)
    }
}
