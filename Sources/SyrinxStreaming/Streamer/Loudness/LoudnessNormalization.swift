public import Foundation

/// A loudness normalization: the target, and the rules for the gain of each recording.
///
/// The gain is computed from loudness tags if there are any, otherwise from a measurement. ReplayGain tags refer to 89
/// dB SPL, which is −18 LUFS. Opus tags (`R128_TRACK_GAIN`, RFC 7845) refer to −23 LUFS, and the decoder's output gain
/// applies in addition. iTunes' `iTunNORM` is ignored.
///
/// The gain is reduced if the largest sample would exceed −1 dBFS. If a recording stays quieter than `target`, the
/// streamer sends the warning `media.loudnessNotReached`.
///
/// ```swift
/// streamer.normalization = LoudnessNormalization(target: -18)
/// print(streamer.normalizationGain.decibels)
/// ```
public struct LoudnessNormalization: Sendable, Equatable {
    /// The target loudness in LUFS, −40…−5; −16 by default.
    ///
    /// Values outside are clamped; NaN sets the default.
    public var target: Double {
        get { wantedTarget }
        set { wantedTarget = newValue.isNaN ? -16 : min(max(newValue, -40), -5) }
    }

    /// Whether an album gain takes precedence over a track gain, which preserves level differences between tracks; true
    /// by default.
    ///
    /// If the preferred tag is missing, the other one is used.
    public var prefersAlbumGain: Bool

    private var wantedTarget = -16.0

    /// Creates a normalization to a target loudness in LUFS.
    public init(target: Double = -16, prefersAlbumGain: Bool = true) {
        self.prefersAlbumGain = prefersAlbumGain
        self.target = target
    }

    /// The loudness measured so far of a recording.
    public struct Measurement: Sendable, Equatable {
        /// The gated loudness in LUFS; `nil` if it cannot be measured.
        public var loudness: Double?
        /// The peak magnitude, of samples or between samples; 1 is full scale.
        public var peak: Double
        /// The duration of the audio above the absolute gate, in seconds.
        public var duration: TimeInterval
        /// Whether the whole recording has been measured.
        public var isWhole: Bool

        /// Creates a measurement; by default of a part of the recording.
        public init(loudness: Double?, peak: Double, duration: TimeInterval, isWhole: Bool = false) {
            (self.loudness, self.peak, self.duration, self.isWhole) = (loudness, peak, duration, isWhole)
        }
    }

    /// A gain and its origin.
    public struct Gain: Sendable, Equatable {
        /// The origin of a gain.
        public enum Source: String, Sendable {
            /// Tags of the album.
            case album
            /// Tags of the track.
            case track
            /// A measurement of the audio.
            case measurement
            /// The loudness is not known yet; the gain is 0 dB.
            case none
        }

        /// The gain in dB.
        public var decibels: Double
        /// The origin of the gain.
        public var source: Source
        /// Whether the gain was reduced so that the peak stays below the ceiling.
        public var isLimited = false
        /// The difference to `target`, in LU, by which the recording stays too quiet.
        public var shortfall = 0.0
    }

    /// The maximum gain in dB.
    static let maximumGain = 24.0
    /// The maximum peak in dBFS: 1 dB of headroom for peaks between samples.
    static let ceiling = -1.0
    /// The minimum duration, in seconds, of a measurement that may raise the level: that of a short-term loudness.
    static let leastDuration = 3.0

    /// Returns the gain for a recording with these tags and this measurement.
    ///
    /// A measurement of less than 3 seconds can only lower the level, unless it covers the whole recording.
    /// - Parameters:
    ///   - tags: The tags, as in `MediaInfo`.
    ///   - measured: The measurement so far; used if no tag states the loudness.
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
        // The tag states the peak of the whole recording. A decoded part may still exceed it.
        let peak = max(tagged?.peak ?? 0, measured?.peak ?? 0)
        let room = peak > 0 ? Self.ceiling - 20 * log10(peak) : .infinity
        // A recording whose own peak exceeds the ceiling is not lowered for that.
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

/// The loudness stated in tags.
struct LoudnessTags: Equatable {
    /// The loudness and the peak of a track or an album.
    struct Entry: Equatable {
        /// The loudness in LUFS.
        var loudness: Double?
        /// The peak magnitude of a sample, if stated.
        var peak: Double?
    }

    /// `nil` if the tags do not state it.
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
        // Q7.8: a signed 16-bit number in steps of 1/256 dB.
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
