import AudioStreaming
import ByteStream
import DesktopModel
import Foundation

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

    /// The URL of the recording.
    var url: URL? { input.url }

    private static func name(_ url: URL) -> String {
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
        if text.hasPrefix("/") { return URL(fileURLWithPath: text) }
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
        guard url.isFileURL else {
            found.tracks.append(Track(url))
            return
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            // The player says what is wrong.
            found.tracks.append(Track(url))
            return
        }
        if isFolder.boolValue {
            addFolder(url, to: &found)
        } else if Playlist.Format(endingOf: url) != nil {
            addPlaylist(url, to: &found)
        } else {
            found.tracks.append(Track(url))
        }
    }

    private static func addFolder(_ folder: URL, to found: inout Found) {
        let files = FileManager.default.enumerator(
            at: folder,
            includingPropertiesForKeys: nil,
            options: [.skipsHiddenFiles]
        )
        var urls: [URL] = []
        while let url = files?.nextObject() as? URL, urls.count < maximumCount {
            let kind = DropList.kind(ofEnding: url.pathExtension.lowercased())
            if kind == .audio || kind == .video { urls.append(url) }
        }
        let sorted = urls.sorted {
            $0.path.compare($1.path, options: [.numeric, .caseInsensitive]) == .orderedAscending
        }
        found.tracks += sorted.map { Track($0) }
        if urls.isEmpty { found.warnings.append("There is no recording in the folder “\(folder.lastPathComponent)”.") }
    }

    private static func addPlaylist(_ url: URL, to found: inout Found) {
        do {
            let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
            guard size <= maximumPlaylistSize else {
                found.warnings.append("The playlist “\(url.lastPathComponent)” is too large.")
                return
            }
            let list = try Playlist(Data(contentsOf: url), from: url)
            found.tracks += list.entries.map { Track($0.url, title: $0.title, part: $0.part) }
            if list.refusedCount > 0 {
                found.warnings.append("\(list.refusedCount) entries of the playlist were left out.")
            }
        } catch {
            found.warnings.append("The playlist “\(url.lastPathComponent)” could not be read.")
        }
    }
}
