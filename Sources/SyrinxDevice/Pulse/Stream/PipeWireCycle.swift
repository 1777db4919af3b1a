/// The moments at which PipeWire reads a stream.
///
/// It reads a block at a time, at equal intervals, and after a block it may ask for as much as it has read since it last asked.
/// So the next block is read one block's length after a request, or after what has been read since. How long a block is it does not
/// say: a request is for one block, or for several.
///
/// Times are microseconds of one clock.
struct PipeWireCycle: Equatable {
    private var requestTime: UInt64?
    private var requestLength: UInt64 = 0

    /// A request comes so long after its block was read, or so much before it, as a thread may take to wake.
    private static let jitter: UInt64 = 500
    /// By so much a block may differ from the others, where the rate is changed.
    private static let roundingError: UInt64 = 150
    /// Requests are for some 20 ms, and blocks of less than 2.5 ms are rare.
    private static let mostBlocks: UInt64 = 8
    /// Only the first request is for more.
    private static let longestRequest: UInt64 = 2_000_000

    /// The server asks for `length` more at the time `now`.
    mutating func note(requestFor length: UInt64, at now: UInt64) {
        guard length > 0 else { return }
        requestTime = now
        requestLength = min(length, Self.longestRequest)
    }

    /// Returns how much of the stream may be read before what is sent at `now` has arrived.
    /// - Parameters:
    ///   - latest: How long after `now` it may arrive.
    ///   - read: What has been read since the request.
    /// - Returns: `nil` if that is not known.
    func readAhead(at now: UInt64, latest: UInt64, read: UInt64) -> UInt64? {
        guard let requestTime, requestLength > 0 else { return nil }
        let elapsed = now > requestTime ? now - requestTime : 0
        // It does not read as it did, if it reads at all.
        guard elapsed < requestLength + Self.jitter, read <= requestLength else { return requestLength }
        let end = elapsed + min(latest, Self.longestRequest)
        var isKnown = false
        for count in 1...Self.mostBlocks {
            let block = max(requestLength / count, 1)
            let (blockCount, rest) = (read + Self.roundingError).quotientAndRemainder(dividingBy: block)
            let (last, next) = (blockCount * block, (blockCount + 1) * block)
            // Whether so much has been read in this time if a block is that long.
            guard rest <= 2 * Self.roundingError, last <= elapsed + Self.jitter, elapsed < next + Self.jitter else {
                continue
            }
            isKnown = true
            if next <= end { return block }
        }
        return isKnown ? 0 : requestLength
    }
}
