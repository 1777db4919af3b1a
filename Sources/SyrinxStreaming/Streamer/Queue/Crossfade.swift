/// A crossfade: the end of one item overlaps the start of the next.
///
/// The end fades out and the start fades in with equal power (the squares of both gains add up to 1), so that the
/// loudness stays constant. Both items are played in full; the next one starts earlier.
public struct Crossfade: Sendable, Equatable {
    /// The maximum duration, in seconds.
    public static let maximumDuration = 12.0

    /// The duration of the overlap in seconds of the input.
    ///
    /// Values are clamped to 0…12; NaN becomes 0. The default, 0, switches crossfading off. The overlap is shorter if
    /// less audio is decoded ahead. It never exceeds half of the next item.
    public var duration: Double {
        didSet { duration = Self.clamped(duration) }
    }

    /// Whether consecutive tracks of one album overlap too; false by default.
    ///
    /// Parts of one recording, and an item that repeats, always follow without a gap and without an overlap.
    public var appliesWithinAlbums: Bool

    /// Creates a crossfade; `duration` is clamped to 0…12, and NaN means 0.
    public init(duration: Double = 0, appliesWithinAlbums: Bool = false) {
        self.duration = Self.clamped(duration)
        self.appliesWithinAlbums = appliesWithinAlbums
    }

    private static func clamped(_ duration: Double) -> Double {
        duration.isNaN ? 0 : min(max(0, duration), maximumDuration)
    }
}
