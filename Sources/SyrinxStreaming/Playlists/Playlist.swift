public import Foundation
public import SyrinxByteStream
import SyrinxHTTPStream

/// A playlist: M3U, M3U8, PLS, XSPF or a CUE sheet.
///
/// Reading a playlist does not open its entries. A playlist is a value and can be used on any thread.
///
/// ```swift
/// let url = URL(fileURLWithPath: "/music/evening.m3u")
/// let list = try Playlist(Data(contentsOf: url), from: url)
/// for entry in list.entries { print(entry.title ?? entry.url.lastPathComponent) }
/// streamer.upcoming = list.entries.map { StreamingItem(.url($0.url)) }
/// ```
///
/// M3U has no standard; PLS is described at <http://gonze.com/playlists/playlist-format-survey.html>, XSPF at
/// <https://xspf.org/spec>.
public struct Playlist: Equatable, Sendable {
    /// An entry of a playlist.
    public struct Entry: Equatable, Sendable {
        /// The absolute URL: `file:`, `http:` or `https:`.
        public var url: URL {
            get { location.url }
            set { location = CompactURL(newValue) }
        }
        /// The title, if the playlist states one.
        public var title: String?
        /// The duration in seconds, if the playlist states one.
        public var duration: Double?
        /// The part of the recording, as for a track in a CUE sheet; `nil` for the whole recording.
        public var part: StreamingInput.Part?
        /// The tags of a CUE sheet, including `title`; the keys are those of `MediaInfo`, such as `artist` and `album`.
        public var tags: [String: String]
        /// The URL in a compact form, for playlists with many entries.
        package private(set) var location: CompactURL

        /// Creates an entry.
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

    /// The file format of a playlist.
    public enum Format: String, Hashable, Sendable, CaseIterable {
        /// M3U: one location on each line, optionally preceded by `#EXTINF`.
        case m3u
        /// M3U in UTF-8.
        case m3u8
        /// PLS: lines such as `File1=…`, `Title1=…` and `Length1=…`.
        case pls
        /// XSPF: an XML format.
        case xspf
        /// CUE sheet: the tracks of a disc, in one audio file or in several.
        case cue

        /// Returns the format for the path extension of `url`, or `nil` if the extension is not one of a playlist.
        public init?(endingOf url: URL) {
            self.init(rawValue: FilePath(url)?.pathExtension ?? url.pathExtension.lowercased())
        }

        /// Returns the format for a MIME type such as `audio/x-mpegurl`, or `nil`.
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

        /// Detects the format from the first bytes; `nil` if they do not identify one, as in a plain M3U without
        /// `#EXTM3U`.
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

    /// The maximum size of a playlist in bytes: 16 MiB.
    public static let largestSize = 16 << 20
    /// The maximum number of entries; `refusedCount` counts the others.
    public static let mostEntries = 100_000
    /// The maximum total size in bytes of all URLs, including their base URLs; `refusedCount` counts the entries beyond
    /// it.
    static let largestURLs = 64 << 20

    /// The entries, in the order of the playlist.
    public private(set) var entries: [Entry] = []
    /// The number of entries that were rejected.
    ///
    /// An entry is rejected if its URL is not a file or web address, or if it names a local file in a playlist from a
    /// server. It is also rejected if it exceeds the limits on entries and URL sizes, or is a CUE track that holds
    /// data, has no position or is empty.
    public private(set) var refusedCount = 0

    /// Creates a playlist from entries, for example to write it with `m3u8`.
    public init(_ entries: [Entry]) { self.entries = entries }

    /// Parses a playlist.
    /// - Parameters:
    ///   - data: The complete playlist, at most `largestSize` bytes.
    ///   - format: The format; `nil`, the default, detects it from the path extension of `url`, otherwise from `data`.
    ///   - url: The URL of the playlist, to which relative entries are resolved. A playlist from a server must not name
    ///     local files.
    /// - Throws: `media.notAudio` if the data is not a playlist, `media.playlistTooLarge` if it exceeds `largestSize`,
    ///   `media.corrupt` if its XML is not well-formed. `media.empty` if no entry can be played, `media.unsupported`
    ///   for the index of an HTTP Live Stream.
    public init(_ data: Data, format: Format? = nil, from url: URL) throws(SyrinxError) {
        func failure(_ code: ErrorCode, _ message: String) -> SyrinxError {
            SyrinxError(code, message, name: StreamingInput.url(url).name)
        }
        guard data.count <= Self.largestSize else {
            throw failure(
                .playlistTooLarge,
                "The list is longer than \(Self.largestSize >> 20) MiB, which is the limit: check the address."
            )
        }
        guard let format = format ?? Format(endingOf: url) ?? Format(beginningOf: data) else {
            throw failure(.notAudio, "This is not an M3U, PLS, XSPF or CUE playlist: check the address.")
        }
        let text = PlaylistText(data)
        if format == .m3u || format == .m3u8, PlaylistText.isLiveStreamIndex(text.text) {
            throw failure(
                .unsupported,
                "The list is the playlist of an HTTP live stream (HLS): open it directly."
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
            // The XML parser has already decoded an XSPF.
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
                "The list contains no playable entry: neither a web address nor a file that it may refer to."
            )
        }
    }

    /// Returns the URL after redirects, with the user and password of `url` if both name the same server.
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

    /// Downloads a playlist and parses it.
    ///
    /// The format is detected from the path extension of `url`, then from the first bytes, then from the MIME type of
    /// the response. Blocks until the playlist is complete, so call it on a thread that may wait. `stream.cancel()`
    /// from any other thread ends the call.
    ///
    /// ```swift
    /// let stream = try HTTPByteStream(url: url)
    /// let list = try Playlist(reading: stream, from: url)
    /// ```
    /// - Parameters:
    ///   - stream: The bytes of the playlist. At most `largestSize` bytes are read; the stream is cancelled before the
    ///     call returns.
    ///   - url: The URL of the playlist, to which relative entries are resolved, unless redirects lead to another one.
    /// - Throws: The errors of the stream and of `init(_:format:from:)`.
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
            // The format is not a playlist: the remaining bytes are not needed.
            if format == nil { break }
        }
        format = format ?? Format(beginningOf: data) ?? stream.mimeType.flatMap(Format.init(mimeType:))
        // Relative entries are resolved against the URL after redirects (RFC 3986, section 5.1.3).
        let found = (stream as? HLSStream)?.location ?? HLSText.location(of: stream, asked: url)
        try self.init(data, format: format, from: found)
    }
}
