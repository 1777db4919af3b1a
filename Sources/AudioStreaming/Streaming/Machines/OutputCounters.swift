/// The frames and bytes of one input on an output that may play several, one after the other.
struct OutputCounters {
    /// The totals of an input at its end.
    struct Totals: Equatable {
        var frameCount: Int64
        var underrunCount: Int
        var receivedByteCount: Int64
    }

    /// Frames of content that the output had been given before this input; `nil` until the output starts.
    private var contentBaseline: Int64?
    private var underrunBaseline = 0
    /// Frames of content at the last look.
    var lastContent: Int64 = 0
    /// The time when content last reached the output, in monotonic nanoseconds; 0 for never.
    var lastContentAt: UInt64 = 0
    /// The time when the end of the input was rendered, in monotonic nanoseconds.
    var endedAt: UInt64?
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

    /// Forgets the start of the output: the next start counts from 0.
    mutating func restart() { contentBaseline = nil }

    /// Forgets the times of the samples before a seek.
    mutating func move() {
        lastContentAt = 0
        endedAt = nil
    }

    /// Takes over from the input before, which ended when `content` frames had been given.
    mutating func take(from old: OutputCounters, content: Int64, underruns: Int) {
        (contentBaseline, underrunBaseline) = (content, underruns)
        (lastContent, lastContentAt) = (old.lastContent, old.lastContentAt)
    }

    /// Returns the totals of the input when the output has been given `content` frames and has run dry `underruns` times.
    func totals(content: Int64, underruns: Int) -> Totals {
        guard let contentBaseline else { return Totals(frameCount: 0, underrunCount: 0, receivedByteCount: received) }
        return Totals(
            frameCount: max(0, content - contentBaseline),
            underrunCount: max(0, underruns - underrunBaseline),
            receivedByteCount: received
        )
    }
}
