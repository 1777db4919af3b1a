import SyrinxByteStream

/// The end of an input between rendering and hearing, which differ by the latency of the output.
struct RenderedEnd {
    /// The time when the end was rendered, in monotonic nanoseconds; `nil` before.
    private(set) var renderedAt: UInt64?

    /// Notes that the end was rendered.
    /// - Parameters:
    ///   - now: The time in monotonic nanoseconds.
    ///   - latency: The latency of the output in seconds.
    /// - Returns: Whether the end was heard.
    mutating func isHeard(at now: UInt64, latency: Double) -> Bool {
        let renderedAt = renderedAt ?? now
        self.renderedAt = renderedAt
        return Double(now.subtractingClamped(renderedAt)) >= latency * 1e9
    }
}
