extension SkipIntervals {
    /// The intervals as text for the help page.
    var meaning: String {
        back == forward
            ? "\(Self.text(back)) s back, forward" : "\(Self.text(back)) s back, \(Self.text(forward)) s forward"
    }

    /// The intervals as text that is as short as possible.
    package var brief: String {
        back == forward ? "\(Self.text(back)) s" : "\(Self.text(back)), \(Self.text(forward)) s"
    }

    private static func text(_ seconds: Double) -> String { SoundLimits.number((seconds * 10).rounded() / 10) }
}
