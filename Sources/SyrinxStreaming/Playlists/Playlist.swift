public import Foundation
public import SyrinxByteStream
import SyrinxHTTPStream

/// A list of recordings and broadcasts: M3U, M3U8, PLS, XSPF or a CUE sheet.
///
/// It is read whole and only names things: a player opens them. A value, for any thread.
///
/// M3U has no standard; PLS is described at <http://gonze.com/playlists/playlist-format-survey.html>, XSPF at
/// <https://xspf.org/spec>.
public struct Playlist: Equatable, Sendable {
    /// One thing to play.
    public struct Entry: Equatable, Sendable {
        /// The absolute URL: `file:`, `http:` or `https:`.
        public var url: URL {
            get { location.url }
            set { location = CompactURL(newValue) }
        }
        /// The title, if the list has one.
        public var title: String?
        /// The duration in seconds, if the list has one.
        public var duration: Double?
        /// The part of it that is meant, as of a track in a CUE sheet; `nil` for all.
        public var part: StreamingInput.Part?
        /// The tags of a CUE sheet, `title` among them: `artist`, `album`, `track` and so on, as in `MediaInfo`.
        public var tags: [String: String]
        /// The URL, as lists of many entries hold it.
        package private(set) var location: CompactURL

        /// An entry.
        public init(
            url: URL,
            title: String? = nil,
            duration: Double? = nil,
            part: StreamingInput.Part? = nil,
            tags: [String: String] = [:]
        ) {
            location = CompactURL(url)
            self.title = title
            self.duration = duration
            self.part = part
            self.tags = tags
        }

        fileprivate init(_ item: PlaylistItem, at location: CompactURL) {
            self.location = location
            (title, duration, part, tags) = (item.title, item.duration, item.part, item.tags)
        }
    }

    /// The format of a list.
    public enum Format: String, Hashable, Sendable, CaseIterable {
        /// A location a line, with `#EXTINF` before it or not.
        case m3u
        /// The same, always in UTF-8.
        case m3u8
        /// `File1=…`, `Title1=…`, `Length1=…`.
        case pls
        /// XML.
        case xspf
        /// The tracks of a disc, in one file or in several.
        case cue

        /// The format that the ending of the URL's path stands for, if it is one of these.
        public init?(endingOf url: URL) {
            self.init(rawValue: FilePath(url)?.pathExtension ?? url.pathExtension.lowercased())
        }

        /// The format that a media type (RFC 2045) stands for, if it is one of these.
        public init?(mimeType: String) {
            switch mimeType.lowercased() {
            case "audio/mpegurl", "audio/x-mpegurl", "application/mpegurl", "application/x-mpegurl",
                "application/vnd.apple.mpegurl":
                self = .m3u
            case "audio/scpls", "audio/x-scpls", "application/x-scpls": self = .pls
            case "application/xspf+xml": self = .xspf
            case "application/x-cue", "application/x-cuesheet": self = .cue
            default: return nil
            }
        }

        /// The format of the first bytes, if they identify one: a plain list of locations cannot be identified.
        public init?(beginningOf data: Data) {
            let start = PlaylistText(data.prefix(512)).text.lowercased()
                .drop { $0.isWhitespace }
            if start.hasPrefix("#extm3u") {
                self = .m3u
            } else if start.hasPrefix("[playlist]") {
                self = .pls
            } else if start.hasPrefix("<"), start.contains("<playlist") {
                self = .xspf
            } else if start.split(whereSeparator: \.isNewline).contains(where: { $0.hasPrefix("file \"") }) {
                self = .cue
            } else {
                return nil
            }
        }
    }

    /// The longest list that is read, in bytes.
    public static let largestSize = 16 << 20
    /// The most entries that are taken; further ones are counted as refused.
    public static let mostEntries = 100_000
    /// The most bytes of all URLs of entries, each with those that it is relative to; further entries are counted as refused.
    static let largestURLs = 64 << 20

    /// The entries, in the order of the list.
    public private(set) var entries: [Entry] = []
    /// The number of entries that may not, or cannot, be opened.
    ///
    /// They name something else than a file or a web server, or a file although the list came from a server; or they, or all URLs
    /// together, are longer than is taken; or they are tracks of a CUE sheet that hold data, or state no place, or end where they begin.
    public private(set) var refusedCount = 0

    /// Creates a list of entries, such as one to be written.
    public init(_ entries: [Entry]) { self.entries = entries }

    /// Reads a list.
    /// - Parameters:
    ///   - data: All of it, at most `largestSize` bytes.
    ///   - format: How it is written; by default what the ending of `url`, or else the data, says.
    ///   - url: Where it came from: what its relative entries are relative to. One from a web server names no files.
    /// - Throws: `media.notAudio` if it is no list; `media.playlistTooLarge` if it is longer than `largestSize`; `media.corrupt` if it is
    ///   XML that is not well-formed; `media.empty` if it names nothing that can be opened;
    ///   `media.unsupported` for the index of an HTTP live stream (RFC 8216).
    public init(_ data: Data, format: Format? = nil, from url: URL) throws(SyrinxError) {
        func failure(_ code: ErrorCode, _ message: String) -> SyrinxError {
            SyrinxError(code, message, name: StreamingInput.url(url).name)
        }
        guard data.count <= Self.largestSize else {
            throw failure(
                .playlistTooLarge,
                "The list is longer than \(Self.largestSize >> 20) MiB, the most that is read: check the address."
            )
        }
        guard let format = format ?? Format(endingOf: url) ?? Format(beginningOf: data) else {
            throw failure(.notAudio, "This is no list of a known kind (M3U, PLS, XSPF or CUE): check the address.")
        }
        let text = PlaylistText(data)
        if format == .m3u || format == .m3u8, PlaylistText.isLiveStreamIndex(text.text) {
            throw failure(
                .unsupported,
                "The list is the index of an HTTP live stream (HLS): open it as an input by itself."
            )
        }
        let items: PlaylistItems
        switch format {
        case .m3u, .m3u8: items = text.m3u()
        case .pls: items = text.pls()
        case .cue: items = text.cue()
        case .xspf:
            guard let found = XSPFReader.items(in: data) else {
                throw failure(.corrupt, "The list is not well-formed XML: it may have been cut off.")
            }
            items = found
        }
        let locator = PlaylistLocator(
            origin: url,
            format: format,
            // An XSPF has been decoded as its declaration says.
            codePage: format == .xspf ? nil : text.codePage,
            namesOneFile: format == .cue && Set(items.items.map(\.location)).count == 1
        )
        refusedCount = items.surplusCount
        var byteCount = 0
        for item in items.items {
            byteCount += locator.byteCount(of: item)
            guard byteCount <= Self.largestURLs, let location = locator.location(of: item) else {
                refusedCount += 1
                continue
            }
            entries.append(Entry(item, at: location))
        }
        if entries.isEmpty {
            throw failure(
                .empty,
                "The list names nothing that can be played: no file that it may name, and no web address."
            )
        }
    }

    /// Returns the URL to which redirects have led, with the user and password of `url` if the server is the same.
    static func url(_ text: String, allowedAs url: URL) -> URL? {
        guard let asked = URLComponents(url: url, resolvingAgainstBaseURL: true),
            var found = URLComponents(string: text)
        else { return nil }
        if found.scheme == asked.scheme?.lowercased(), found.host == asked.host?.lowercased(), found.port == asked.port
        {
            (found.percentEncodedUser, found.percentEncodedPassword) = (
                asked.percentEncodedUser, asked.percentEncodedPassword
            )
        }
        return found.url
    }

    /// Fetches a list and reads it.
    ///
    /// How it is written, the ending of `url` says, or else its beginning, or else the type that the server gives. Blocks while
    /// the bytes come, so it is for a thread that may wait; `stream.cancel()` ends it from any other.
    /// - Parameters:
    ///   - stream: Its bytes, of which no more than `largestSize` are taken. It is cancelled in the end.
    ///   - url: Where it came from, as for a list whose bytes are there.
    /// - Throws: What the stream throws, and as for a list whose bytes are there.
    public init(reading stream: any ByteStream, from url: URL) throws(SyrinxError) {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
        defer {
            piece.deallocate()
            stream.cancel()
        }
        var data = Data()
        var format = Format(endingOf: url)
        while data.count <= Self.largestSize {
            let count = try stream.read(at: Int64(data.count), into: piece)
            if count == 0 { break }
            data.append(contentsOf: piece[..<count])
            guard format == nil, data.count >= 512 else { continue }
            format = Format(beginningOf: data) ?? stream.mimeType.flatMap(Format.init(mimeType:))
            // Whatever else it may be, the rest of it is of no use.
            if format == nil { break }
        }
        format = format ?? Format(beginningOf: data) ?? stream.mimeType.flatMap(Format.init(mimeType:))
        // What entries are relative to is where the list was found (RFC 3986, section 5.1.3).
        let found = (stream as? HLSStream)?.location ?? HLSText.location(of: stream, asked: url)
        try self.init(data, format: format, from: found)
    }
}
