package import Foundation
package import SyrinxByteStream
import SyrinxHTTPStream
package import SyrinxStreaming

/// An input of a player: a path, a `file:`, `http:` or `https:` URL, or `-` for standard input.
///
/// A value. One of a playlist has the title, tags and part that the playlist states.
package struct ListeningInput: Equatable, Sendable {
    /// The place of the bytes.
    package enum Location: Equatable, Sendable {
        /// A file at this path.
        case file(path: FilePath)
        /// A resource on a web server.
        case web(CompactURL)
        /// Standard input.
        case standardInput
    }

    /// The place of the bytes.
    package let location: Location
    /// The input as it was written, without any password; `nil` if that is the name of the location.
    private let writtenName: String?
    /// Whether it is a folder.
    package private(set) var isFolder = false
    /// Whether its content shows that it is a presentation of HTTP Live Streaming, though it is called a playlist.
    private(set) var isPresentation = false
    /// Kept aside, so that a queue of many entries is small.
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

    /// The part of it that is meant; `nil` for all.
    package var part: StreamingInput.Part? { origin?.part }
    /// The tags that the playlist provides, beside its title.
    package var tags: [String: String] { origin?.tags ?? [:] }
    /// The title that the playlist provides.
    package var title: String? { origin?.title }
    /// Whether the title is preferred to one in the file's own tags, as that of a podcast's feed is.
    package var keepsTitle: Bool { origin?.keepsTitle ?? false }
    /// The length in seconds that the playlist or the feed provides, or that of the part.
    package var duration: Double? { origin?.duration }
    /// The playlists and folders that led to it, the outermost first.
    private var lists: [String] { origin?.lists ?? [] }

    /// The schemes that name something else than a file, with their separator.
    private static let webSchemes = ["http://", "https://"]

    /// The message for a text that names no input.
    package static let refusal = "this is not an address: it has to be a path, or begin with https:, http: or file:"

    /// Reads `argument`, or is `nil` if it is empty or a URL that is malformed or of another scheme.
    package init?(argument: String) {
        guard let location = Self.location(of: argument) else { return nil }
        self.location = location
        // Of a path what carries bytes cannot be printed; of a URL it is an escape.
        let plain = ByteText.percentEncoded(argument)
        if case .file(let path) = location {
            writtenName = plain == argument ? Redaction.redact(name: argument) : path.name
            isFolder = path.isFolder
        } else {
            writtenName = Redaction.redact(name: plain)
        }
    }

    /// Stands for the input of a player that has none.
    package static let nothing = ListeningInput(unnamed: "Nothing is playing")

    private init(unnamed text: String) {
        location = .file(path: FilePath(""))
        writtenName = text
    }

    /// Creates the input of a file or a folder, which is called by its path.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - isFolder: Whether it is known to be a folder.
    package init(path: FilePath, isFolder: Bool = false) {
        location = .file(path: path)
        writtenName = nil
        self.isFolder = isFolder
    }

    /// Creates the input of an absolute path or a URL, by which other programs and stored lists name it.
    ///
    /// Unlike that of an argument, the name of a file is always its path, never its URL. A media fragment at the end of a URL
    /// (`#t=60.5,90`) means a part, as in `identity`. The initializer returns `nil` for a relative path, standard input and a URL that
    /// is malformed or of another scheme.
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
    ///   - lists: The playlists and folders that led to it, the outermost first.
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

    /// The name of the input in messages and events, without any password: as it was written, or its path or URL.
    ///
    /// A path that is not UTF-8 is called by its `file:` URL.
    package var name: String {
        if let writtenName { return writtenName }
        return switch location {
        case .file(let path): Redaction.redact(name: path.name)
        case .web(let location): Redaction.redact(name: location.text)
        case .standardInput: "-"
        }
    }

    /// The name without the folder or the host, for lists and titles: as the file is called, never percent-encoded.
    ///
    /// Bytes that are not UTF-8 are shown as U+FFFD.
    package var shortName: String {
        switch location {
        case .standardInput: return "standard input"
        case .file(let path):
            // What may be a password is in no name.
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

    /// The location under which positions are kept; `nil` for standard input.
    ///
    /// Unlike the name it holds a password, if there is one: `init(location:)` opens the input again by it. A part of a file, such as a
    /// track of a CUE sheet, has the location of the file with a media fragment.
    package var identity: String? {
        guard !isStandardInput, self != .nothing else { return nil }
        let whole =
            if case .file(let path) = location { path.standardized.url.absoluteString } else { url.absoluteString }
        return MediaFragment.location(of: part, in: whole)
    }

    /// The location under which the window kept positions and bookmarks before it used `identity`; `nil` if that is the same.
    package var formerIdentity: String? {
        guard !isStandardInput, part == nil, self != .nothing else { return nil }
        let former = Redaction.redact(url)
        return former == identity ? nil : former
    }

    /// The path of the file, if the input is one or a part of one, and no list of others.
    package var file: FilePath? {
        guard case .file(let path) = location, !isList, self != .nothing else { return nil }
        return path
    }

    /// The URL; standard input has that of its device file.
    package var url: URL {
        switch location {
        case .file(let path): path.url
        case .web(let location): location.url
        case .standardInput: URL(fileURLWithPath: "/dev/stdin")
        }
    }

    /// The name as it may be shown to other programs, without any password; an absolute path where it is one of a file.
    package var absoluteName: String {
        guard case .file(let path) = location, self != .nothing else { return name }
        return Redaction.redact(name: path.absolute.name)
    }

    /// The URL as it may be shown to other programs, without any password; absolute where it is one of a file.
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

    /// Whether the ending of its name says that it is a playlist.
    ///
    /// False for `.m3u8`: that is HTTP Live Streaming as a rule, and only its text can tell.
    package var isPlaylist: Bool {
        guard !isPresentation, let listFormat else { return false }
        return listFormat != .m3u8
    }

    /// Whether it may stand for other inputs, as its name says.
    package var mayBeList: Bool { isFolder || listFormat != nil }

    /// The format of a playlist that the ending of the name states.
    private var listFormat: Playlist.Format? {
        switch location {
        // Without a URL: this is asked of every file of a long queue.
        case .file(let path): Playlist.Format(rawValue: path.pathExtension)
        case .web: Playlist.Format(endingOf: url)
        case .standardInput: nil
        }
    }

    /// Whether it stands for other inputs: a playlist, or a folder.
    package var isList: Bool { isFolder || isPlaylist }

    /// Whether the input is standard input.
    package var isStandardInput: Bool { location == .standardInput }

    /// Whether the input lies on a server.
    package var isWeb: Bool {
        if case .web = location { true } else { false }
    }

    /// The lists that lead to what this one names; `nil` if it is one of those that lead to it.
    package var listsBeneath: [String]? {
        let own: String
        if case .file(let path) = location {
            // The same file may be called by several names.
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
    ///   - duration: The length in seconds, if it is known.
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

    /// The address and the title by which a queue that is kept names the input; `nil` for standard input.
    ///
    /// Only a part has a title there: that of a whole file is in its tags.
    package var keptInSession: (address: String, title: String?)? {
        identity.map { ($0, part == nil ? nil : title) }
    }

    /// Returns the input with the title that a queue which was kept has for it; as it is if that is `nil`.
    package func retitled(_ title: String?) -> ListeningInput {
        guard let title else { return self }
        var input = self
        input.origin = Origin(part: part, tags: tags, title: title, duration: duration, lists: lists)
        return input
    }

    /// Returns the input as one that a folder named.
    ///
    /// - Parameter lists: The lists that led to the folder, and the folder.
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

    /// The same input, to be played by itself; `nil` if it is known to be that.
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

    /// Whether the text begins like a URL, with a scheme and `://`.
    private static func hasScheme(_ text: String) -> Bool {
        URL.scheme(of: text).map { text[$0.endIndex...].hasPrefix("://") } ?? false
    }
}
