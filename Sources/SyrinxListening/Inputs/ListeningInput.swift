package import Foundation
package import SyrinxByteStream
import SyrinxHTTPStream
package import SyrinxStreaming

/// An input of a player: a path, a `file:`, `http:` or `https:` URL, or `-` for standard input.
///
/// An input from a playlist has the title, tags and part that the playlist states.
package struct ListeningInput: Equatable, Sendable {
    /// The location of an input.
    package enum Location: Equatable, Sendable {
        /// A file at this path.
        case file(path: FilePath)
        /// A resource on a web server.
        case web(CompactURL)
        /// Standard input.
        case standardInput
    }

    /// The location of the input.
    package let location: Location
    /// The input as the user wrote it, without passwords; `nil` if it equals the name of the location.
    private let writtenName: String?
    /// Whether the input is a folder.
    package private(set) var isFolder = false
    /// Whether the input is an HTTP live stream according to its content, although its name is that of a playlist.
    private(set) var isPresentation = false
    /// The properties from a playlist, in an object of their own, so that long queues use little memory.
    private var origin: Origin?

    /// The properties of an entry of a playlist.
    private final class Origin: Equatable, Sendable {
        let part: StreamingInput.Part?
        let tags: [String: String]
        let title: String?
        let duration: Double?
        let lists: [String]
        let keepsTitle: Bool

        init(
            part: StreamingInput.Part? = nil,
            tags: [String: String] = [:],
            title: String? = nil,
            duration: Double? = nil,
            lists: [String] = [],
            keepsTitle: Bool = false
        ) {
            (self.part, self.tags, self.title, self.duration) = (part, tags, title, duration)
            (self.lists, self.keepsTitle) = (lists, keepsTitle)
        }

        static func == (a: Origin, b: Origin) -> Bool {
            a === b
                || (a.part, a.title, a.duration, a.lists, a.keepsTitle)
                    == (b.part, b.title, b.duration, b.lists, b.keepsTitle) && a.tags == b.tags
        }
    }

    /// The part of the resource; `nil` for the whole resource.
    package var part: StreamingInput.Part? { origin?.part }
    /// The tags that the playlist provides, apart from the title.
    package var tags: [String: String] { origin?.tags ?? [:] }
    /// The title that the playlist provides.
    package var title: String? { origin?.title }
    /// Whether the title takes precedence over that in the file's tags, as the title from a podcast's feed does.
    package var keepsTitle: Bool { origin?.keepsTitle ?? false }
    /// The duration in seconds that the playlist or the feed states, or that of the part.
    package var duration: Double? { origin?.duration }
    /// The playlists and folders that contain the input, the outermost first.
    private var lists: [String] { origin?.lists ?? [] }

    /// The schemes of web URLs, with their separator.
    private static let webSchemes = ["http://", "https://"]

    /// The error message for an invalid input.
    package static let refusal = "this is not an address: it has to be a path, or begin with https:, http: or file:"

    /// Creates an input from an argument; returns `nil` for an empty text, a malformed URL and another scheme.
    package init?(argument: String) {
        guard let location = Self.location(of: argument) else { return nil }
        self.location = location
        // Encoded bytes cannot be printed in a path; in a URL they are escapes.
        let plain = ByteText.percentEncoded(argument)
        if case .file(let path) = location {
            writtenName = plain == argument ? Redaction.redact(name: argument) : path.name
            isFolder = path.isFolder
        } else {
            writtenName = Redaction.redact(name: plain)
        }
    }

    /// Creates an input from a path or URL that a person typed; returns `nil` if it is neither, or standard input.
    ///
    /// `~/` is the folder in `HOME`.
    init?(typed text: String) {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        self.init(argument: text.hasPrefix("~/") && !home.isEmpty ? home + text.dropFirst() : text)
        if isStandardInput { return nil }
    }

    /// The placeholder for the input of a player without an input.
    package static let nothing = ListeningInput(unnamed: "Nothing is playing")

    private init(unnamed text: String) {
        location = .file(path: FilePath(""))
        writtenName = text
    }

    /// Creates the input for a file or a folder, with its path as the name.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - isFolder: Whether it is known to be a folder.
    package init(path: FilePath, isFolder: Bool = false) {
        location = .file(path: path)
        writtenName = nil
        self.isFolder = isFolder
    }

    /// Creates the input for an absolute path or a URL from another program or a stored list.
    ///
    /// The name of a file is always its path, never its URL. A media fragment at the end of a URL (`#t=60.5,90`)
    /// selects a part, as in `identity`. Returns `nil` for a relative path, standard input, a malformed URL and another
    /// scheme.
    package init?(location text: String) {
        let (text, part) = MediaFragment.split(text)
        if let path = FilePath(location: text) {
            self.init(path: path, isFolder: path.isFolder)
        } else {
            self.init(argument: text)
            guard isWeb else { return nil }
        }
        if let part { origin = Origin(part: part, duration: part.end.map { $0 - part.start }) }
    }

    /// Creates an input from an entry of a playlist.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - lists: The playlists and folders that contain the entry, the outermost first.
    package init(_ entry: Playlist.Entry, lists: [String] = []) {
        if let path = FilePath(entry.url) {
            location = .file(path: path)
            isFolder = path.isFolder
        } else {
            location = .web(entry.location)
        }
        writtenName = nil
        let length = entry.part.flatMap { part in part.end.map { $0 - part.start } } ?? entry.duration
        let duration = length.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        origin = Origin(part: entry.part, tags: entry.tags, title: entry.title, duration: duration, lists: lists)
    }

    /// The name of the input in messages and events, without passwords: as the user wrote it, or its path or URL.
    ///
    /// For a path that is not UTF-8, it is the `file:` URL.
    package var name: String {
        if let writtenName { return writtenName }
        return switch location {
        case .file(let path): Redaction.redact(name: path.name)
        case .web(let location): Redaction.redact(name: location.text)
        case .standardInput: "-"
        }
    }

    /// The name without the folder or the host, for lists and titles; never percent-encoded.
    ///
    /// Bytes that are not UTF-8 are replaced with U+FFFD.
    package var shortName: String {
        switch location {
        case .standardInput: return "standard input"
        case .file(let path):
            // A name never includes a possible password.
            guard self != .nothing, Redaction.redact(name: path.name) == path.name else {
                return lastPart(of: name[...])
            }
            return path.displayName
        case .web:
            let last = lastPart(of: name.prefix { $0 != "?" && $0 != "#" })
            return last.removingPercentEncoding ?? last
        }
    }

    private func lastPart(of path: Substring) -> String {
        guard let last = path.split(separator: "/").last, !last.hasSuffix(":") else { return name }
        return String(last)
    }

    /// The identifier under which positions are stored; `nil` for standard input.
    ///
    /// Unlike the name, it includes a password in the URL, so that `init(location:)` can open the input again. For a
    /// part of a file, such as a track of a CUE sheet, it is the URL of the file with a media fragment.
    package var identity: String? {
        guard !isStandardInput, self != .nothing else { return nil }
        let whole =
            if case .file(let path) = location { path.standardized.url.absoluteString } else { url.absoluteString }
        return MediaFragment.location(of: part, in: whole)
    }

    /// The identifier that earlier versions of the desktop app used for positions and bookmarks; `nil` if it equals
    /// `identity`.
    package var formerIdentity: String? {
        guard !isStandardInput, part == nil, self != .nothing else { return nil }
        let former = Redaction.redact(url)
        return former == identity ? nil : former
    }

    /// The path of the file; `nil` if the input is not a file, or is a list.
    package var file: FilePath? {
        guard case .file(let path) = location, !isList, self != .nothing else { return nil }
        return path
    }

    /// The URL; for standard input, that of its device file.
    package var url: URL {
        switch location {
        case .file(let path): path.url
        case .web(let location): location.url
        case .standardInput: URL(fileURLWithPath: "/dev/stdin")
        }
    }

    /// The name for other programs, without passwords; for a file, its absolute path.
    package var absoluteName: String {
        guard case .file(let path) = location, self != .nothing else { return name }
        return Redaction.redact(name: path.absolute.name)
    }

    /// The URL for other programs, without passwords; for a file, it is absolute.
    package var shownURL: String {
        guard case .file(let path) = location, self != .nothing else { return isWeb ? name : url.absoluteString }
        let (exact, shown) = (path.absolute.name, Redaction.redact(name: path.absolute.name))
        return exact == shown ? path.url.absoluteString : FilePath(shown).url.absoluteString
    }

    /// The input for a streamer.
    package var streamingInput: StreamingInput {
        if isStandardInput { return .standardInput }
        return part.map { .part($0, of: url) } ?? .url(url)
    }

    /// Whether the file name extension is that of a playlist.
    ///
    /// False for `.m3u8`, which is usually an HTTP live stream: only the content shows it.
    package var isPlaylist: Bool {
        guard !isPresentation, let listFormat else { return false }
        return listFormat != .m3u8
    }

    /// Whether the input may be a list of other inputs, according to its name.
    package var mayBeList: Bool { isFolder || listFormat != nil }

    /// The playlist format of the file name extension.
    private var listFormat: Playlist.Format? {
        switch location {
        // Do not create a URL, because this is called for every file of a long queue.
        case .file(let path): Playlist.Format(rawValue: path.pathExtension)
        case .web: Playlist.Format(endingOf: url)
        case .standardInput: nil
        }
    }

    /// Whether the input is a playlist or a folder.
    package var isList: Bool { isFolder || isPlaylist }

    /// Whether the input is standard input.
    package var isStandardInput: Bool { location == .standardInput }

    /// Whether the input is on a server.
    package var isWeb: Bool {
        if case .web = location { true } else { false }
    }

    /// The lists that contain the entries of this list; `nil` if the list contains itself.
    package var listsBeneath: [String]? {
        let own: String
        if case .file(let path) = location {
            // A file may have several names.
            own = path.status.map { "\($0.st_dev) \($0.st_ino)" } ?? path.standardized.name
        } else {
            own = url.absoluteString
        }
        return lists.contains(own) ? nil : lists + [own]
    }

    /// Returns the input with the title that a podcast's feed states.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - duration: The duration in seconds; `nil` if it is unknown.
    package func titled(_ title: String, duration: Double? = nil) -> ListeningInput {
        var input = self
        input.origin = Origin(
            part: part,
            tags: tags,
            title: title,
            duration: duration ?? self.duration,
            lists: lists,
            keepsTitle: true
        )
        return input
    }

    /// The identifier and the title for a stored queue; `nil` for standard input.
    ///
    /// The title is stored only for a part, because that of a whole file is in its tags.
    package var keptInSession: (address: String, title: String?)? {
        identity.map { ($0, part == nil ? nil : title) }
    }

    /// Returns the input with a title from a stored queue; unchanged if `title` is `nil`.
    package func retitled(_ title: String?) -> ListeningInput {
        guard let title else { return self }
        var input = self
        input.origin = Origin(part: part, tags: tags, title: title, duration: duration, lists: lists)
        return input
    }

    /// Returns the input as an entry of a folder.
    ///
    /// - Parameter lists: The lists that contain the folder, and the folder.
    package func named(by lists: [String]) -> ListeningInput {
        var input = self
        input.origin = Origin(
            part: part,
            tags: tags,
            title: title,
            duration: duration,
            lists: lists,
            keepsTitle: keepsTitle
        )
        return input
    }

    /// The input as an HTTP live stream; `nil` if it already is one.
    package var asPresentation: ListeningInput? {
        guard !isPresentation else { return nil }
        var input = self
        input.isPresentation = true
        return input
    }

    private static func location(of argument: String) -> Location? {
        if argument.isEmpty { return nil }
        if argument == "-" { return .standardInput }
        let lowercased = argument.lowercased()
        if webSchemes.contains(where: lowercased.hasPrefix) {
            guard let url = URL(fromOutside: ByteText.percentEncoded(argument)), let host = url.host(), !host.isEmpty
            else { return nil }
            return .web(CompactURL(url))
        }
        if lowercased.hasPrefix("file:") {
            guard let url = URL(fromOutside: ByteText.percentEncoded(argument)), let path = FilePath(url),
                [nil, "", "localhost"].contains(url.host())
            else { return nil }
            return .file(path: path)
        }
        return hasScheme(argument) ? nil : .file(path: FilePath(bytes: ByteText.bytes(of: argument)))
    }

    /// Returns whether the text starts with a scheme and `://`.
    private static func hasScheme(_ text: String) -> Bool {
        URL.scheme(of: text).map { text[$0.endIndex...].hasPrefix("://") } ?? false
    }
}
