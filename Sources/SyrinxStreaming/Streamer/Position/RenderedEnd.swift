import SyrinxByteStream

/// The end of an input between being rendered and being heard, which is the latency of the output later.
struct RenderedEnd {
    /// The time when the end was rendered, in monotonic nanoseconds; `nil` before.
    private(set) var renderedAt: UInt64?

    /// Records that the end has been rendered, if that is new.
    /// - Parameters:
    ///   - now: The time in monotonic nanoseconds.
    ///   - latency: The latency of the output in seconds.
    /// - Returns: Whether the end has been heard.
    mutating func isHeard(at now: UInt64, latency: Double) -> Bool {
        let renderedAt = renderedAt ?? now
        self.renderedAt = renderedAt
        return Double(now.subtractingClamped(renderedAt)) >= latency * 1e9
    }
}
