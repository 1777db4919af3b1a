/// The position of a playing stream that the server reported.
///
/// Implausible values and clock changes lead to wrong results, but not to overflow.
struct PulsePlaybackPosition {
    /// The position at which the next data are written, in bytes from the start of the stream; `nil` if it is unknown.
    let writeIndex: Int64?
    /// The position from which the sink reads next, in bytes from the start of the stream.
    let readIndex: Int64
    /// The duration that the sink has received but not played, in microseconds.
    let sinkLatency: UInt64
    /// The last known fill level of the sink for this stream, in microseconds.
    let configuredLatency: UInt64
    /// The time of the report, in microseconds.
    let time: UInt64
    /// The age of the report, in microseconds.
    let age: UInt64
    let isPlaying: Bool
    let frameByteCount: Int
    let sampleRate: Double

    /// The largest latency that is plausible, in microseconds.
    static var longestLatency: UInt64 { 60_000_000 }

    private static var microsecondsPerSecond: Int64 { 1_000_000 }
    /// The largest time, several of which can be added without overflow.
    private static var longestTime: Int64 { 1 << 60 }

    private var unplayed: Int64 { Int64(min(sinkLatency, Self.longestLatency)) }
    /// The time that the sink has played since the report, in microseconds.
    private var playedSince: Int64 { Int64(min(age, Self.longestLatency)) }

    /// The reading for `SinkRewind`.
    var look: SinkRewind.Look {
        let frameCount = min(max(readIndex, 0) / Int64(frameByteCount), Int64.max / Self.microsecondsPerSecond)
        return SinkRewind.Look(
            handed: min(frameCount * Self.microsecondsPerSecond / Int64(sampleRate), Self.longestTime),
            unplayed: unplayed,
            time: Int64(min(time, UInt64(Self.longestTime))),
            isPlaying: isPlaying
        )
    }

    /// The fill level of the sink, in microseconds.
    var sinkLevel: Int64 { Int64(min(configuredLatency, Self.longestLatency)) }

    /// The stream position that has been played by now, in microseconds.
    var played: Int64 { look.handed - unplayed + playedSince }

    /// Returns the number of bytes at the end that can certainly be taken back; `nil` if it is unknown.
    /// - Parameter keptBySink: The result of `SinkRewind`.
    func unheardByteCount(_ answer: PulseRoundTrip, keptBySink: Int64?) -> Int? {
        guard let writeIndex else { return nil }
        // A sink that cannot rewind may have been filled to its level.
        let level = Int64(min(answer.sinkLevel, Self.longestLatency))
        let refilled = max(level - unplayed, 0) + Int64(answer.latest)
        let kept = keptBySink.map { min($0, Int64(Self.longestLatency)) + Int64(answer.soonest) - unplayed }
        return unreadByteCount(of: writeIndex, after: playedSince + (kept ?? refilled))
    }

    /// The number of bytes at the end that the sink has not received; `nil` if it is unknown.
    var unreadByteCount: Int? { unreadByteCount(after: 0) }

    /// Returns the number of unread bytes after the sink receives `microseconds` more; `nil` if it is unknown.
    /// - Parameter microseconds: At most a few minutes; may be negative.
    func unreadByteCount(after microseconds: Int64) -> Int? {
        writeIndex.map { unreadByteCount(of: $0, after: microseconds) }
    }

    private func unreadByteCount(of writeIndex: Int64, after microseconds: Int64) -> Int {
        let frameCount = microseconds * Int64(sampleRate) / Self.microsecondsPerSecond
        // No server has a buffer of this size.
        let byteCount = min(max(writeIndex &- readIndex, 0), Self.longestTime)
        return Int(max(0, byteCount - frameCount * Int64(frameByteCount)))
    }
}
