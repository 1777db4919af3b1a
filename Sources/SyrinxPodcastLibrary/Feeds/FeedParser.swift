import Foundation
import FoundationXML

/// Reads a feed of RSS 2.0, RSS 1.0 or Atom with the name spaces of podcasts, as it arrives.
///
/// Episodes are passed on in batches, so that memory does not grow with the feed. One thread, which waits for the source.
final class FeedParser: NSObject, XMLParserDelegate {
    /// The end of a feed.
    struct Outcome {
        var header: FeedHeader
        var episodeCount: Int
        /// Whether the feed ended before its root element did.
        var isTruncated: Bool
        /// Whether bytes or episodes beyond the limits were left out.
        var isCut: Bool
    }

    /// The root element, before anything else of the feed is known.
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

    /// Reads a feed to its end.
    /// - Parameters:
    ///   - source: Gives the next bytes; empty at the end.
    ///   - charset: The encoding that the server states.
    ///   - base: The URL that others are relative to.
    ///   - sink: Takes episodes, in the feed's order.
    /// - Throws: `PodcastError` if it is no feed; what source and sink throw.
    static func parse(
        _ source: @escaping () throws -> [UInt8],
        charset: String? = nil,
        base: URL?,
        limits: FeedLimits = FeedLimits(),
        sink: @escaping ([FeedEpisode]) throws -> Void
    ) throws -> Outcome {
        let input = FeedInput(source, charset: charset, byteCount: limits.byteCount)
        let delegate = FeedParser(base: base, limits: limits, sink: sink)
        let parser = XMLParser(stream: input)
        parser.delegate = delegate
        parser.shouldResolveExternalEntities = false
        parser.externalEntityResolvingPolicy = .never
        parser.shouldProcessNamespaces = false
        _ = parser.parse()
        parser.delegate = nil
        if let failure = input.failure ?? delegate.failure { throw failure }
        let name = base?.absoluteString ?? "feed"
        switch delegate.kind {
        case .feed: break
        case .webPage:
            throw PodcastError(
                .feedIsWebPage,
                "this is a web page and no podcast feed; look there for a link named RSS",
                name: name
            )
        case .other(let element):
            throw PodcastError(
                .notAFeed,
                "this is no podcast feed but a document of the kind '\(element.prefix(40))'",
                name: name
            )
        case .unknown where input.byteCount == 0:
            throw PodcastError(.feedEmpty, "the server sent an empty document", name: name)
        case .unknown where input.looksLikeWebPage:
            throw PodcastError(
                .feedIsWebPage,
                "this is a web page and no podcast feed; look there for a link named RSS",
                name: name
            )
        case .unknown:
            throw PodcastError(.notAFeed, "this is no podcast feed: it has no XML in it", name: name)
        }
        try delegate.flush()
        return Outcome(
            header: delegate.reader.header,
            episodeCount: delegate.episodeCount,
            isTruncated: input.isTruncated && !input.isCut,
            isCut: delegate.isCut || input.isCut
        )
    }

    private func flush() throws {
        guard !batch.isEmpty else { return }
        defer { batch.removeAll(keepingCapacity: true) }
        try sink(batch)
    }

    // MARK: XMLParserDelegate

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        if case .unknown = kind {
            switch elementName {
            case "rss", "rdf.rdf", "atom.feed", "feed": kind = .feed
            case "html", "xhtml.html", "head", "body": kind = .webPage
            default: kind = .other(elementName)
            }
            if case .feed = kind {} else { return parser.abortParsing() }
        }
        reader.begin(elementName, attributes)
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { reader.text(string) }

    func parser(_ parser: XMLParser, foundCDATA CDATABlock: Data) {
        reader.text(String(decoding: CDATABlock, as: UTF8.self))
    }

    func parser(
        _ parser: XMLParser,
        didEndElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard let episode = reader.end(elementName), failure == nil else { return }
        guard episodeCount < limits.episodes else {
            isCut = true
            return parser.abortParsing()
        }
        episodeCount += 1
        batch.append(episode)
        guard batch.count >= limits.batch else { return }
        do { try flush() } catch {
            failure = error
            parser.abortParsing()
        }
    }
}

/// The stream that the XML parser reads: bytes of a source, decoded and repaired.
final class FeedInput: InputStream {
    private let source: () throws -> [UInt8]
    private let decoder: DocumentDecoder
    private var repair = XMLRepair()
    private let limit: Int64
    private var ready: [UInt8] = []
    private var place = 0
    private var isAtEnd = false
    private var status = Stream.Status.notOpen
    private var head: [UInt8] = []

    /// The failure of the source.
    private(set) var failure: (any Error)?
    /// The bytes taken from the source.
    private(set) var byteCount: Int64 = 0
    /// Whether bytes beyond the limit were left.
    private(set) var isCut = false
    /// Whether the document ended before its root element did.
    var isTruncated: Bool { repair.isTruncated }

    init(_ source: @escaping () throws -> [UInt8], charset: String?, byteCount limit: Int64) {
        self.source = source
        self.limit = limit
        decoder = DocumentDecoder(charset: charset)
        super.init(data: Data())
    }

    /// Whether the document begins as a web page does.
    var looksLikeWebPage: Bool { String(decoding: head, as: UTF8.self).lowercased().contains("<!doctype html") }

    override func open() { status = .open }
    override func close() { status = .closed }
    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { failure }
    override var hasBytesAvailable: Bool { !isAtEnd || place < ready.count }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        while place >= ready.count {
            guard !isAtEnd else { return 0 }
            refill()
        }
        let count = min(maxLength, ready.count - place)
        ready.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { buffer.update(from: start + place, count: count) }
        }
        place += count
        return count
    }

    private func refill() {
        place = 0
        ready.removeAll(keepingCapacity: true)
        do {
            let bytes = repair.isOver ? [] : try source()
            if head.count < 256 { head += bytes.prefix(256) }
            byteCount += Int64(bytes.count)
            if byteCount > limit { isCut = true }
            guard bytes.isEmpty || isCut else {
                ready = repair.repair(decoder.decode(bytes))
                return
            }
        } catch {
            failure = error
        }
        isAtEnd = true
        ready = repair.repair(decoder.finish()) + repair.finish()
    }
}
