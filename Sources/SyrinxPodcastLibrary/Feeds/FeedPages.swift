import SyrinxByteStream

/// Decides which pages of a feed (RFC 5005) to read, from the newest episodes to the oldest.
///
/// A value without side effects: pass each page that was read, and get the next step. The limits on pages, bytes and
/// episodes apply to all pages together.
struct FeedPages {
    /// The result of reading a page.
    struct Page {
        /// The URLs of the page: the requested one, and the target of redirects.
        var urls: [String]
        /// The URL of the page with older episodes.
        var next: String?
        var byteCount: Int64
        /// The number of episodes on the page.
        var episodeCount: Int
        /// The number of episodes that were on no earlier page of this refresh.
        var newCount: Int
        /// Whether the last episode of the page is known from an earlier refresh.
        var endsKnown: Bool
        var isTruncated: Bool
        var isCut: Bool
    }

    /// The reason for which reading ended.
    enum End: Equatable {
        /// The feed has no further page.
        case complete
        /// An earlier refresh has already read the older pages.
        case known
        /// A limit was reached.
        case limit
        /// The next page does not exist, or is not a feed.
        case missing
        /// A page was truncated, or could not be fetched.
        case broken

        /// Whether later refreshes need to read only pages with new episodes.
        var isWhole: Bool { self != .broken }
    }

    enum Step: Equatable {
        case fetch(String)
        case end(End)
    }

    /// The remaining limits for the next page.
    private(set) var limits: FeedLimits
    /// Whether an earlier refresh has read all pages.
    private let hasAll: Bool
    private var visited: Set<String> = []
    private var pageCount = 0

    init(hasAll: Bool, limits: FeedLimits) {
        self.hasAll = hasAll
        self.limits = limits
    }

    /// Processes a page, and returns the next step.
    mutating func handle(_ page: Page) -> Step {
        pageCount += 1
        visited.formUnion(page.urls)
        limits.byteCount = limits.byteCount.subtractingClamped(page.byteCount)
        limits.episodes = limits.episodes.subtractingClamped(page.episodeCount)
        if page.isCut { return .end(.limit) }
        if page.isTruncated { return .end(.broken) }
        // A server that ignores the page number sends the same episodes again under another URL.
        guard let next = page.next, !visited.contains(next), pageCount == 1 || page.newCount > 0 else {
            return .end(.complete)
        }
        if hasAll, page.endsKnown { return .end(.known) }
        guard pageCount < limits.pages, limits.byteCount > 0, limits.episodes > 0 else { return .end(.limit) }
        return .fetch(next)
    }

    /// The errors for a page that is not a feed.
    static let noFeed: [ErrorCode] = [.notAFeed, .feedEmpty, .feedIsWebPage]

    /// Returns the reason to end after the next page could not be read.
    static func end(after error: ErrorCode) -> End {
        let passing = ["http.408", "http.425", "http.429"]
        let isMissing = error.rawValue.hasPrefix("http.4") && !passing.contains(error.rawValue)
        return isMissing || noFeed.contains(error) ? .missing : .broken
    }
}
