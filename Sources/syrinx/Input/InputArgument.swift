import ArgumentParser
import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxStreaming

/// An input on the command line: a path, a `file:`, `http:` or `https:` URL, or `-` for standard input.
struct InputArgument: ExpressibleByArgument, Equatable, Sendable {
    /// The place of the bytes.
    enum Location: Equatable, Sendable {
        /// A file at this path.
        case file(path: FilePath)
        /// A resource on a web server.
        case web(CompactURL)
        /// Standard input.
        case standardInput
    }

    /// The place of the bytes.
    let location: Location
    /// The input as it was written, without any password; `nil` if that is the name of the location.
    private let writtenName: String?
    /// Whether it is a folder.
    private(set) var isFolder = false
    /// Whether its content shows that it is a presentation of HTTP Live Streaming, though it is called a playlist.
    private var isPresentation = false
    /// Kept aside, so that a queue of many entries is small.
    private var origin: Origin?

    /// The properties of an entry of a playlist.
    private final class Origin: Equatable, Sendable {
        let part: StreamingInput.Part?
        let tags: [String: String]
        let title: String?
        let duration: Double?
        let lists: [String]

        init(
            part: StreamingInput.Part?,
            tags: [String: String],
            title: String?,
            duration: Double?,
            lists: [String]
        ) {
            (self.part, self.tags, self.title, self.duration, self.lists) = (part, tags, title, duration, lists)
        }

        static func == (a: Origin, b: Origin) -> Bool {
            a === b
                || (a.part, a.title, a.duration, a.lists) == (b.part, b.title, b.duration, b.lists) && a.tags == b.tags
        }
    }

    /// The part of it that is meant; `nil` for all.
    var part: StreamingInput.Part? { origin?.part }
    /// The tags that the playlist provides, beside its title.
    var tags: [String: String] { origin?.tags ?? [:] }
    /// The title that the playlist provides.
    var title: String? { origin?.title }
    /// The length in seconds that the playlist or the feed provides, or that of the part.
    var duration: Double? { origin?.duration }
    /// The playlists and folders that led to it, the outermost first.
    private var lists: [String] { origin?.lists ?? [] }

    /// The schemes that name something else than a file, with their separator.
    private static let webSchemes = ["http://", "https://"]

    /// Reads `argument`, or is `nil` if it is empty or a URL that is malformed or of another scheme.
    init?(argument: String) {
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
    static let nothing = InputArgument(unnamed: "Nothing is playing")

    private init(unnamed text: String) {
        location = .file(path: FilePath(""))
        writtenName = text
    }

    /// A file in a folder.
    init(path: FilePath) {
        location = .file(path: path)
        writtenName = nil
    }

    /// Creates an input from an entry of a playlist.
    /// - Parameter lists: The playlists and folders that led to it, the outermost first.
    init(_ entry: Playlist.Entry, lists: [String] = []) {
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
    var name: String {
        if let writtenName { return writtenName }
        return switch location {
        case .file(let path): Redaction.redact(name: path.name)
        case .web(let location): Redaction.redact(name: location.text)
        case .standardInput: "-"
        }
    }

    /// The URL; standard input has that of its device file.
    var url: URL {
        switch location {
        case .file(let path): path.url
        case .web(let location): location.url
        case .standardInput: URL(fileURLWithPath: "/dev/stdin")
        }
    }

    /// The name as it may be shown to other programs, without any password; an absolute path where it is one of a file.
    var absoluteName: String {
        guard case .file(let path) = location, self != .nothing else { return name }
        return Redaction.redact(name: path.absolute.name)
    }

    /// The URL as it may be shown to other programs, without any password; absolute where it is one of a file.
    var shownURL: String {
        guard case .file(let path) = location, self != .nothing else { return isWeb ? name : url.absoluteString }
        let (exact, shown) = (path.absolute.name, Redaction.redact(name: path.absolute.name))
        return exact == shown ? path.url.absoluteString : FilePath(shown).url.absoluteString
    }

    /// The input for a streamer.
    var streamingInput: StreamingInput {
        if isStandardInput { return .standardInput }
        return part.map { .part($0, of: url) } ?? .url(url)
    }

    /// Whether the ending of its name says that it is a playlist.
    ///
    /// False for `.m3u8`: that is HTTP Live Streaming as a rule, and only its text can tell.
    var isPlaylist: Bool {
        guard !isStandardInput, !isPresentation, let format = Playlist.Format(endingOf: url) else { return false }
        return format != .m3u8
    }

    /// Whether it may stand for other inputs, as its name says.
    var mayBeList: Bool { isFolder || !isStandardInput && Playlist.Format(endingOf: url) != nil }

    /// Whether it stands for other inputs: a playlist, or a folder.
    var isList: Bool { isFolder || isPlaylist }

    /// Whether the input is standard input.
    var isStandardInput: Bool { location == .standardInput }

    /// Whether the input lies on a server.
    var isWeb: Bool {
        if case .web = location { true } else { false }
    }

    /// The lists that lead to what this one names; `nil` if it is one of those that lead to it.
    var listsBeneath: [String]? {
        let own: String
        if case .file(let path) = location {
            // The same file may be called by several names.
            own = path.status.map { "\($0.st_dev) \($0.st_ino)" } ?? path.standardized.name
        } else {
            own = url.absoluteString
        }
        return lists.contains(own) ? nil : lists + [own]
    }

    /// The input with a title for where it has none of its own.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - duration: The length in seconds, as far as it is known.
    func titled(_ title: String, duration: Double? = nil) -> InputArgument {
        var input = self
        input.origin = Origin(
            part: part,
            tags: tags,
            title: title,
            duration: duration ?? self.duration,
            lists: lists
        )
        return input
    }

    /// The input as one that these lists lead to.
    func named(by lists: [String]) -> InputArgument {
        var input = self
        input.origin = Origin(part: part, tags: tags, title: title, duration: duration, lists: lists)
        return input
    }

    /// The same input, to be played by itself; `nil` if it is known to be that.
    var asPresentation: InputArgument? {
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
