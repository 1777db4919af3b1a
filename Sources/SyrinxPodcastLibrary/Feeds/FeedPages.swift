import SyrinxByteStream

/// The way through the pages of a feed (RFC 5005), from the newest episodes to the oldest.
///
/// A pure value: a page that has been read goes in, and the next step comes out. Pages, bytes and episodes are bounded for all pages
/// together.
struct FeedPages {
    /// A page that has been read.
    struct Page {
        /// The URLs of the page: the requested one, and the one that redirects led to.
        var urls: [String]
        /// The URL of the page with older episodes.
        var next: String?
        var byteCount: Int64
        /// All episodes of the page.
        var episodeCount: Int
        /// Episodes that no earlier page of this refresh had.
        var newCount: Int
        /// Whether an earlier refresh has brought the last episode of the page.
        var endsKnown: Bool
        var isTruncated: Bool
        var isCut: Bool
    }

    /// The end of a refresh.
    enum End: Equatable {
        /// The feed has no further page.
        case complete
        /// The older pages are known from an earlier refresh.
        case known
        /// A limit ended the refresh.
        case limit
        /// The next page does not exist, or is no feed.
        case missing
        /// A page ended in the middle, or could not be fetched.
        case broken

        /// Whether later refreshes need only the pages with new episodes.
        var isWhole: Bool { self != .broken }
    }

    enum Step: Equatable {
        case fetch(String)
        case end(End)
    }

    /// The rest of the limits, for the next page.
    private(set) var limits: FeedLimits
    /// Whether an earlier refresh has brought all pages.
    private let hasAll: Bool
    private var visited: Set<String> = []
    private var pageCount = 0

    init(hasAll: Bool, limits: FeedLimits) {
        self.hasAll = hasAll
        self.limits = limits
    }

    /// Takes a page, and returns the next step.
    mutating func handle(_ page: Page) -> Step {
        pageCount += 1
        visited.formUnion(page.urls)
        limits.byteCount = limits.byteCount.subtractingClamped(page.byteCount)
        limits.episodes = limits.episodes.subtractingClamped(page.episodeCount)
        if page.isCut { return .end(.limit) }
        if page.isTruncated { return .end(.broken) }
        // A server that ignores the number of the page sends the same episodes under one URL after the other.
        guard let next = page.next, !visited.contains(next), pageCount == 1 || page.newCount > 0 else {
            return .end(.complete)
        }
        if hasAll, page.endsKnown { return .end(.known) }
        guard pageCount < limits.pages, limits.byteCount > 0, limits.episodes > 0 else { return .end(.limit) }
        return .fetch(next)
    }

    /// The errors of a page that is no feed.
    static let noFeed: [ErrorCode] = [.notAFeed, .feedEmpty, .feedIsWebPage]

    /// Returns the end after the next page could not be read.
    static func end(after error: ErrorCode) -> End {
        let passing = ["http.408", "http.425", "http.429"]
        let isMissing = error.rawValue.hasPrefix("http.4") && !passing.contains(error.rawValue)
        return isMissing || noFeed.contains(error) ? .missing : .broken
    }
}
