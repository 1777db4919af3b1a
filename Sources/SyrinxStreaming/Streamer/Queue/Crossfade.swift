/// The overlap of an input's end with the start of the one that follows.
///
/// The end fades out and the start fades in, with gains whose squares add up to 1 (equal power), so that the loudness of different
/// sounds stays the same. Both inputs are heard in full: the one that follows begins sooner.
public struct Crossfade: Sendable, Equatable {
    /// The longest overlap, in seconds.
    public static let maximumDuration = 12.0

    /// The length of the overlap, in seconds of the inputs, 0…12; default 0, which is none.
    ///
    /// It is shorter where less is decoded ahead, and never longer than half of the input that follows.
    public var duration: Double {
        didSet { duration = Self.clamped(duration) }
    }

    /// Whether tracks that follow each other on the same album overlap, too; default false.
    ///
    /// Parts of one recording, and an input that repeats, follow without a gap in any case.
    public var appliesWithinAlbums: Bool

    /// An overlap of `duration` seconds; what is no number is none.
    public init(duration: Double = 0, appliesWithinAlbums: Bool = false) {
        self.duration = Self.clamped(duration)
        self.appliesWithinAlbums = appliesWithinAlbums
    }

    private static func clamped(_ duration: Double) -> Double {
        duration.isNaN ? 0 : min(max(0, duration), maximumDuration)
    }
}
