/// The seconds of `skip-forward` and `skip-back`.
package struct SkipIntervals: Equatable, Sendable {
    /// Seconds back.
    package var back: Double
    /// Seconds forward.
    package var forward: Double

    /// Creates intervals; default 5 seconds both ways, as in mpv.
    package init(back: Double = 5, forward: Double = 5) { (self.back, self.forward) = (back, forward) }
}
