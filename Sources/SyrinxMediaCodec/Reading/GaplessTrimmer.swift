internal import SyrinxByteStream

/// Selects the decoded samples to return.
///
/// It drops samples before the seek target and the delay and padding of the encoder, and it fills gaps from damage with
/// silence.
struct GaplessTrimmer {
    /// The part of a decoded frame to return.
    struct Cut: Equatable {
        /// The number of silent frames before it.
        var silence: Int64 = 0
        /// The range of samples to return.
        var keep: Range<Int> = 0..<0
    }

    /// The index of the first sample to return; earlier ones are dropped.
    private(set) var target: Int64 = 0
    /// The index of the next decoded sample, or `nil` after a seek until a timestamp is known.
    private(set) var next: Int64?
    /// The index at which the recording ends, regardless of the length of the last packet.
    var end: Int64?
    /// The longest gap that is filled with silence; longer ones are assumed to be wrong timestamps.
    let longestGap: Int64
    /// The frame count that the container states; a gap before that end may be longer than `longestGap`.
    var stated: Int64?
    /// The shortest gap that counts as damage although all packets decode, or `nil` if none does.
    var shortestGap: Int64?
    /// Whether each timestamp is used until the target is reached, because libavformat's second one in a Vorbis page
    /// may be wrong.
    private var followsTimestamps = false
    private var isDamaged = false
    /// Whether packets before the last frame could not be decoded.
    private(set) var wasDamaged = false

    init(next: Int64?, end: Int64?, longestGap: Int64, stated: Int64? = nil, shortestGap: Int64? = nil) {
        self.next = next
        self.end = end
        self.longestGap = longestGap
        self.stated = stated
        self.shortestGap = shortestGap
    }

    /// Whether the next decoded samples will be returned.
    var isAudible: Bool { next.map { $0 >= target } ?? false }

    /// Continues with packets from another position, and drops the samples before `frame`.
    /// - Parameter next: The index of the next decoded sample, if it is known without a timestamp.
    mutating func seek(to frame: Int64, next: Int64?) {
        target = frame
        self.next = next
        followsTimestamps = next == nil
        isDamaged = false
    }

    private func isGap(_ length: Int64) -> Bool { isDamaged || shortestGap.map { length >= $0 } ?? false }

    /// Records that a packet could not be decoded.
    mutating func damaged() {
        isDamaged = true
    }

    /// Continues at `frame`, if the gap is short enough.
    /// - Returns: The number of silent frames before it.
    mutating func fill(to frame: Int64) -> Int64 {
        guard let next, 1...longestGap ~= frame.subtractingClamped(next) else { return 0 }
        self.next = frame
        return max(frame.subtractingClamped(max(next, target)), 0)
    }

    /// Returns the part of a decoded frame of `count` samples to return to the caller.
    /// - Parameters:
    ///   - start: The index of its first sample, if it is known. It is used only after a seek or damage, so that
    ///     containers with a few dropped packets still play through.
    ///   - endTrim: The number of padding samples at its end.
    ///   - startTrim: The number of delay samples at its start.
    mutating func accept(start: Int64?, count: Int, endTrim: Int, startTrim: Int = 0) -> Cut {
        var cut = Cut()
        if followsTimestamps, !isAudible, let start, start <= target { next = start }
        var begin = next ?? start ?? target
        // Packets that contain only padding continue after the end of the sound, which is not a gap.
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
        // Packets after the stated end show that it is wrong.
        if let end, begin >= end { self.end = nil }
        let first = max(begin, target)
        let last = min(stop, end ?? stop)
        // fits: both are within the decoded frame
        if first < last { cut.keep = startTrim + Int(first - begin)..<startTrim + Int(last - begin) }
        if let end, stop > end { next = max(end, begin) }
        return cut
    }
}
