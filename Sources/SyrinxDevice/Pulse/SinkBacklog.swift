/// Decides how many times to ask a sink to rewind before it starts a new stream.
///
/// An idle null sink of PulseAudio renders two seconds of silence at a time. For each rewind request of a new
/// low-latency stream, it takes back only as much as that stream's latency. Without further requests, the stream would
/// start after the remaining silence.
///
/// All times are in microseconds.
struct SinkBacklog: Equatable {
    private var last: Int64?
    private var failureCount = 0

    /// The time by which a sink may be ahead of the requested latency before it is asked to rewind.
    private static let allowance: Int64 = 50_000
    /// The number of ineffective requests after which the sink counts as unable to rewind.
    ///
    /// A report may have been sent before the request arrived, so a single one is not conclusive.
    private static let mostFailures = 3
    /// The maximum number of requests at a time: two seconds at 30 ms each.
    private static let mostRequests: Int64 = 70

    /// Returns the number of requests to send now.
    /// - Parameters:
    ///   - unplayed: The reported time that the sink still has to play before the stream.
    ///   - latency: The latency of the stream.
    mutating func requestCount(unplayed: Int64, latency: Int64) -> Int {
        guard latency > 0, failureCount < Self.mostFailures, unplayed > latency + Self.allowance else { return 0 }
        defer { last = unplayed }
        // The first request tests whether the sink rewinds.
        guard let last else { return 1 }
        guard last - unplayed >= latency / 2 else {
            failureCount += 1
            return 0
        }
        return Int(min((unplayed - latency) / latency + 1, Self.mostRequests))
    }
}
