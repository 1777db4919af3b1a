public import SyrinxByteStream

#if canImport(FoundationEssentials)
    public import struct FoundationEssentials.URL
#else
    public import struct Foundation.URL
#endif

/// The bytes of a resource on an HTTP or HTTPS server.
///
/// They are fetched ahead of the reader as far as a window allows and kept in memory; jumping beyond what is there or
/// soon comes makes a request for a range. What fails is tried again where that may help, and goes on at the byte where
/// it broke off; two versions of a resource are never mixed.
///
/// All of it may be called from any thread; one thread reads at a time.
public final class HTTPByteStream: ArrivalReporting {
    /// The URL, without user and password.
    public let name: String
    private let window: BlockingWindow
    private let fetcher: Fetcher

    /// A stream of what `url` names; nothing is sent yet.
    ///
    /// A user and password in the URL are sent as basic authentication, to its own origin only.
    /// - Throws: `.badURL` if it is malformed or its scheme is neither `http` nor `https`; `network.libraryMissing` if libcurl is
    ///   not installed.
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

    /// A stream of what `url` names; see `init(url:options:)` with a string.
    public convenience init(url: URL, options: Options = Options()) throws(SyrinxError) {
        try self.init(url: url.absoluteString, options: options)
    }

    deinit { cancel() }

    /// The handler of network events.
    ///
    /// Set it before `open()` or the first read. It is called on a network thread or the reader's, one call at a time,
    /// and must return at once.
    package var onEvent: (@Sendable (HTTPStreamEvent) -> Void)? {
        get { fetcher.listener }
        set { fetcher.listener = newValue }
    }

    /// Begins to fetch from the start, without waiting; the first read does so as well, from where it reads.
    public func open() { fetcher.open() }

    /// Begins to fetch from `offset`, as a read there does, without waiting.
    package func fetch(from offset: Int64) { fetcher.requestBytes(from: offset) }

    /// Waits until the server has answered, so that `length`, `isSeekable` and `mimeType` are known as far as it tells.
    ///
    /// - Throws: `SyrinxError` if that fails or the stream is cancelled.
    public func waitForResponse() throws(SyrinxError) {
        open()
        try window.waitUntilBegun()
    }

    /// The length that the server told, or that was found at the end; `nil` while it is not known.
    public var length: Int64? { window.length }
    /// Whether the server gives ranges; true until it is known.
    public var isSeekable: Bool { fetcher.isSeekable }
    /// True.
    public var isRemote: Bool { true }
    /// The media type that the server states, in lower case and without parameters; `nil` until it has answered.
    public var mimeType: String? { fetcher.mimeType }
    /// A value that distinguishes this version of the resource from others: its length, and its entity tag or else the date of
    /// its last change.
    ///
    /// `nil` if the server tells neither tag nor date, and until it has answered.
    public var validator: String? { fetcher.validator }
    /// The URL to which redirects have led, without a password; `nil` if there were none.
    package var redirectedURL: String? { fetcher.redirectedURL }
    /// The cookies of the stream, for resources that belong to it.
    package var cookies: CookieJar? { fetcher.options.cookies }
    /// Bytes that have come over the network so far.
    public var receivedByteCount: Int64 { fetcher.receivedByteCount }
    /// The bytes of a live stream that have been read, and those that have arrived and have not; `nil` for other resources.
    ///
    /// `nil` too while a sender that does not keep time has filled all there is room for.
    package var broadcastBytes: (read: Int64, unread: Int64)? { fetcher.broadcastBytes }
    /// Returns when the event handler has been told of everything that has happened.
    ///
    /// Not from the handler.
    package func flushEvents() { fetcher.flushEvents() }
    /// Whether it is a broadcast: without an end, and sent as fast as it is to be heard.
    package var isBroadcast: Bool { fetcher.isBroadcast }
    /// The entry in the disk cache, if there is a cache.
    package var storedEntry: DiskCacheEntry? { fetcher.stored?.entry }

    /// Returns the name of the folder in a cache for `url`.
    ///
    /// - Throws: `.badURL` as `init` does.
    package static func cacheName(for url: String) throws(SyrinxError) -> String {
        CachedResource.name(for: try parse(url))
    }

    /// The number of bytes in memory.
    package var memoryByteCount: Int { window.heldByteCount }

    /// The ranges that are in memory or on disk, ascending, neighbours joined.
    public var heldRanges: [Range<Int64>] { fetcher.heldRanges }

    /// The first offset at or after `offset` that is neither in memory nor on disk.
    public func firstMissing(from offset: Int64) -> Int64 { fetcher.firstMissing(from: offset) }

    /// The first offset at or after `offset` that is in memory or on disk; `nil` if there is none.
    public func firstHeld(from offset: Int64) -> Int64? {
        [window.firstHeld(from: offset), storedEntry?.firstHeld(from: offset)].compactMap(\.self).min()
    }

    /// Copies bytes from `offset` on that are in memory, for somebody beside the reader; fetches nothing.
    ///
    /// - Returns: The number of bytes that were copied: 0 if there is none at `offset`.
    package func copyArrived(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        window.peek(at: offset, into: buffer)
    }

    /// The number of times that bytes have arrived, or that a wait was ended.
    package var arrivalCount: Int { window.arrivalCount }

    /// Waits until `arrivalCount` is not `count`; at once after `cancel()`.
    package func waitForArrival(after count: Int) { window.waitForArrival(after: count) }

    /// Ends the waits of `waitForArrival`, as if bytes had arrived.
    package func endArrivalWaits() { window.endArrivalWaits() }

    /// Fetches `seconds` ahead of the reader from now on, within bounds of `range` bytes.
    ///
    /// For when it is known how many bytes a second of sound takes. What a cache on disk keeps of it is read from there; the
    /// rest is held in memory.
    public func readAhead(seconds: Double, bytesPerSecond: Double, within range: ClosedRange<Int> = 1 << 20...16 << 20)
    {
        guard seconds.isFinite, bytesPerSecond.isFinite, seconds > 0, bytesPerSecond > 0 else { return }
        let wanted = min(seconds * bytesPerSecond, Double(range.upperBound))
        fetcher.setWindowAhead(max(range.lowerBound, Int(clamped: wanted)))
    }

    /// Fetches at most `byteCount` ahead of the reader from now on.
    package func readAhead(byteCount: Int) { fetcher.setWindowAhead(byteCount) }

    /// Copies bytes from `offset` on; blocks until there is one.
    ///
    /// - Throws: `.notSeekable` if the server gives no ranges and the offset lies behind what is kept; `.cancelled`;
    ///   `.interrupted`; once trying again has not helped, what the network or the server did.
    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        guard offset >= 0 else { throw .notSeekable(name: name, offset: offset) }
        // What a damaged file may point to; nothing is that long.
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
                // The bytes may have come, and gone into the window, since they were looked for.
                if fetcher.firstMissing(from: offset) > offset { continue }
                throw .notSeekable(name: name, offset: offset)
            }
            if try window.wait(at: offset) == .end { return 0 }
        }
    }

    /// Breaks off waits, or lets reads wait again; what is being fetched goes on.
    public func setInterrupted(_ isInterrupted: Bool) { window.setInterrupted(isInterrupted) }

    /// Ends the stream at once: the read that waits throws `.cancelled`, and the connection is closed.
    public func cancel() {
        window.cancel()
        fetcher.cancel()
    }
}
