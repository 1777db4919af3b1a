import Foundation
import SyrinxByteStream
import SyrinxHTTPStream

/// Decides which locations of a playlist's entries are allowed.
///
/// Rejects local files in playlists from a server, because a server must not make a player read or display private
/// files.
struct PlaylistLocator {
    /// The URL of the list.
    let origin: URL
    /// The format: entries of XSPF are URI references, other entries are paths with any characters.
    let format: Playlist.Format
    /// The encoding of non-UTF-8 names; `nil` for Windows-1252.
    let codePage: CodePage?
    /// Finds the files that names mean; `nil` for a list from a server.
    private let files: NamedFiles?
    /// `origin` without its query, which entries do not inherit.
    private let stem: URL
    private let stemByteCount: Int
    /// The URL text of the folder of the playlist, with a trailing slash, if entries can be appended to it.
    private let folder: String?

    /// - Parameters:
    ///   - namesOneFile: Whether all entries have the same location.
    ///   - disk: Access to the local file system.
    init(
        origin: URL,
        format: Playlist.Format,
        codePage: CodePage? = nil,
        namesOneFile: Bool = false,
        disk: NamedFiles.Disk = .init()
    ) {
        (self.origin, self.format, self.codePage) = (origin, format, codePage)
        files = FilePath(origin).map {
            NamedFiles(of: $0, takesConverted: format == .cue, isOnlyFile: namesOneFile, disk: disk)
        }
        stem = PlainReference.stem(of: origin)
        stemByteCount = stem.absoluteString.utf8.count
        if origin.isFileURL {
            let folder = FilePath(origin)?.folder.standardized
            self.folder = folder.map { $0.url.absoluteString + ($0.bytes.count > 1 ? "/" : "") }
        } else {
            folder = stemByteCount < CompactURL.longestText ? PlainReference.folder(of: stem) : nil
        }
    }

    private static let schemes: Set = ["http", "https", "file"]
    /// Schemes that do not occur at the start of file names, even without a following `//`.
    private static let pathless: Set = ["http", "https", "file", "data"]

    /// Returns the size of an entry's URL and of its base URLs in bytes: a bound for the cost of resolving and storing
    /// it.
    func byteCount(of item: PlaylistItem) -> Int {
        item.bases.reduce(stemByteCount + item.location.utf8.count) { $0 + $1.utf8.count }
    }

    /// The absolute URL of an entry, or `nil` if it may not or cannot be opened, or is too long.
    func location(of item: PlaylistItem) -> CompactURL? {
        guard byteCount(of: item) <= CompactURL.longestText else { return nil }
        return plainText(of: item).map(CompactURL.init(plain:)) ?? url(of: item).map(CompactURL.init)
    }

    /// Returns the URL text of an entry of a common form; `nil` for other entries.
    private func plainText(of item: PlaylistItem) -> String? {
        guard let folder, item.bases.isEmpty, format != .xspf, format != .cue else { return nil }
        let bytes = Array(item.location.utf8)[...]
        if PlainReference.isWeb(bytes, isSecure: true) || PlainReference.isWeb(bytes, isSecure: false) {
            return item.location
        }
        if origin.isFileURL {
            return ByteText.carriesBytes(item.location) ? nil : PlainReference.file(bytes, in: folder)
        }
        return PlainReference.isRelative(bytes) ? folder + item.location : nil
    }

    private func url(of item: PlaylistItem) -> URL? {
        guard let url = absolute(item), let scheme = url.scheme?.lowercased(), Self.schemes.contains(scheme) else {
            return nil
        }
        guard scheme == "file" else { return url.host().map(\.isEmpty) == false ? url : nil }
        guard origin.isFileURL, [nil, "", "localhost"].contains(url.host()), FilePath(url) != nil else { return nil }
        return url
    }

    private func absolute(_ item: PlaylistItem) -> URL? {
        let text = PlaylistText.readable(item.location, codePage)
        let isReference = format == .xspf || !origin.isFileURL
        if isReference ? Self.hasScheme(text) : Self.isURL(text) {
            guard text.lowercased().hasPrefix("file:") else { return URL(fromOutside: text) }
            // The bytes of a path are preserved.
            let url = URL(fromOutside: Self.withSlashBeforeDrive(ByteText.percentEncoded(item.location)))
            guard let files, let url, [nil, "", "localhost"].contains(url.host()), let path = FilePath(url) else {
                return url
            }
            return files.find([path.bytes], otherwise: path.bytes).url
        }
        guard !isReference else {
            let base = item.bases.reduce(stem) { URL(fromOutside: $1, relativeTo: $0)?.absoluteURL ?? $0 }
            // Playlists from servers contain spaces, umlauts and Windows separators in references, too.
            let reference = text.contains("/") ? text : text.replacingOccurrences(of: "\\", with: "/")
            return URL(fromOutside: reference, relativeTo: base)?.absoluteURL
        }
        return files?.find(spellings(of: item, text), otherwise: NamedFiles.withSlashes(Array(text.utf8))).url
    }

    /// Returns the possible spellings of a name: its bytes and its text, with slashes as separators, and without
    /// escapes.
    private func spellings(of item: PlaylistItem, _ text: String) -> [[UInt8]] {
        let bytes = ByteText.bytes(of: item.location)
        // In some encodings, the backslash byte is the second byte of a letter.
        let plain = codePage == nil ? NamedFiles.withSlashes(bytes) : bytes
        let written = NamedFiles.withSlashes(Array(text.utf8))
        let meant =
            text.contains("%") ? text.removingPercentEncoding.map { NamedFiles.withSlashes(Array($0.utf8)) } : nil
        return [plain] + [written, meant].compactMap { $0 }.filter { $0 != plain }
    }

    /// `file://C:/a` is written for `file:///C:/a`.
    private static func withSlashBeforeDrive(_ text: String) -> String {
        let rest = text.dropFirst("file://".count)
        guard text.lowercased().hasPrefix("file://"), NamedFiles.beginsWithDrive(Array(rest.utf8)) else { return text }
        return "file:///" + rest
    }

    /// Whether it is a URL where paths are, too: `Bach:Suite.mp3` is a file.
    private static func isURL(_ text: String) -> Bool {
        guard hasScheme(text), let scheme = URL.scheme(of: text) else { return false }
        return text[scheme.endIndex...].hasPrefix("://") || pathless.contains(scheme.lowercased())
    }

    /// Returns whether a text starts with a scheme of at least two letters; `C:\` does not.
    private static func hasScheme(_ text: String) -> Bool { URL.scheme(of: text).map { $0.count > 1 } ?? false }
}
