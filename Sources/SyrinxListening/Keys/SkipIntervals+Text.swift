extension SkipIntervals {
    /// The intervals in the help of a page.
    var meaning: String {
        back == forward
            ? "\(Self.text(back)) s back, forward" : "\(Self.text(back)) s back, \(Self.text(forward)) s forward"
    }

    /// The intervals in as few characters as can be.
    package var brief: String {
        back == forward ? "\(Self.text(back)) s" : "\(Self.text(back)), \(Self.text(forward)) s"
    }

    private static func text(_ seconds: Double) -> String { SoundLimits.number((seconds * 10).rounded() / 10) }
}
