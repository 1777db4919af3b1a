internal import ByteStream

/// Relates the positions of one recording in a chain of Ogg, which has its own, to the frames that are given out.
///
/// Where it begins its positions may be any, and on its first page they may be wrong: of FLAC libavformat takes them to begin
/// with 0. So what counts is how far they are from that of its second page. Within a page libavformat adds up the lengths of the
/// packets, and of Vorbis it takes the lengths of the first recording's blocks for those of all; so only where a page begins a
/// position is one.
struct GranuleClock {
    /// Positions that are further apart from what was given out are those of another recording, or lies.
    let longestGap: Int64
    /// Positions that go back by no more are rounded.
    let shortestGap: Int64
    /// The frame at which its position 0 is.
    private var origin: Int64?
    private var page: Int64?
    private var pageCount = 0

    init(longestGap: Int64, shortestGap: Int64) {
        self.longestGap = longestGap
        self.shortestGap = shortestGap
    }

    /// The frame at which decoded sound begins.
    /// - Parameters:
    ///   - position: Of its first sample that is heard, if known.
    ///   - page: Where the page lies in which it begins.
    ///   - next: What it would be if nothing were lost.
    /// - Returns: `nil` if the position says nothing.
    mutating func start(position: Int64?, page: Int64, next: Int64?) -> Int64? {
        guard page != self.page else { return nil }
        self.page = page
        pageCount += 1
        guard pageCount > 1, let position, let next else { return nil }
        if let origin, case let start = origin.addingClamped(position),
            -shortestGap...longestGap ~= start.subtractingClamped(next)
        {
            return start
        }
        origin = next.subtractingClamped(position)
        return nil
    }
}
