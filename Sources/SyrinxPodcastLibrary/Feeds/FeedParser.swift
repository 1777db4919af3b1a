import Foundation
import SyrinxByteStream

/// Parses RSS 2.0, RSS 1.0 and Atom feeds with podcast namespaces while they are downloaded.
///
/// Episodes are passed on in batches, so that memory use does not grow with the feed. Blocks while the source waits.
final class FeedParser {
    /// The result of parsing a feed.
    struct Outcome {
        var header: FeedHeader
        var episodeCount: Int
        /// The number of bytes that were read.
        var byteCount: Int64
        /// Whether the feed ended before the end of its root element.
        var isTruncated: Bool
        /// Whether bytes or episodes beyond the limits were ignored.
        var isCut: Bool
    }

    /// The kind of document, determined by its root element.
    private enum Kind { case unknown, feed, webPage, other(String) }

    private let base: URL?
    private let limits: FeedLimits
    private let sink: ([FeedEpisode]) throws -> Void
    private var kind = Kind.unknown
    private var reader: FeedItemReader
    private var batch: [FeedEpisode] = []
    private var episodeCount = 0
    private var isCut = false
    private var failure: (any Error)?

    private init(base: URL?, limits: FeedLimits, sink: @escaping ([FeedEpisode]) throws -> Void) {
        self.base = base
        self.limits = limits
        self.sink = sink
        reader = FeedItemReader(base: base, limits: limits)
    }

    /// Parses a feed to its end.
    /// - Parameters:
    ///   - source: Returns the next bytes; an empty array at the end.
    ///   - charset: The encoding that the server states.
    ///   - base: The URL to which others are relative.
    ///   - sink: Receives batches of episodes, in the order of the feed.
    /// - Throws: `PodcastError` if the document is not a feed, or the errors of `source` and `sink`.
    static func parse(
        _ source: () throws -> [UInt8],
        charset: String? = nil,
        base: URL?,
        limits: FeedLimits = FeedLimits(),
        sink: @escaping ([FeedEpisode]) throws -> Void
    ) throws -> Outcome {
        let parser = FeedParser(base: base, limits: limits, sink: sink)
        var input = FeedInput(charset: charset, byteCount: limits.byteCount)
        input.read(source) { parser.take($0) }
        if let failure = input.failure ?? parser.failure { throw failure }
        let name = base?.absoluteString ?? "feed"
        switch parser.kind {
        case .feed: break
        case .other(let element) where input.kind == "an XML document":
            let message = "this is an XML document of the kind '\(element.prefix(40))', not a podcast"
            throw PodcastError(.notAFeed, message, name: name)
        case .unknown where input.byteCount == 0:
            throw PodcastError(.feedEmpty, "the server sent an empty document", name: name)
        case .webPage,
            .unknown where input.looksLikeWebPage:
            throw PodcastError(
                .feedIsWebPage,
                "this is a web page, not a podcast; look there for a link named RSS",
                name: name
            )
        // The bytes of a picture may accidentally look like an element.
        case .other, .unknown:
            throw PodcastError(.notAFeed, "this is \(input.kind ?? "something else"), not a podcast", name: name)
        }
        try parser.flush()
        return Outcome(
            header: parser.reader.header,
            episodeCount: parser.episodeCount,
            byteCount: input.byteCount,
            isTruncated: input.isTruncated && !input.isCut,
            isCut: parser.isCut || input.isCut
        )
    }

    private func flush() throws {
        guard !batch.isEmpty else { return }
        defer { batch.removeAll(keepingCapacity: true) }
        try sink(batch)
    }

    // MARK: Events

    /// Processes a parser event; returns false to stop.
    private func take(_ event: XMLEvent) -> Bool {
        switch event {
        case .start(let name, let attributes):
            if case .unknown = kind {
                switch name {
                case "rss", "rdf.rdf", "atom.feed", "feed": kind = .feed
                case "html", "xhtml.html", "head", "body": kind = .webPage
                default: kind = .other(name)
                }
                guard case .feed = kind else { return false }
            }
            reader.begin(name, attributes)
        case .text(let text): reader.text(text)
        case .end(let name):
            if let episode = reader.end(name) { return take(episode) }
        }
        return true
    }

    private func take(_ episode: FeedEpisode) -> Bool {
        guard episodeCount < limits.episodes else {
            isCut = true
            return false
        }
        episodeCount += 1
        batch.append(episode)
        guard batch.count >= limits.batch else { return true }
        do { try flush() } catch {
            failure = error
            return false
        }
        return true
    }
}

/// Decodes and parses the bytes of a feed or an OPML document.
struct FeedInput {
    private let charset: String?
    private let limit: Int64
    private var head: [UInt8] = []

    /// The error that the source threw.
    private(set) var failure: (any Error)?
    /// The number of bytes read from the source.
    private(set) var byteCount: Int64 = 0
    /// Whether bytes beyond the limit were ignored.
    private(set) var isCut = false
    /// Whether the document ended before the end of its root element.
    private(set) var isTruncated = false

    init(charset: String?, byteCount limit: Int64) {
        self.charset = charset
        self.limit = limit
    }

    /// The kind of a document that is not a feed, such as `an image`; `nil` if it is unknown.
    var kind: String? { DocumentKind.name(of: head) }

    /// Whether the document starts like a web page.
    var looksLikeWebPage: Bool { String(decoding: head, as: UTF8.self).lowercased().contains("<!doctype html") }

    /// Reads a document until its end, the end of its root element, or until `handle` returns false.
    /// - Parameters:
    ///   - source: Returns the next bytes; an empty array at the end.
    ///   - handle: Receives the parser events, in order.
    mutating func read(_ source: () throws -> [UInt8], _ handle: @escaping (XMLEvent) -> Bool) {
        let decoder = DocumentDecoder(charset: charset)
        var parser = LenientXMLParser(handle)
        do {
            while !parser.isOver {
                let bytes = try source()
                if head.count < 256 { head += bytes.prefix(256) }
                byteCount += Int64(bytes.count)
                if byteCount > limit { isCut = true }
                if bytes.isEmpty || isCut { break }
                parser.parse(decoder.decode(bytes))
            }
        } catch {
            failure = error
        }
        parser.parse(decoder.finish())
        parser.finish()
        isTruncated = parser.isTruncated
    }
}
