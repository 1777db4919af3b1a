internal import SyrinxByteStream

/// Decides which decoded samples are given out: none before the place asked for, no delay or padding of the encoder, and
/// silence where damage has left a gap.
struct GaplessTrimmer {
    /// The part of a decoded frame that is given out.
    struct Cut: Equatable {
        /// Frames of silence before it.
        var silence: Int64 = 0
        /// The samples of it that are heard.
        var keep: Range<Int> = 0..<0
    }

    /// Samples before this one are dropped.
    private(set) var target: Int64 = 0
    /// The number of the next sample to be decoded; `nil` after a seek, until a timestamp tells.
    private(set) var next: Int64?
    /// The recording ends here, whatever the last packet decodes to.
    var end: Int64?
    /// A gap no longer than this is filled with silence; a longer one is a lie of the timestamps.
    let longestGap: Int64
    /// The frames that the container states; a gap before the last of them may be longer.
    var stated: Int64?
    /// A gap of so many frames is damage even where every packet can be decoded; `nil` if none is.
    var shortestGap: Int64?
    /// Whether each timestamp counts until the target is reached: libavformat's second one in a page of Vorbis may be wrong.
    private var followsTimestamps = false
    private var isDamaged = false
    /// Whether packets gave nothing before the last frame.
    private(set) var wasDamaged = false

    init(next: Int64?, end: Int64?, longestGap: Int64, stated: Int64? = nil, shortestGap: Int64? = nil) {
        self.next = next
        self.end = end
        self.longestGap = longestGap
        self.stated = stated
        self.shortestGap = shortestGap
    }

    /// Whether what is decoded now is going to be heard.
    var isAudible: Bool { next.map { $0 >= target } ?? false }

    /// Goes on from other packets, and drops everything before `frame`.
    /// - Parameter next: The number of the next sample to be decoded, if it is known without a timestamp.
    mutating func seek(to frame: Int64, next: Int64?) {
        target = frame
        self.next = next
        followsTimestamps = next == nil
        isDamaged = false
    }

    private func isGap(_ length: Int64) -> Bool { isDamaged || shortestGap.map { length >= $0 } ?? false }

    /// A packet gave nothing.
    mutating func damaged() {
        isDamaged = true
    }

    /// Goes on at `frame`, if that is near enough.
    /// - Returns: The frames of silence that are heard up to there.
    mutating func fill(to frame: Int64) -> Int64 {
        guard let next, 1...longestGap ~= frame.subtractingClamped(next) else { return 0 }
        self.next = frame
        return max(frame.subtractingClamped(max(next, target)), 0)
    }

    /// Takes a decoded frame of `count` samples.
    /// - Parameters:
    ///   - start: The number of its first sample, if known. It counts after a seek and after damage only: containers that
    ///     drop a packet here and there still play through.
    ///   - endTrim: Padding at its end.
    ///   - startTrim: Delay at its start.
    mutating func accept(start: Int64?, count: Int, endTrim: Int, startTrim: Int = 0) -> Cut {
        var cut = Cut()
        if followsTimestamps, !isAudible, let start, start <= target { next = start }
        var begin = next ?? start ?? target
        // Packets that are all padding go on behind the end of the sound, which is no gap.
        if let start, let next, case let gap = start.subtractingClamped(next), gap > 0, isGap(gap),
            gap <= longestGap || start < stated ?? 0, isDamaged || endTrim < count
        {
            cut.silence = max(start.subtractingClamped(max(next, target)), 0)
            begin = start
        }
        wasDamaged = isDamaged
        isDamaged = false
        let heard = max(count.subtractingClamped(endTrim).subtractingClamped(startTrim), 0)
        let stop = begin.addingClamped(Int64(heard))
        next = stop
        // Packets past the stated end show that it is not the end.
        if let end, begin >= end { self.end = nil }
        let first = max(begin, target)
        let last = min(stop, end ?? stop)
        // fits: both lie within the frame that was decoded
        if first < last { cut.keep = startTrim + Int(first - begin)..<startTrim + Int(last - begin) }
        if let end, stop > end { next = max(end, begin) }
        return cut
    }
}
