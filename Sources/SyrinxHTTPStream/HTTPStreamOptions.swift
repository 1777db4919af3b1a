public import SyrinxByteStream

extension HTTPByteStream {
    /// The settings of a stream's network use.
    public struct Options: Sendable {
        /// Bytes fetched ahead of the reader, then reading from the network pauses; 4 MiB by default.
        public var windowAhead = 4 << 20
        /// Bytes kept behind the reader, at least; 2 MiB by default.
        public var windowBehind = 2 << 20
        /// Bytes at the start that are always kept; 256 KiB by default.
        public var pinnedHead = 256 << 10
        /// Seconds that making a connection may take; 8 by default.
        public var connectTimeout = 8.0
        /// Seconds without a byte, while bytes are wanted, after which a connection is given up; 8 by default.
        public var stallTimeout = 8.0
        /// Redirects followed in a row; 20 by default.
        public var maximumRedirects = 20
        /// Attempts in a row that bring no byte, before a failure is final; 5 by default.
        ///
        /// For a broadcast that has been heard `maximumBroadcastOutage` counts in its place.
        public var maximumAttempts = 5
        /// Attempts in a row to a host that cannot be reached or is silent, before the first byte; 3 by default.
        public var maximumConnectAttempts = 3
        /// Seconds without a byte, while bytes are wanted, after which the stream fails; an hour by default.
        ///
        /// It fails with `network.timeout`, however many attempts were left, or with the server's status if it answers and is
        /// busy. What has been fetched goes on being read meanwhile.
        public var maximumOutage = 3_600.0
        /// The same for a broadcast of which bytes have come: without end by default, for a station comes back when it comes back.
        public var maximumBroadcastOutage = Double.infinity
        /// Whether a redirect from `https` to `http` is followed; false by default.
        public var allowsInsecureRedirects = false
        /// The disk cache; `nil`, the default, keeps bytes in memory only.
        ///
        /// What was checked with the server within a day is read without asking it. Should what is missing turn out to
        /// belong to another version, reading fails with `http.resourceChanged`, and what is kept is thrown away.
        public var cache: DiskCache?
        /// Seconds before the second attempt; 0.25 by default.
        ///
        /// Each further one waits twice as long, give or take a quarter by chance.
        public var initialRetryDelay = 0.25
        /// Seconds between two attempts at most, but for what the server asks for; 10 by default.
        public var maximumRetryDelay = 10.0
        /// Seconds that a server may ask to wait (`Retry-After`) at most; 30 by default.
        public var maximumServerDelay = 30.0
        /// Headers sent with every request to the URL's own origin, and to no other.
        public var headers: [(name: String, value: String)] = []
        /// The value of the `User-Agent` header; by default the name and the version, such as `Syrinx/0.1`.
        public var userAgent = SyrinxVersion.userAgent
        /// Whether no reader waits for these bytes: then other streams need not yield to this one.
        package var isInTheBackground = false
        /// Whether all is asked for in one request from the start, as of a server without ranges: for when those of different
        /// requests do not fit together.
        package var readsInOneAnswer = false
        /// Seconds that a disk is waited for which is behind in taking what is to be kept.
        ///
        /// One that stands still for longer must not stop the sound: then what it cannot take is not kept.
        package var diskPatience = 2.0
        /// Whether somebody hears it as it comes: then what is needed soon does not wait for a disk.
        package var isHeard = true
        /// The cookies that the stream shares with others; `nil`, the default, gives the stream a jar of its own.
        package var cookies: CookieJar?
        /// The environment that names proxies and certificates; `nil`, the default, means that of the process.
        package var environment: [String: String]?

        /// Bytes held in memory at most, when so many are fetched ahead.
        func memoryLimit(windowAhead: Int) -> Int {
            [windowAhead, windowBehind, pinnedHead, 2 * SparseBuffer.segmentSize].reduce(0) {
                $0.addingClamped(max($1, 0))
            }
        }

        /// The defaults.
        public init() {}
    }
}
