/// The curve of a crossfade: 10 x³ − 15 x⁴ + 6 x⁵, whose first two derivatives are 0 at both ends.
package struct CrossfadeCurve {
    private let frameCount: Int
    /// Frames until the end.
    package private(set) var remaining = 0

    package init(frameCount: Int) { self.frameCount = max(1, frameCount) }

    package var isFinished: Bool { remaining == 0 }

    package mutating func begin() { remaining = frameCount }

    package mutating func finish() { remaining = 0 }

    package mutating func advance(_ count: Int) { remaining -= count }

    /// Returns the share of the new sound, 0…1, so many frames from now.
    @inline(__always)
    package func share(after frames: Int) -> Double {
        curve(Double(frameCount - remaining + frames) / Double(frameCount))
    }

    /// Returns the gain of the input of what fades in: the same curve in the first half of the time.
    ///
    /// A filter that begins with a step would ring while it is faded in, near half the sample rate for long.
    @inline(__always)
    package func inputGain(after frames: Int) -> Double {
        curve(min(1, 2 * Double(frameCount - remaining + frames) / Double(frameCount)))
    }

    @inline(__always)
    private func curve(_ x: Double) -> Double { x * x * x * (10 + x * (6 * x - 15)) }
}
