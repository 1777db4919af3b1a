import SyrinxByteStream

/// Counts the frames and bytes of one input on an output that plays several inputs.
struct OutputCounters {
    /// The totals of an input at its end.
    struct Totals: Equatable {
        var frameCount: Int64
        var underrunCount: Int
        var receivedByteCount: Int64
    }

    /// The number of content frames sent to the output before this input; `nil` until the output starts.
    private var contentBaseline: Int64?
    private var underrunBaseline = 0
    /// The totals of earlier outputs.
    private var earlier = (frames: Int64(0), underruns: 0)
    /// Frames of content at the last look.
    private(set) var lastContent: Int64 = 0
    /// The time when content last reached the output, in monotonic nanoseconds; 0 for never.
    private(set) var lastContentAt: UInt64 = 0
    /// The end of the input on the output.
    var end = RenderedEnd()
    /// Bytes that have been received.
    var received: Int64 = 0

    /// The content before this input, or 0.
    var firstContent: Int64 { contentBaseline ?? 0 }

    /// Records the start of the output for this input, unless it was recorded before.
    mutating func begin(content: Int64, underruns: @autoclosure () -> Int) {
        if contentBaseline == nil {
            contentBaseline = content
            underrunBaseline = underruns()
        }
        lastContent = content
    }

    /// Nanoseconds without new content after which the output is not playing any more.
    private static let stallTime: UInt64 = 300_000_000

    /// Notes the number of content frames sent to the output.
    /// - Parameter isDecoded: Whether samples of the input were decoded; after its end, the output continues without
    ///   any.
    /// - Returns: Whether samples of the input have reached the output since the last call.
    mutating func note(content: Int64, at now: UInt64, isDecoded: Bool) -> Bool {
        defer { lastContent = content }
        guard content > lastContent, isDecoded else { return false }
        lastContentAt = now
        return true
    }

    /// Returns whether no samples have reached the output for a while, though the end has not been rendered.
    func isStalled(at now: UInt64) -> Bool {
        end.renderedAt == nil && now.subtractingClamped(lastContentAt) > Self.stallTime
    }

    /// Returns the seconds of rendered content that were not heard yet.
    /// - Parameter latency: The latency of the output in seconds.
    func secondsUnheard(at now: UInt64, latency: Double) -> Double {
        guard lastContentAt > 0 else { return 0 }
        return max(0, latency - Double(now.subtractingClamped(lastContentAt)) / 1e9)
    }

    /// Resets the counters of the output, which restarts at 0.
    mutating func restart() {
        contentBaseline = nil
        earlier = (0, 0)
    }

    /// Notes that the output was lost after `content` frames and `underruns` underruns.
    ///
    /// The next output starts at 0, and its counts are added.
    mutating func leave(content: Int64, underruns: Int) {
        let totals = totals(content: content, underruns: underruns)
        earlier = (totals.frameCount, totals.underrunCount)
        contentBaseline = nil
    }

    /// Forgets the times of the samples before a seek.
    mutating func move() {
        lastContentAt = 0
        end = RenderedEnd()
    }

    /// Takes over from the previous input, which ended after `content` frames.
    mutating func take(from old: OutputCounters, content: Int64, underruns: Int) {
        (contentBaseline, underrunBaseline) = (content, underruns)
        (lastContent, lastContentAt) = (old.lastContent, old.lastContentAt)
    }

    /// Returns the totals of the input when the output has received `content` frames and has had `underruns` underruns.
    func totals(content: Int64, underruns: Int) -> Totals {
        let isStarted = contentBaseline != nil
        return Totals(
            frameCount: earlier.frames.addingClamped(isStarted ? max(0, content - firstContent) : 0),
            underrunCount: earlier.underruns.addingClamped(isStarted ? max(0, underruns - underrunBaseline) : 0),
            receivedByteCount: received
        )
    }
}
