/// The label and icon of a button that skips forward or back.
public struct SkipButton: Sendable, Equatable {
    /// The default length of a skip in seconds, as in mpv.
    public static let usualSeconds = 5

    /// The length of the skip in seconds, 1…600.
    public let seconds: Int
    /// Whether it skips forward.
    public let isForward: Bool

    /// Creates the description of a button.
    /// - Parameters:
    ///   - seconds: The length of the skip in seconds, clamped to 1…600.
    ///   - isForward: Whether the button skips forward.
    public init(seconds: Double, isForward: Bool) {
        // Bounded: an interval is at most 600 seconds.
        self.seconds = seconds.isFinite ? Int(seconds.rounded().clamped(to: 1...600)) : Self.usualSeconds
        self.isForward = isForward
    }

    /// The label, for display and screen readers.
    public var label: String {
        "\(isForward ? "Forward" : "Back") \(seconds == 1 ? "1 Second" : "\(seconds) Seconds")"
    }

    /// The name of the icon, which contains the number of seconds if the theme has such an icon.
    public var icon: String {
        "syrinx-skip-\(isForward ? "forward" : "back")\(seconds == Self.usualSeconds ? "" : "-plain")-symbolic"
    }
}
