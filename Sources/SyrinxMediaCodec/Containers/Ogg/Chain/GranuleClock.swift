internal import SyrinxByteStream

/// Relates the positions of one recording in a chain of Ogg, which has its own, to the frames that are given out.
///
/// Where it begins its positions may be any, and on its first page they may be wrong: of FLAC libavformat takes them to begin
/// with 0. So what counts is how far they are from that of its second page. Within a page libavformat adds up the lengths of the
/// packets, and of Vorbis it takes the lengths of the first recording's blocks for those of all; so only where a page begins a
/// position is one.
struct GranuleClock: RecordingClock {
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

    mutating func start(position: Int64?, offset: Int64, next: Int64?) -> Int64? {
        guard offset != page else { return nil }
        page = offset
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
