/// Estimates when PipeWire reads from a stream.
///
/// PipeWire reads blocks at equal intervals. After a block it may request as much data as it has read since the last
/// request. So the next read is one block duration after a request, or after the blocks read since. The block size is
/// unknown, because a request may be for one block or several.
///
/// All times are in microseconds of one clock.
struct PipeWireCycle: Equatable {
    private var requestTime: UInt64?
    private var requestLength: UInt64 = 0

    /// The time by which a request may precede or follow the read of its block, because of thread scheduling.
    private static let jitter: UInt64 = 500
    /// The difference between block durations that rate conversion can cause.
    private static let roundingError: UInt64 = 150
    /// The maximum number of blocks per request: requests are for about 20 ms, and blocks of less than 2.5 ms are rare.
    private static let mostBlocks: UInt64 = 8
    /// The longest plausible request; only the first request can be for more.
    private static let longestRequest: UInt64 = 2_000_000

    /// Records that the server requested `length` microseconds at the time `now`.
    mutating func note(requestFor length: UInt64, at now: UInt64) {
        guard length > 0 else { return }
        requestTime = now
        requestLength = min(length, Self.longestRequest)
    }

    /// Returns the duration that may be read before data sent at `now` have arrived.
    /// - Parameters:
    ///   - latest: The maximum time from `now` until the data arrive.
    ///   - read: The duration read since the request.
    /// - Returns: `nil` if there was no request yet.
    func readAhead(at now: UInt64, latest: UInt64, read: UInt64) -> UInt64? {
        guard let requestTime, requestLength > 0 else { return nil }
        let elapsed = now > requestTime ? now - requestTime : 0
        // The server has not read as expected, or has stopped reading.
        guard elapsed < requestLength + Self.jitter, read <= requestLength else { return requestLength }
        let end = elapsed + min(latest, Self.longestRequest)
        var isKnown = false
        for count in 1...Self.mostBlocks {
            let block = max(requestLength / count, 1)
            let (blockCount, rest) = (read + Self.roundingError).quotientAndRemainder(dividingBy: block)
            let (last, next) = (blockCount * block, (blockCount + 1) * block)
            // Check whether this block size is consistent with the amount read in this time.
            guard rest <= 2 * Self.roundingError, last <= elapsed + Self.jitter, elapsed < next + Self.jitter else {
                continue
            }
            isKnown = true
            if next <= end { return block }
        }
        return isKnown ? 0 : requestLength
    }
}
