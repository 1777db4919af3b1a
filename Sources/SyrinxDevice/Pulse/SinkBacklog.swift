/// Decides how often a sink has to be asked to rewind before it plays a new stream.
///
/// A null sink of PulseAudio that plays nothing renders two seconds of silence at a time. When a stream of low latency comes, it
/// takes back no more than that latency for each request to rewind: without further requests the stream waits for the rest.
///
/// Times are microseconds.
struct SinkBacklog: Equatable {
    private var last: Int64?
    private var failureCount = 0

    /// The amount that a sink may have ahead beyond the latency that was asked for.
    private static let allowance: Int64 = 50_000
    /// Reports without an effect after which the sink is taken for one that gives nothing back: an answer may have been on its way
    /// when the request was sent.
    private static let mostFailures = 3
    /// Requests at a time, two seconds' worth at 30 ms each.
    private static let mostRequests: Int64 = 70

    /// Returns how many requests to send now.
    /// - Parameters:
    ///   - unplayed: What the sink says that it has yet to play before the stream.
    ///   - latency: What it was asked for.
    mutating func requestCount(unplayed: Int64, latency: Int64) -> Int {
        guard latency > 0, failureCount < Self.mostFailures, unplayed > latency + Self.allowance else { return 0 }
        defer { last = unplayed }
        // The first one finds out whether it helps.
        guard let last else { return 1 }
        guard last - unplayed >= latency / 2 else {
            failureCount += 1
            return 0
        }
        return Int(min((unplayed - latency) / latency + 1, Self.mostRequests))
    }
}
