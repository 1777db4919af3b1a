import Foundation
import SyrinxByteStream
import SyrinxHTTPStream

/// Decides what an entry of a list may lead to.
///
/// Nothing that came from a server leads to a file here: it could make a player send or show what is the user's alone.
struct PlaylistLocator {
    /// The URL of the list.
    let origin: URL
    /// The format: entries of XSPF are URI references, others paths with any characters.
    let format: Playlist.Format
    /// Whether there is a file at a path.
    let exists: (FilePath) -> Bool
    /// `origin` without its query, which no entry takes over.
    private let stem: URL
    private let stemByteCount: Int
    /// The text of the URL of the folder that the list lies in, with a slash at its end, if it may be put before an entry.
    private let folder: String?

    /// - Parameter exists: Whether there is a file at a path.
    init(origin: URL, format: Playlist.Format, exists: @escaping (FilePath) -> Bool = { $0.status != nil }) {
        (self.origin, self.format, self.exists) = (origin, format, exists)
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
    /// Schemes that no file name is taken to begin with, even without a following `//`.
    private static let pathless: Set = ["http", "https", "file", "data"]
    /// Extensions that a file named by a CUE sheet may have been converted to.
    private static let successors = ["flac", "wav", "ape", "wv", "m4a", "mp3", "ogg", "opus", "tta", "aiff"]

    /// The bytes of an entry's URL and of those that it is relative to: a bound of what it takes to find its absolute URL, and to hold that.
    func byteCount(of item: PlaylistItem) -> Int {
        item.bases.reduce(stemByteCount + item.location.utf8.count) { $0 + $1.utf8.count }
    }

    /// The absolute URL of an entry, or `nil` if it may not or cannot be opened, or is too long.
    func location(of item: PlaylistItem) -> CompactURL? {
        guard byteCount(of: item) <= CompactURL.longestText else { return nil }
        return plainText(of: item).map(CompactURL.init(plain:)) ?? url(of: item).map(CompactURL.init)
    }

    /// The text of the URL of an entry of a common form; `nil` for others.
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
        let text = PlaylistText.readable(item.location)
        let isReference = format == .xspf || !origin.isFileURL
        if isReference ? Self.hasScheme(text) : Self.isURL(text) {
            // The bytes of a path stay what they are.
            return URL(
                fromOutside: text.lowercased().hasPrefix("file:") ? ByteText.percentEncoded(item.location) : text
            )
        }
        guard !isReference else {
            let base = item.bases.reduce(stem) { URL(fromOutside: $1, relativeTo: $0)?.absoluteURL ?? $0 }
            // A server's lists, too, have spaces and umlauts in what should be references.
            return URL(fromOutside: text, relativeTo: base)?.absoluteURL
        }
        return path(ByteText.bytes(of: item.location), text)?.url
    }

    /// The file that a path names, which may not be UTF-8: then it is one of those bytes, or else of what they mean as text.
    private func path(_ bytes: [UInt8], _ text: String) -> FilePath? {
        guard let folder = FilePath(origin)?.folder else { return nil }
        let named = [bytes, Array(text.utf8)].map { folder.appending(Self.withSlashes($0)).standardized }
        guard named[0] != named[1] || format == .cue else { return named[0] }
        if let found = named.first(where: exists) { return found }
        return format == .cue ? successor(of: named[1]) : named[1]
    }

    private func successor(of path: FilePath) -> FilePath {
        let stem = path.folder.appending(Array(path.stem))
        let others = Self.successors.map { FilePath(bytes: stem.bytes + Array(".\($0)".utf8)) }
        return others.first(where: exists) ?? path
    }

    /// The path with the slashes of this system, if it has those of Windows only.
    private static func withSlashes(_ path: [UInt8]) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        return path.contains(slash) ? path : path.map { $0 == UInt8(ascii: "\\") ? slash : $0 }
    }

    /// Whether it is a URL where paths are, too: `Bach:Suite.mp3` is a file.
    private static func isURL(_ text: String) -> Bool {
        guard hasScheme(text), let scheme = URL.scheme(of: text) else { return false }
        return text[scheme.endIndex...].hasPrefix("://") || pathless.contains(scheme.lowercased())
    }

    /// Whether it begins with a scheme: of two letters or more, because `C:\` is none.
    private static func hasScheme(_ text: String) -> Bool { URL.scheme(of: text).map { $0.count > 1 } ?? false }
}
