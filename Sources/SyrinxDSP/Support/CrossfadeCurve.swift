/// The curve of a crossfade, 10 x³ − 15 x⁴ + 6 x⁵.
///
/// Its first two derivatives are 0 at both ends.
package struct CrossfadeCurve {
    private let frameCount: Int
    /// Frames until the end.
    package private(set) var remaining = 0

    package init(frameCount: Int) { self.frameCount = max(1, frameCount) }

    package var isFinished: Bool { remaining == 0 }

    package mutating func begin() { remaining = frameCount }

    package mutating func finish() { remaining = 0 }

    package mutating func advance(_ count: Int) { remaining -= count }

    /// Returns the gain of the new sound, 0…1, after a number of frames from now.
    @inline(__always)
    package func share(after frames: Int) -> Double {
        curve(Double(frameCount - remaining + frames) / Double(frameCount))
    }

    /// Returns the gain of the input of a filter that fades in: the same curve, in the first half of the time.
    ///
    /// A filter whose input starts with a step would ring during its fade-in, for a long time near half the sample
    /// rate.
    @inline(__always)
    package func inputGain(after frames: Int) -> Double {
        curve(min(1, 2 * Double(frameCount - remaining + frames) / Double(frameCount)))
    }

    @inline(__always)
    private func curve(_ x: Double) -> Double { x * x * x * (10 + x * (6 * x - 15)) }
}
