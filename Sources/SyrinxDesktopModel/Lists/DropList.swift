import Foundation
import SyrinxByteStream
import SyrinxListening

/// Interprets files, folders and links that were dropped, pasted, or passed as arguments.
///
/// It considers only names; the app inspects the files.
public struct DropList: Sendable, Equatable {
    /// The kind of an item.
    public enum Kind: Sendable, Equatable {
        /// An audio file.
        case audio
        /// A video file.
        case video
        /// A playlist.
        case playlist
        /// A folder, whose files are searched.
        case folder
        /// An HTTP stream.
        case stream
        /// A podcast feed.
        case podcast
        /// A file with an unknown extension or none, which must be opened to determine its kind.
        case unknown
    }

    /// An item that can be opened.
    public struct Entry: Sendable, Equatable {
        /// A path, a `file:` URL of a path that is not UTF-8, or an `http:` or `https:` URL.
        public var location: String
        /// The kind, determined by the name.
        public var kind: Kind
    }

    /// The reason for which a text is rejected.
    public enum Refusal: Sendable, Equatable {
        /// The scheme of the URL is not supported.
        case scheme(String)
        /// The file is on another machine.
        case host(String)
        /// The name is that of a picture, a document or a program.
        case notMedia(String)
        /// The text is neither a path nor a URL.
        case notALocation
    }

    /// The effect of a drop.
    public enum Effect: Sendable, Equatable {
        /// Nothing can be opened.
        case none
        /// The item is played, replacing the current one.
        case play(Entry)
        /// The items replace the queue, and the first one is played.
        case replaceQueue([Entry])
        /// The items are added to the queue.
        case enqueue([Entry])
        /// The app offers to subscribe to the podcast.
        case subscribe(String)
    }

    /// The target of a drop.
    public enum Target: Sendable, Equatable {
        /// The player, or the arguments of a new process.
        case player
        /// The queue.
        case queue
    }

    /// The maximum number of items per drop.
    public static let maximumCount = 10_000
    /// The maximum length of a location, in bytes.
    public static let maximumLength = 8192

    /// The items in order, without duplicates.
    public private(set) var entries: [Entry] = []
    /// The reasons for rejected texts.
    public private(set) var refusals: [Refusal] = []
    private var seen: Set<String> = []

    /// Creates an empty list.
    public init() {}

    /// Creates a list from text of type `text/uri-list` (RFC 2483), or plain text with a location per line.
    /// - Parameter text: The text; empty lines and lines that start with `#` are ignored.
    public init(text: String) {
        for line in text.split(whereSeparator: \.isNewline) where entries.count < Self.maximumCount {
            let line = line.trimmingCharacters(in: .whitespaces)
            if !line.isEmpty, !line.hasPrefix("#") { add(line) }
        }
    }

    /// Adds an item.
    /// - Parameters:
    ///   - location: An absolute path, or a `file:`, `http:`, `https:` or feed URL.
    ///   - isFolder: Whether it is known to be a folder.
    public mutating func add(_ location: String, isFolder: Bool = false) {
        guard entries.count < Self.maximumCount else { return }
        switch Self.read(location, isFolder: isFolder) {
        case .failure(let refusal): refusals.append(refusal.reason)
        case .success(let entry):
            if seen.insert(entry.location).inserted { entries.append(entry) }
        }
    }

    /// Returns the effect of the drop.
    /// - Parameter target: The target of the drop.
    /// - Returns: The effect.
    public func effect(on target: Target) -> Effect {
        guard let first = entries.first else { return .none }
        if entries.count == 1, first.kind == .podcast { return .subscribe(first.location) }
        let playable = entries.filter { $0.kind != .podcast }
        guard let first = playable.first else { return .none }
        if target == .queue { return .enqueue(playable) }
        let isSingle = playable.count == 1 && first.kind != .folder && first.kind != .playlist
        return isSingle ? .play(first) : .replaceQueue(playable)
    }

    /// A message about rejected texts; `nil` if there are none.
    public var message: String? {
        guard let first = refusals.first else { return nil }
        let sentence: String
        switch first {
        case .scheme(let scheme): sentence = "Addresses that begin with “\(scheme):” cannot be opened."
        case .host(let host): sentence = "The file is on another machine (\(host)). Mount its folder first."
        case .notMedia(let name): sentence = "“\(name)” is not a recording."
        case .notALocation: sentence = "The text is neither a path nor an address."
        }
        return refusals.count == 1 ? sentence : sentence + " \(refusals.count - 1) more could not be opened."
    }

    // MARK: Reading

    private struct Refused: Error {
        var reason: Refusal
    }

    private static func read(_ location: String, isFolder: Bool) -> Result<Entry, Refused> {
        guard location.utf8.count <= maximumLength, !location.utf8.contains(0) else {
            return .failure(Refused(reason: .notALocation))
        }
        if location.hasPrefix("/"), let path = FilePath(location: location) { return file(path, isFolder: isFolder) }
        guard let colon = location.firstIndex(of: ":"), isScheme(location[..<colon]) else {
            return .failure(Refused(reason: .notALocation))
        }
        let scheme = location[..<colon].lowercased()
        let rest = String(location[location.index(after: colon)...])
        switch scheme {
        case "file": return fileURL(rest, isFolder: isFolder)
        case "http", "https":
            guard rest.hasPrefix("//"), rest.count > 2, !rest.hasPrefix("///"), !rest.contains(where: \.isWhitespace)
            else {
                return .failure(Refused(reason: .notALocation))
            }
            return .success(Entry(location: scheme + ":" + rest, kind: kind(ofURL: rest)))
        case "feed", "itpc", "pcast", "podcast":
            // Feed schemes precede a complete URL, or replace its scheme.
            let address = rest.hasPrefix("http") ? rest : "https:" + (rest.hasPrefix("//") ? rest : "//" + rest)
            return .success(Entry(location: address, kind: .podcast))
        default: return .failure(Refused(reason: .scheme(scheme)))
        }
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 32 else { return false }
        func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte & 0xDF) }
        return isLetter(first)
            && text.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || [43, 45, 46].contains($0) }
    }

    private static func fileURL(_ rest: String, isFolder: Bool) -> Result<Entry, Refused> {
        if rest.hasPrefix("//") {
            let host = rest.dropFirst(2).prefix { $0 != "/" }
            guard host.isEmpty || host.lowercased() == "localhost" else {
                return .failure(Refused(reason: .host(String(host))))
            }
        }
        guard let path = FilePath(location: "file:" + rest) else { return .failure(Refused(reason: .notALocation)) }
        return file(path, isFolder: isFolder)
    }

    private static func file(_ path: FilePath, isFolder: Bool) -> Result<Entry, Refused> {
        let isFolder = isFolder || path.bytes.last == UInt8(ascii: "/")
        if isFolder { return .success(Entry(location: path.name, kind: .folder)) }
        let ending = path.pathExtension
        if notMedia.contains(ending) { return .failure(Refused(reason: .notMedia(path.displayName))) }
        return .success(Entry(location: path.name, kind: kind(ofEnding: ending) ?? .unknown))
    }

    private static func kind(ofURL rest: String) -> Kind {
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        let name = path.split(separator: "/").dropFirst().last.map(String.init) ?? ""
        let ending = ending(of: name)
        if ["rss", "xml", "atom"].contains(ending) || ["feed", "rss"].contains(name.lowercased()) { return .podcast }
        if ending == "m3u8" { return .stream }
        switch kind(ofEnding: ending) {
        case .playlist?: return .playlist
        case .video?: return .video
        default: return .stream
        }
    }

    private static func ending(of name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    private static func kind(ofEnding ending: String) -> Kind? {
        switch PlayableKind(ending: ending) {
        case .sound: .audio
        case .film: .video
        case .playlist: .playlist
        case nil: ["rss", "opml"].contains(ending) ? .podcast : nil
        }
    }

    private static let notMedia: Set<String> = [
        "7z", "bmp", "css", "csv", "deb", "doc", "docx", "exe", "gif", "gz", "html", "iso", "jpeg", "jpg", "js", "json",
        "log",
        "md", "odt", "pdf", "png", "py", "rpm", "rtf", "sh", "so", "srt", "svg", "swift", "tar", "txt", "vtt", "webp",
        "xz", "zip",
        "zst",
    ]
}
