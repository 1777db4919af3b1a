import ArgumentParser
import AudioStreaming
import Foundation
import HTTPStream

/// An input on the command line: a path, a `file:`, `http:` or `https:` URL, or `-` for standard input.
struct InputArgument: ExpressibleByArgument, Equatable, Sendable {
    /// Where the bytes are.
    enum Location: Equatable, Sendable {
        /// A file at this path.
        case file(path: String)
        /// A resource on a web server.
        case web(URL)
        /// What is piped into the command.
        case standardInput
    }

    /// Where the bytes are.
    let location: Location
    /// The input as it was written, without any password: what messages and events call it.
    let name: String
    /// What the playlist that names it calls it.
    var title: String?

    /// The schemes that name something else than a file, with their separator.
    private static let webSchemes = ["http://", "https://"]

    /// Reads `argument`, or is `nil` if it is empty or a URL that is malformed or of another scheme.
    init?(argument: String) {
        guard let location = Self.location(of: argument) else { return nil }
        self.location = location
        name = Redaction.redact(argument)
    }

    /// What a playlist names.
    init(_ entry: Playlist.Entry) {
        let url = entry.url
        location = url.isFileURL ? .file(path: url.path(percentEncoded: false)) : .web(url)
        name = Redaction.redact(url.isFileURL ? url.path(percentEncoded: false) : url.absoluteString)
        title = entry.title
    }

    /// Where it is; standard input is told as the file that it is.
    var url: URL {
        switch location {
        case .file(let path): URL(fileURLWithPath: path)
        case .web(let url): url
        case .standardInput: URL(fileURLWithPath: "/dev/stdin")
        }
    }

    /// Whether the ending of its name says that it is a playlist.
    var isPlaylist: Bool { !isStandardInput && Playlist.Format(endingOf: url) != nil }

    /// Whether the input is standard input.
    var isStandardInput: Bool { location == .standardInput }

    /// Whether the input lies on a server.
    var isWeb: Bool {
        if case .web = location { true } else { false }
    }

    private static func location(of argument: String) -> Location? {
        if argument.isEmpty { return nil }
        if argument == "-" { return .standardInput }
        let lowercased = argument.lowercased()
        if webSchemes.contains(where: lowercased.hasPrefix) {
            guard let url = URL(fromOutside: argument), let host = url.host(), !host.isEmpty else { return nil }
            return .web(url)
        }
        if lowercased.hasPrefix("file:") {
            guard let url = URL(fromOutside: argument), url.isFileURL, !url.path.isEmpty else { return nil }
            guard url.host() == nil || url.host() == "" || url.host() == "localhost" else { return nil }
            return .file(path: url.path(percentEncoded: false))
        }
        return hasScheme(argument) ? nil : .file(path: argument)
    }

    /// Whether the text begins like a URL: a letter, then letters, digits, `+`, `-` or `.`, then `://` (RFC 3986, 3.1).
    private static func hasScheme(_ text: String) -> Bool {
        guard let mark = text.firstRange(of: "://") else { return false }
        let scheme = text[..<mark.lowerBound]
        guard let first = scheme.first, first.isASCII, first.isLetter else { return false }
        return scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }
}
