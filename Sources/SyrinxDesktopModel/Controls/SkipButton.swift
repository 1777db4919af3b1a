/// The look and the name of a button that skips by seconds.
public struct SkipButton: Sendable, Equatable {
    /// The seconds of a skip if neither a podcast nor the settings set them, as in mpv.
    public static let usualSeconds = 5

    /// The seconds, 1 … 600.
    public let seconds: Int
    /// Whether it skips forward.
    public let isForward: Bool

    /// Creates the description of a button.
    /// - Parameters:
    ///   - seconds: The seconds of a skip; they count as the nearest of 1 … 600.
    ///   - isForward: Whether it skips forward.
    public init(seconds: Double, isForward: Bool) {
        // Bounded: an interval is at most 600 seconds.
        self.seconds = seconds.isFinite ? Int(seconds.rounded().clamped(to: 1...600)) : Self.usualSeconds
        self.isForward = isForward
    }

    /// The name for people and screen readers.
    public var label: String {
        "\(isForward ? "Forward" : "Back") \(seconds == 1 ? "1 Second" : "\(seconds) Seconds")"
    }

    /// The name of the icon: with the number where there is such an icon, else without one.
    public var icon: String {
        "syrinx-skip-\(isForward ? "forward" : "back")\(seconds == Self.usualSeconds ? "" : "-plain")-symbolic"
    }
}
