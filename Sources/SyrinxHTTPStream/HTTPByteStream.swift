import Synchronization
public import SyrinxByteStream

#if canImport(FoundationEssentials)
    public import struct FoundationEssentials.URL
#else
    public import struct Foundation.URL
#endif

/// A byte stream for a resource on an HTTP or HTTPS server.
///
/// The stream fetches ahead of the reader, up to a window size, and holds the bytes in memory. A seek far beyond the
/// fetched bytes sends a range request. Failed requests are retried if that may help, and continue at the byte where
/// they broke off. Different versions of a resource are never mixed.
///
/// ```swift
/// let stream = try HTTPByteStream(url: "https://example.com/episode.mp3")
/// try stream.waitForResponse()
/// print(stream.length ?? -1, stream.mimeType ?? "unknown type")
/// ```
///
/// Any thread may call the methods; only one thread may read at a time.
public final class HTTPByteStream: ArrivalReporting {
    /// The URL, without user and password.
    public let name: String
    private let window: BlockingWindow
    private let fetcher: Fetcher

    /// Creates a stream for a URL without sending a request.
    ///
    /// A user and password in the URL are sent with Basic or Digest authentication, to the URL's own origin only.
    /// - Throws: `.badURL` if the URL is malformed or its scheme is neither `http` nor `https`;
    ///   `network.libraryMissing` if libcurl is not installed.
    public init(url: String, options: Options = Options()) throws(SyrinxError) {
        let parsed = try Self.parse(url)
        self.name = parsed.string
        window = BlockingWindow(
            limit: options.memoryLimit(windowAhead: options.windowAhead),
            behind: options.windowBehind,
            pinnedHead: options.pinnedHead,
            name: parsed.string
        )
        let transport = try Transport.shared(for: parsed.string)
        let seed = UInt64.random(in: .min ... .max)
        let machine = FetchMachine(url: parsed, options: options, name: parsed.string, seed: seed)
        fetcher = Fetcher(machine, window: window, transport: transport)
    }

    private static func parse(_ url: String) throws(SyrinxError) -> RequestURL {
        do throws(RequestURL.Problem) {
            return try RequestURL(url)
        } catch .unsupportedScheme(let scheme) {
            let message = "'\(scheme):' is not supported; http: and https: are"
            throw SyrinxError(.badURL, message, name: Redaction.redact(url))
        } catch {
            throw SyrinxError(.badURL, "this is not a URL", name: Redaction.redact(url), underlying: error)
        }
    }

    /// Creates a stream for a URL; see `init(url:options:)` for a string.
    public convenience init(url: URL, options: Options = Options()) throws(SyrinxError) {
        try self.init(url: url.absoluteString, options: options)
    }

    deinit { cancel() }

    /// The handler of network events.
    ///
    /// Set it before `open()` or the first read. It is called on a network thread or the reader's thread, one call at a
    /// time, and must return at once.
    package var onEvent: (@Sendable (HTTPStreamEvent) -> Void)? {
        get { fetcher.listener }
        set { fetcher.listener = newValue }
    }

    /// Starts fetching at offset 0 without blocking; otherwise the first read starts fetching at its own offset.
    public func open() { fetcher.open() }

    /// Starts fetching at `offset` without blocking, like a read there.
    package func fetch(from offset: Int64) { fetcher.requestBytes(from: offset) }

    /// Blocks until the server has responded, so that `length`, `isSeekable` and `mimeType` are known as far as the
    /// server states them.
    ///
    /// - Throws: `SyrinxError` if the request fails or the stream is cancelled.
    public func waitForResponse() throws(SyrinxError) {
        open()
        try window.waitUntilBegun()
    }

    /// The length in bytes stated by the server, or found at the end; `nil` while it is unknown.
    public var length: Int64? { window.length }
    /// Whether the server supports ranges; true until it has responded.
    public var isSeekable: Bool { fetcher.isSeekable }
    /// Always true.
    public var isRemote: Bool { true }
    /// The MIME type stated by the server, in lower case and without parameters; `nil` until it has responded.
    public var mimeType: String? { fetcher.mimeType }
    /// A value that identifies this version of the resource: its length, and its entity tag or otherwise its
    /// modification date.
    ///
    /// `nil` if the server states neither a tag nor a date, and until it has responded.
    public var validator: String? { fetcher.validator }
    /// The URL after redirects, without a password; `nil` if there were none.
    package var redirectedURL: String? { fetcher.redirectedURL }
    /// The cookies of the stream, for related resources.
    package var cookies: CookieJar? { fetcher.options.cookies }
    /// The number of bytes received over the network so far.
    public var receivedByteCount: Int64 { fetcher.receivedByteCount }
    /// The number of bytes of a broadcast that were read, and of those that have arrived but were not read; `nil` for
    /// other resources.
    ///
    /// Also `nil` while a server that sends faster than real time has filled the window.
    package var broadcastBytes: (read: Int64, unread: Int64)? { fetcher.broadcastBytes }
    /// Blocks until the event handler has received all pending events.
    ///
    /// Do not call it from the handler.
    package func flushEvents() { fetcher.flushEvents() }
    /// Whether the resource is a broadcast: endless, and sent in real time.
    package var isBroadcast: Bool { fetcher.isBroadcast }
    /// The entry in the disk cache; `nil` without a cache.
    package var storedEntry: DiskCacheEntry? { fetcher.stored?.entry }

    /// Returns the name of the folder in a cache for `url`.
    ///
    /// - Throws: `.badURL`, as `init(url:options:)`.
    package static func cacheName(for url: String) throws(SyrinxError) -> String {
        CachedResource.name(for: try parse(url))
    }

    /// The number of bytes in memory.
    package var memoryByteCount: Int { window.heldByteCount }

    /// The ranges that are in memory or on disk, ascending and merged.
    public var heldRanges: [Range<Int64>] { fetcher.heldRanges }

    /// Returns the first offset, starting at `offset`, that is neither in memory nor on disk.
    public func firstMissing(from offset: Int64) -> Int64 { fetcher.firstMissing(from: offset) }

    /// Returns the first offset, starting at `offset`, that is in memory or on disk; `nil` if there is none.
    public func firstHeld(from offset: Int64) -> Int64? {
        let ring = fetcher.state.withLock { $0.ring }?.held
        let inRing = ring.flatMap { $0.upperBound > max(offset, $0.lowerBound) ? max(offset, $0.lowerBound) : nil }
        return [window.firstHeld(from: offset), storedEntry?.firstHeld(from: offset), inRing].compactMap(\.self).min()
    }

    /// Copies bytes at `offset` that are in memory, without fetching and without moving the reader's position.
    ///
    /// - Returns: The number of copied bytes; 0 if the byte at `offset` is not in memory. The number of arrivals, plus
    ///   the number of ended waits.
    package func copyArrived(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = window.peek(at: offset, into: buffer)
        return count > 0 ? count : fetcher.copyFromRing(at: offset, into: buffer)
    }

    /// Moves the reader of a broadcast to bytes that are held; the titles from there on are reported again.
    package func moveReader(to offset: Int64) { fetcher.moveReader(to: offset) }

    /// Whether the last bytes of a broadcast are kept on disk, so that its reader can go back.
    package var keepsBroadcast: Bool { fetcher.state.withLock { $0.ring != nil } }

    /// The titles of a broadcast that have arrived, with the offsets at which they begin, ascending; the last 512.
    ///
    /// All titles that begin before the last byte that a reader has seen are there.
    package var titleMarks: [(offset: Int64, title: String)] { fetcher.state.withLock { $0.marks.marks } }

    /// Whether no more bytes arrive: the stream has failed, or was cancelled.
    package var hasEnded: Bool { fetcher.state.withLock { $0.machine.phase == .over } }

    /// The number of times that bytes have arrived, or that a wait was ended.
    package var arrivalCount: Int { window.arrivalCount }

    /// Blocks until `arrivalCount` differs from `count`; returns at once after `cancel()`.
    package func waitForArrival(after count: Int) { window.waitForArrival(after: count) }

    /// Ends all waits in `waitForArrival(after:)`, as if bytes had arrived.
    package func endArrivalWaits() { window.endArrivalWaits() }

    /// Sets the fetch-ahead window to `seconds` of audio, within the bounds of `range` in bytes.
    ///
    /// Call it when the data rate of the audio is known. Bytes in the disk cache are read from there; the others are
    /// held in memory.
    public func readAhead(seconds: Double, bytesPerSecond: Double, within range: ClosedRange<Int> = 1 << 20...16 << 20)
    {
        guard seconds.isFinite, bytesPerSecond.isFinite, seconds > 0, bytesPerSecond > 0 else { return }
        fetcher.limitRing(bytesPerSecond: bytesPerSecond)
        let wanted = min(seconds * bytesPerSecond, Double(range.upperBound))
        fetcher.setWindowAhead(max(range.lowerBound, Int(clamped: wanted)))
    }

    /// Sets the maximum number of bytes to fetch ahead of the reader.
    package func readAhead(byteCount: Int) { fetcher.setWindowAhead(byteCount) }

    /// Copies bytes that start at `offset`; blocks until a byte is available.
    ///
    /// - Throws: `.notSeekable` if the server does not support ranges and `offset` precedes the held bytes;
    ///   `.cancelled`; `.interrupted`; the network or HTTP error after all retries failed.
    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        guard offset >= 0 else { throw .notSeekable(name: name, offset: offset) }
        // A damaged file may contain such an offset; no resource is that long.
        guard offset < 1 << 60 else { return 0 }
        while true {
            let count = try window.copy(at: offset, into: buffer)
            if buffer.isEmpty { return 0 }
            if count > 0 {
                fetcher.requestBytes(from: offset + Int64(count))
                return count
            }
            if fetcher.load(offset) { continue }
            if let length, offset >= length { return 0 }
            guard fetcher.requestBytes(from: offset) else {
                // The bytes may have arrived in the window since the copy was attempted.
                if fetcher.firstMissing(from: offset) > offset { continue }
                throw .notSeekable(name: name, offset: offset)
            }
            if try window.wait(at: offset) == .end { return 0 }
        }
    }

    /// Interrupts blocked reads, or ends the interruption; fetching continues.
    public func setInterrupted(_ isInterrupted: Bool) { window.setInterrupted(isInterrupted) }

    /// Cancels the stream: a blocked read throws `.cancelled`, and the connection is closed.
    public func cancel() {
        window.cancel()
        fetcher.cancel()
    }
}
