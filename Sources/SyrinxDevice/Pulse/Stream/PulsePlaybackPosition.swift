/// The state of a playing stream as the server described it, and the time of that.
///
/// None of its numbers is trusted beyond reason: a wrong one, or a clock that is set, makes what follows from them
/// wrong, and nothing else.
struct PulsePlaybackPosition {
    /// Bytes from the beginning of the stream to where it is written next; `nil` if that is not known.
    let writeIndex: Int64?
    /// Bytes from the beginning of the stream to what the sink is handed next.
    let readIndex: Int64
    /// Microseconds of it that the sink has been handed and has not played.
    let sinkLatency: UInt64
    /// Microseconds that the sink was last said to fill itself up to for this stream.
    let configuredLatency: UInt64
    /// When the server said so, in microseconds.
    let time: UInt64
    /// The age of the snapshot, in microseconds.
    let age: UInt64
    let isPlaying: Bool
    let frameByteCount: Int
    let sampleRate: Double

    /// The largest latency that is plausible, in microseconds.
    static var longestLatency: UInt64 { 60_000_000 }

    private static var microsecondsPerSecond: Int64 { 1_000_000 }
    /// Beyond all times, of which some can be added up.
    private static var longestTime: Int64 { 1 << 60 }

    private var unplayed: Int64 { Int64(min(sinkLatency, Self.longestLatency)) }
    /// Since the server said so the sink has played so long.
    private var playedSince: Int64 { Int64(min(age, Self.longestLatency)) }

    /// The reading of the bytes that the sink has been handed.
    var look: SinkRewind.Look {
        let frameCount = min(max(readIndex, 0) / Int64(frameByteCount), Int64.max / Self.microsecondsPerSecond)
        return SinkRewind.Look(
            handed: min(frameCount * Self.microsecondsPerSecond / Int64(sampleRate), Self.longestTime),
            unplayed: unplayed,
            time: Int64(min(time, UInt64(Self.longestTime))),
            isPlaying: isPlaying
        )
    }

    /// Microseconds that the sink is to fill itself up to.
    var sinkLevel: Int64 { Int64(min(configuredLatency, Self.longestLatency)) }

    /// Microseconds of the stream that have been played by now.
    var played: Int64 { look.handed - unplayed + playedSince }

    /// Returns the number of the last bytes that can be taken back for certain, whatever the sink does next; `nil` if that is
    /// not known.
    /// - Parameter keptBySink: As `SinkRewind` has found it out.
    func unheardByteCount(_ answer: PulseRoundTrip, keptBySink: Int64?) -> Int? {
        guard let writeIndex else { return nil }
        // Where the sink gives nothing back, it may have filled itself up.
        let level = Int64(min(answer.sinkLevel, Self.longestLatency))
        let refilled = max(level - unplayed, 0) + Int64(answer.latest)
        let kept = keptBySink.map { min($0, Int64(Self.longestLatency)) + Int64(answer.soonest) - unplayed }
        return unreadByteCount(of: writeIndex, after: playedSince + (kept ?? refilled))
    }

    /// The number of the last bytes that the sink has not been handed; `nil` if that is not known.
    var unreadByteCount: Int? { unreadByteCount(after: 0) }

    /// Returns the number of them that remain when the sink has been handed `microseconds` more; `nil` if that is not known.
    /// - Parameter microseconds: At most some minutes, and more than some minutes below 0.
    func unreadByteCount(after microseconds: Int64) -> Int? {
        writeIndex.map { unreadByteCount(of: $0, after: microseconds) }
    }

    private func unreadByteCount(of writeIndex: Int64, after microseconds: Int64) -> Int {
        let frameCount = microseconds * Int64(sampleRate) / Self.microsecondsPerSecond
        // No server holds so much.
        let byteCount = min(max(writeIndex &- readIndex, 0), Self.longestTime)
        return Int(max(0, byteCount - frameCount * Int64(frameByteCount)))
    }
}
