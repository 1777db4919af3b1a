public import SyrinxByteStream

extension HTTPByteStream {
    /// The network options of a stream.
    ///
    /// ```swift
    /// import SyrinxStreaming
    ///
    /// var options = HTTPByteStream.Options()
    /// options.headers = [("Authorization", "Bearer \(token)")]
    /// options.maximumOutage = 60
    /// options.cache = DiskCache.user()
    /// let stream = try HTTPByteStream(url: url, options: options)
    /// ```
    public struct Options: Sendable {
        /// The number of bytes to fetch ahead of the reader before the transfer pauses; 4 MiB by default.
        public var windowAhead = 4 << 20
        /// The minimum number of bytes kept behind the reader; 2 MiB by default.
        public var windowBehind = 2 << 20
        /// The number of bytes at the start that are always kept; 256 KiB by default.
        public var pinnedHead = 256 << 10
        /// The time limit for connecting in seconds; 8 by default.
        public var connectTimeout = 8.0
        /// The time in seconds without a byte, while bytes are wanted, after which a connection is closed; 8 by
        /// default.
        public var stallTimeout = 8.0
        /// The maximum number of consecutive redirects; 20 by default.
        public var maximumRedirects = 20
        /// The number of consecutive attempts without a byte after which a failure is final; 5 by default.
        ///
        /// For a broadcast that has already sent bytes, `maximumBroadcastOutage` applies instead.
        public var maximumAttempts = 5
        /// The number of consecutive attempts, before the first byte, to connect to an unreachable or silent host; 3 by
        /// default.
        public var maximumConnectAttempts = 3
        /// The time in seconds without a byte, while bytes are wanted, after which the stream fails; 3600 by default.
        ///
        /// The error is `network.timeout`, regardless of the remaining attempts, or the HTTP status of a server that
        /// responds. Bytes that were already fetched can be read meanwhile.
        public var maximumOutage = 3_600.0
        /// The corresponding time limit for a broadcast that has already sent bytes; infinite by default, so that it
        /// waits for the station.
        public var maximumBroadcastOutage = Double.infinity
        /// Whether a redirect from `https` to `http` is followed; false by default.
        public var allowsInsecureRedirects = false
        /// The disk cache; `nil`, the default, holds bytes in memory only.
        ///
        /// Bytes that were validated within the last 24 hours are used without a request, unless the server states
        /// another freshness. If missing bytes turn out to belong to another version, reading fails with
        /// `http.resourceChanged`, and the cached bytes are deleted.
        public var cache: DiskCache?
        /// The delay before the second attempt in seconds; 0.25 by default.
        ///
        /// Each further delay is twice as long, with a random variation of ±25 %.
        public var initialRetryDelay = 0.25
        /// The maximum delay between two attempts in seconds, except for `Retry-After`; 10 by default.
        public var maximumRetryDelay = 10.0
        /// The maximum delay in seconds that a server may request with `Retry-After`; 30 by default.
        public var maximumServerDelay = 30.0
        /// Headers that are sent with every request to the URL's own origin, and to no other origin.
        public var headers: [(name: String, value: String)] = []
        /// The value of the `User-Agent` header; by default the name and the version, such as `Syrinx/0.1`.
        public var userAgent = SyrinxVersion.userAgent
        /// Whether the transfer is in the background, so that other streams need not yield to it.
        package var isInTheBackground = false
        /// Whether the resource is read in one response from its start, as if the server did not support ranges.
        ///
        /// Use it when the responses to several requests do not match.
        package var readsInOneAnswer = false
        /// The maximum time in seconds that a transfer waits for a slow disk.
        ///
        /// After that, bytes that the disk does not accept are not cached, so that playback is not interrupted.
        package var diskPatience = 2.0
        /// Whether the bytes are played while they arrive, so that urgently needed bytes do not wait for a disk.
        package var isHeard = true
        /// The cookie jar shared with other streams; `nil`, the default, uses a separate jar.
        package var cookies: CookieJar?
        /// The timeshift buffer of a broadcast on disk; `nil` (the default) keeps only the bytes in memory.
        package var broadcastBuffer: BroadcastBuffer?
        /// The environment variables for proxies and certificates; `nil`, the default, uses those of the process.
        package var environment: [String: String]?

        /// A timeshift buffer: the last bytes of a broadcast, on disk during playback.
        package struct BroadcastBuffer: Sendable {
            /// The folder of the file, which has no name and is removed at the end of the stream.
            package var folder: FilePath
            /// The maximum length in seconds.
            package var seconds: Double
            /// The maximum size in bytes; 64 MiB by default.
            package var maximumByteCount: Int

            /// Creates the settings of a buffer.
            package init(folder: FilePath, seconds: Double, maximumByteCount: Int = 64 << 20) {
                (self.folder, self.seconds, self.maximumByteCount) = (folder, seconds, maximumByteCount)
            }

            /// Returns the number of stored bytes for a broadcast with a bit rate in bytes per second.
            func byteCount(bytesPerSecond: Double) -> Int {
                min(max(Int(clamped: seconds * bytesPerSecond), 1 << 20), maximumByteCount)
            }
        }

        /// Returns the maximum number of bytes held in memory for a fetch-ahead window.
        func memoryLimit(windowAhead: Int) -> Int {
            [windowAhead, windowBehind, pinnedHead, 2 * SparseBuffer.segmentSize].reduce(0) {
                $0.addingClamped(max($1, 0))
            }
        }

        /// Creates the default options.
        public init() {}
    }
}
