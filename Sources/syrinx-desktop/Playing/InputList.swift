import Foundation
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxStreaming

/// A recording of the queue.
struct Track: Sendable, Equatable {
    /// The recording, or a part of it.
    var input: StreamingInput
    /// The title, until the recording's own is known.
    var title: String
    /// The number in the library of podcasts, if it is an episode.
    var episode: Int64?

    /// A track of a URL.
    init(_ url: URL, title: String? = nil, part: StreamingInput.Part? = nil) {
        input = part.map { .part($0, of: url) } ?? .url(url)
        self.title = title ?? Self.name(url)
    }

    /// The URL of the recording without a user and password, to be shown and stored; `input` has them.
    var url: URL? { input.url.flatMap { $0.user == nil ? $0 : URL(string: Redaction.redact($0)) } }

    /// Whether the track is a whole recording.
    var isWhole: Bool { if case .url = input { true } else { false } }

    /// The ending of the name of what a URL stands for, in small letters.
    static func ending(_ url: URL) -> String { LocalPath(url)?.ending ?? url.pathExtension.lowercased() }

    private static func name(_ url: URL) -> String {
        if let path = LocalPath(url) { return path.name }
        let last = url.lastPathComponent
        return last.isEmpty || last == "/" ? url.host ?? url.absoluteString : last
    }
}

/// Finds the recordings that files, folders, playlists and addresses stand for.
///
/// Called off the main thread: it reads the disk.
enum InputList {
    /// The number of recordings that are taken from one folder at most.
    private static let maximumCount = 10_000
    /// The bytes of a playlist file at most.
    private static let maximumPlaylistSize = 16 << 20

    /// The result of a search.
    struct Found: Sendable {
        /// The recordings, in order.
        var tracks: [Track] = []
        /// Sentences about what was left out.
        var warnings: [String] = []
    }

    /// Returns the URL that a person's text stands for: an address, or a path.
    static func url(_ text: String) -> URL? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { return nil }
        if text.hasPrefix("/") { return LocalPath(text)?.fileURL }
        if let url = URL(string: text), let scheme = url.scheme?.lowercased() {
            return ["http", "https", "file"].contains(scheme) ? url : nil
        }
        // A host without a scheme, as browsers take it.
        guard text.contains("."), !text.contains(" "), let url = URL(string: "https://\(text)") else { return nil }
        return url.host == nil ? nil : url
    }

    /// Finds the recordings of some URLs.
    static func find(_ urls: [URL]) -> Found {
        var found = Found()
        for url in urls { add(url, to: &found) }
        return found
    }

    private static func add(_ url: URL, to found: inout Found) {
        // What is not there is opened too: the player says what is wrong.
        guard let path = LocalPath(url), path.exists else {
            found.tracks.append(Track(url))
            return
        }
        if path.isFolder {
            addFolder(path, to: &found)
        } else if Playlist.Format(endingOf: url) != nil {
            addPlaylist(url, path, to: &found)
        } else {
            found.tracks.append(Track(url))
        }
    }

    private static func addFolder(_ folder: LocalPath, to found: inout Found) {
        let files = folder.files(limit: maximumCount) {
            let kind = DropList.kind(ofEnding: $0.ending)
            return kind == .audio || kind == .video
        }
        let sorted = files.map { (path: $0, text: $0.display) }.sorted {
            $0.text.compare($1.text, options: [.numeric, .caseInsensitive]) == .orderedAscending
        }
        found.tracks += sorted.map { Track($0.path.fileURL) }
        if files.isEmpty { found.warnings.append("There is no recording in the folder “\(folder.name)”.") }
    }

    private static func addPlaylist(_ url: URL, _ path: LocalPath, to found: inout Found) {
        do {
            guard let data = path.read(limit: maximumPlaylistSize) else {
                found.warnings.append("The playlist “\(path.name)” could not be read.")
                return
            }
            guard data.count <= maximumPlaylistSize else {
                found.warnings.append("The playlist “\(path.name)” is too large.")
                return
            }
            let list = try Playlist(data, from: url)
            found.tracks += list.entries.map { Track($0.url, title: $0.title, part: $0.part) }
            if list.refusedCount > 0 {
                found.warnings.append("\(list.refusedCount) entries of the playlist were left out.")
            }
        } catch {
            found.warnings.append("The playlist “\(path.name)” could not be read.")
        }
    }
}
