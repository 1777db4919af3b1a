import Foundation
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxMediaCodec
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
    static func ending(_ url: URL) -> String {
        FilePath(location: url.absoluteString)?.pathExtension ?? url.pathExtension.lowercased()
    }

    private static func name(_ url: URL) -> String {
        if let path = FilePath(location: url.absoluteString) { return path.displayName }
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
        if text.hasPrefix("/") { return FilePath(location: text)?.url }
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
        guard let path = FilePath(location: url.absoluteString), path.status != nil else {
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

    private static func addFolder(_ folder: FilePath, to found: inout Found) {
        let files = recordings(in: folder)
        let sorted = files.map { (path: $0, text: String(decoding: $0.bytes, as: UTF8.self)) }.sorted {
            $0.text.compare($1.text, options: [.numeric, .caseInsensitive]) == .orderedAscending
        }
        found.tracks += sorted.map { Track($0.path.url) }
        if files.isEmpty { found.warnings.append("There is no recording in the folder “\(folder.displayName)”.") }
    }

    /// Finds recordings in a folder and the folders in it, without hidden ones.
    ///
    /// Symbolic links to folders are not followed.
    private static func recordings(in folder: FilePath) -> [FilePath] {
        var found: [FilePath] = []
        var waiting = [folder]
        while let folder = waiting.popLast(), found.count < maximumCount {
            for member in folder.members() ?? [] {
                let path = folder.appending(member.name)
                var status = stat()
                let isFolder = path.withCString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
                let kind = DropList.kind(ofEnding: path.pathExtension)
                if isFolder {
                    waiting.append(path)
                } else if found.count < maximumCount, kind == .audio || kind == .video, !path.isFolder {
                    found.append(path)
                }
            }
        }
        return found
    }

    private static func addPlaylist(_ url: URL, _ path: FilePath, to found: inout Found) {
        do {
            let bytes = try FileByteStream(path: path).readAll(limit: maximumPlaylistSize)
            let list = try Playlist(Data(bytes), from: url)
            found.tracks += list.entries.map { Track($0.url, title: $0.title, part: $0.part) }
            if list.refusedCount > 0 {
                found.warnings.append("\(list.refusedCount) entries of the playlist were left out.")
            }
        } catch {
            // The index of an HTTP live stream is played by itself.
            if error.code == .unsupported { return found.tracks.append(Track(url)) }
            let isTooLarge = error.code == .tooLarge
            let reason = isTooLarge ? "is too large" : "could not be read"
            found.warnings.append("The playlist “\(path.displayName)” \(reason).")
        }
    }
}
