internal import SyrinxByteStream

/// Converts the granule positions of one recording in an Ogg chain to output frames.
///
/// Granule positions may start at any value, and may be wrong on the first page: for FLAC, libavformat assumes that
/// they start at 0. The distance from the position of the second page is therefore used. Within a page, libavformat
/// adds packet lengths, and for Vorbis it uses the block sizes of the first recording for all of them. Only the
/// position at the start of a page is therefore reliable.
struct GranuleClock: RecordingClock {
    /// The maximum distance from the output position; a larger one belongs to another recording, or is wrong.
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
