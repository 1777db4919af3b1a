import Foundation
import HTTPStream

/// Decides what an entry of a list may lead to.
///
/// Nothing that came from a server leads to a file here: it could make a player send or show what is the user's alone.
struct PlaylistLocator {
    /// Where the list came from.
    let base: URL
    /// Whether entries are URI references, as XSPF has them, and not paths with anything in them.
    let isURIReference: Bool

    private static let schemes: Set = ["http", "https", "file"]
    /// What no file's name is taken to begin with, though no `//` follows.
    private static let pathless: Set = ["http", "https", "file", "data"]

    /// The absolute URL of an entry, or `nil` if it may not or cannot be opened.
    func url(for location: String) -> URL? {
        guard let url = absolute(location), let scheme = url.scheme?.lowercased(), Self.schemes.contains(scheme) else {
            return nil
        }
        guard scheme == "file" else { return url.host().map(\.isEmpty) == false ? url : nil }
        return base.isFileURL && [nil, "", "localhost"].contains(url.host()) ? url : nil
    }

    private func absolute(_ location: String) -> URL? {
        let isReference = isURIReference || !base.isFileURL
        if isReference ? Self.hasScheme(location) : Self.isURL(location) { return URL(fromOutside: location) }
        if isReference {
            // A server's lists, too, have spaces and umlauts in what should be references.
            return URL(fromOutside: location, relativeTo: base)?.absoluteURL
        }
        let path = location.contains("/") ? location : location.replacing("\\", with: "/")
        // Its first part is not to be taken for a scheme.
        let plain = path.contains(":") && !path.hasPrefix("/") ? "./" + path : path
        return URL(fileURLWithPath: plain, relativeTo: base.deletingLastPathComponent()).absoluteURL
    }

    /// Whether it is a URL where paths are, too: `Bach:Suite.mp3` is a file.
    private static func isURL(_ text: String) -> Bool {
        guard hasScheme(text), let colon = text.firstIndex(of: ":") else { return false }
        return text[colon...].hasPrefix("://") || pathless.contains(text[..<colon].lowercased())
    }

    /// Whether it begins with a scheme: of two letters or more, because `C:\` is none (RFC 3986, 3.1).
    private static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":") else { return false }
        let scheme = text[..<colon]
        guard scheme.count > 1, let first = scheme.first, first.isASCII, first.isLetter else { return false }
        return scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }
}
