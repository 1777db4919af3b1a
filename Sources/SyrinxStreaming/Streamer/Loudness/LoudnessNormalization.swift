public import Foundation

/// The gain that brings recordings to one loudness: by their tags, else by what has been measured of them.
///
/// ReplayGain's gains lead to 89 dB SPL, which is −18 LUFS, and those of Opus (`R128_TRACK_GAIN`, RFC 7845) to −23 LUFS, on top of the
/// output gain that decoders apply. iTunes' `iTunNORM` is not looked at. The gain is lowered where the largest sample would come above
/// −1 dB of full scale; of a recording that stays quieter than `target` the streamer warns (`media.loudnessNotReached`).
public struct LoudnessNormalization: Sendable, Equatable {
    /// The loudness to come to in LUFS: −40…−5, default −16; others are clamped, and what is no number is the default.
    public var target: Double {
        get { wantedTarget }
        set { wantedTarget = newValue.isNaN ? -16 : min(max(newValue, -40), -5) }
    }

    /// Whether the gain of the album counts where there is one, so that its pieces keep their levels beside each other.
    ///
    /// Default true; else that of the piece counts first.
    public var prefersAlbumGain: Bool

    private var wantedTarget = -16.0

    /// A normalisation to a loudness.
    public init(target: Double = -16, prefersAlbumGain: Bool = true) {
        self.prefersAlbumGain = prefersAlbumGain
        self.target = target
    }

    /// The measurement of a recording so far.
    public struct Measurement: Sendable, Equatable {
        /// The gated loudness in LUFS, if there is one.
        public var loudness: Double?
        /// The largest magnitude, of samples or between them; 1 is full scale.
        public var peak: Double
        /// Seconds of sound above the absolute gate.
        public var duration: TimeInterval
        /// Whether all of the recording has been measured.
        public var isWhole: Bool

        /// A measurement, of a part of the recording unless said otherwise.
        public init(loudness: Double?, peak: Double, duration: TimeInterval, isWhole: Bool = false) {
            (self.loudness, self.peak, self.duration, self.isWhole) = (loudness, peak, duration, isWhole)
        }
    }

    /// A gain, and where it is from.
    public struct Gain: Sendable, Equatable {
        /// The origin of a gain.
        public enum Source: String, Sendable {
            /// The tags of the album.
            case album
            /// The tags of the piece.
            case track
            /// A measurement.
            case measurement
            /// Nothing is known yet: the gain is 0.
            case none
        }

        /// The gain in dB.
        public var decibels: Double
        /// The origin.
        public var source: Source
        /// Whether it has been lowered for the sake of the largest sample.
        public var isLimited = false
        /// The LU by which the recording stays quieter than `target`.
        public var shortfall = 0.0
    }

    /// The largest gain in dB.
    static let maximumGain = 24.0
    /// The level of the largest sample in dB of full scale: 1 dB is left for what lies between samples.
    static let ceiling = -1.0
    /// Seconds that a measurement needs to raise the level: as long as a short-term loudness takes.
    static let leastDuration = 3.0

    /// Returns the gain for a recording with these tags, of which this has been measured.
    ///
    /// A measurement of less than three seconds lowers the level, and does not raise it, unless that is all there is.
    public func gain(tags: [String: String], measured: Measurement? = nil) -> Gain {
        let tags = LoudnessTags(tags)
        let first = prefersAlbumGain ? tags.album : tags.track
        let tagged = first ?? (prefersAlbumGain ? tags.track : tags.album)
        let known = tagged.flatMap(\.loudness)
        guard let loudness = known ?? measured?.loudness else { return Gain(decibels: 0, source: .none) }
        let isAlbum = (first != nil) == prefersAlbumGain
        var wanted = target - loudness
        let isShort = (measured?.duration ?? 0) < Self.leastDuration && measured?.isWhole != true
        if known == nil, isShort { wanted = min(wanted, 0) }
        wanted = min(wanted, Self.maximumGain)
        // The tag tells what is to come; a part that has been decoded may be above it all the same.
        let peak = max(tagged?.peak ?? 0, measured?.peak ?? 0)
        let room = peak > 0 ? Self.ceiling - 20 * log10(peak) : .infinity
        // Where the recording itself comes higher than the ceiling, it is left as it is.
        let limit = max(room, min(0, wanted))
        let decibels = min(wanted, limit)
        return Gain(
            decibels: decibels,
            source: known == nil ? .measurement : isAlbum ? .album : .track,
            isLimited: limit < wanted,
            shortfall: max(0, target - loudness - decibels)
        )
    }
}

/// The loudness that tags tell.
struct LoudnessTags: Equatable {
    /// The loudness of a piece or an album.
    struct Entry: Equatable {
        /// The loudness in LUFS.
        var loudness: Double?
        /// The largest magnitude of a sample, if there is one.
        var peak: Double?
    }

    /// `nil` where the tags have none.
    private(set) var track: Entry?
    private(set) var album: Entry?

    init(_ tags: [String: String]) {
        var found: [String: String] = [:]
        for (name, value) in tags {
            let name = name.lowercased()
            if name.hasPrefix("replaygain_") || name.hasPrefix("r128_") { found[name] = value }
        }
        track = Self.entry("track", found)
        album = Self.entry("album", found)
    }

    private static func entry(_ kind: String, _ tags: [String: String]) -> Entry? {
        let peak = tags["replaygain_\(kind)_peak"].flatMap(number).flatMap { $0 > 0 && $0 <= 100 ? $0 : nil }
        // Q7.8: 16 bits with a sign, in steps of a 256th of a decibel.
        if let steps = tags["r128_\(kind)_gain"].flatMap({ Int16($0.trimmingCharacters(in: .whitespaces)) }) {
            return Entry(loudness: -23 - Double(steps) / 256, peak: peak)
        }
        guard let gain = tags["replaygain_\(kind)_gain"].flatMap(number), abs(gain) <= 64 else { return nil }
        return Entry(loudness: -18 - gain, peak: peak)
    }

    /// Returns the number at the start of a value such as `-7.03 dB` or `-7,03`.
    private static func number(_ text: String) -> Double? {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        let digits = trimmed.prefix { "+-0123456789.,eE".contains($0) }
        let value = Double(digits.replacingOccurrences(of: ",", with: "."))
        return value.flatMap { $0.isFinite ? $0 : nil }
    }
}
