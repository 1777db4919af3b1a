/// The seconds of `skip-forward` and `skip-back`.
package struct SkipIntervals: Equatable, Sendable {
    /// Seconds back.
    package var back: Double
    /// Seconds forward.
    package var forward: Double

    /// Creates intervals; default 5 seconds both ways, as in mpv.
    package init(back: Double = 5, forward: Double = 5) { (self.back, self.forward) = (back, forward) }

    /// The intervals in the help of a page.
    var meaning: String {
        back == forward
            ? "\(Self.text(back)) s back, forward" : "\(Self.text(back)) s back, \(Self.text(forward)) s forward"
    }

    /// The intervals in as few characters as can be.
    package var brief: String {
        back == forward ? "\(Self.text(back)) s" : "\(Self.text(back)), \(Self.text(forward)) s"
    }

    private static func text(_ seconds: Double) -> String { FloatText.text(seconds, decimals: 1) }
}
