import Foundation

/// The selection among the renditions of a presentation for audio playback.
struct HLSSelection: Equatable {
    /// A rendition that may be played.
    struct Level: Equatable {
        var playlist: HLSMediaPlaylist.Resource
        /// Bits a second; 0 if that is not stated.
        var bandwidth: Int64
    }

    /// The interchangeable renditions, from the lowest bit rate to the highest.
    private(set) var levels: [Level] = []
    /// The index of the rendition to start with.
    private(set) var start = 0
    /// Whether more bandwidth may be used for a higher bit rate; false if that would only improve the video.
    private(set) var adapts = false

    /// Bits a second that a line is taken to have before it was measured.
    private static let usualBandwidth: Int64 = 256_000
    /// The assumed bandwidth for video, in bits per second.
    private static let usualPictures: Int64 = 2_500_000

    /// Selects an audio-only rendition if possible, preferably the preferred alternative, otherwise the lowest bit
    /// rate.
    init(_ master: HLSMasterPlaylist, preference: SoundPreference = SoundPreference()) {
        let heard = master.variants.filter { !$0.isSilent && !$0.isUndecodable }
        let variants = heard.isEmpty ? master.variants : heard
        let sounds = Self.alternatives(master, variants, preference)
        let alone = variants.filter { $0.isSoundOnly && $0.audioGroup == nil }
        if !sounds.isEmpty {
            take(sounds)
            adapts = true
        } else if !alone.isEmpty {
            take(alone.map { Self.level($0.url, $0.bandwidth) })
            adapts = true
        } else {
            take(variants.map { Self.level($0.url, $0.bandwidth) })
            // The other variants have the same audio with better video.
            start = 0
        }
    }

    /// Selects video: that of the played variant or, with separate audio, the best for a typical bandwidth.
    init(picturesOf master: HLSMasterPlaylist, hasOwnSound: Bool) {
        take(master.variants.filter { !$0.isSoundOnly }.map { Self.level($0.url, $0.bandwidth) })
        start = hasOwnSound ? levels.lastIndex { $0.bandwidth <= Self.usualPictures } ?? 0 : 0
    }

    /// One rendition, without a master playlist.
    init(only playlist: HLSMediaPlaylist.Resource) { levels = [Level(playlist: playlist, bandwidth: 0)] }

    private static func level(_ url: URL, _ bandwidth: Int64) -> Level {
        Level(playlist: HLSMediaPlaylist.Resource(url: url), bandwidth: bandwidth)
    }

    private mutating func take(_ found: [Level]) {
        let sorted = found.enumerated().sorted {
            ($0.element.bandwidth, $0.offset) < ($1.element.bandwidth, $1.offset)
        }.map(\.element)
        for level in sorted where !levels.contains(where: { $0.playlist == level.playlist }) { levels.append(level) }
        start = levels.lastIndex { $0.bandwidth <= Self.usualBandwidth } ?? 0
    }

    /// Returns the alternative audio renditions with separate playlists: the best of each group, as long as their
    /// codecs are equal.
    private static func alternatives(
        _ master: HLSMasterPlaylist,
        _ variants: [HLSMasterPlaylist.Variant],
        _ preference: SoundPreference
    ) -> [Level] {
        var levels: [(level: Level, codec: String, channels: Int64)] = []
        for group in Set(master.renditions.map(\.group)).sorted() {
            let users = variants.filter { $0.audioGroup == group }
            let options = master.renditions.filter { $0.group == group }
            guard let choice = preference.choice(among: options.map(\.option)), let url = options[choice].url,
                let bandwidth = users.map(\.bandwidth).min()
            else { continue }
            let codec = users.first.flatMap { $0.codecs.first(where: HLSMasterPlaylist.Variant.isSound) } ?? ""
            levels.append((Self.level(url, bandwidth), codec, options[choice].channelCount ?? 2))
        }
        // Prefers stereo in a widely supported codec: other renditions have other channels or another loudness.
        guard let best = levels.min(by: { (rank($0.codec), $0.channels) < (rank($1.codec), $1.channels) }) else {
            return []
        }
        return levels.filter { rank($0.codec) == rank(best.codec) && $0.channels == best.channels }.map(\.level)
    }

    private static func rank(_ codec: String) -> Int {
        let name = codec.lowercased()
        return name.hasPrefix("mp4a") || name.isEmpty ? 0 : name.hasPrefix("ac-4") ? 2 : 1
    }
}
