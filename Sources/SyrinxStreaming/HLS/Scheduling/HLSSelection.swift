import Foundation

/// The choice among the renditions of a presentation for a player of sound.
struct HLSSelection: Equatable {
    /// A rendition that may be played.
    struct Level: Equatable {
        var playlist: HLSMediaPlaylist.Resource
        /// Bits a second; 0 if that is not stated.
        var bandwidth: Int64
    }

    /// The renditions that can take each other's place, from the lowest bit rate to the highest.
    private(set) var levels: [Level] = []
    /// The one to start with.
    private(set) var start = 0
    /// Whether a faster line may be used for a higher bit rate: not where that would only buy better pictures.
    private(set) var adapts = false

    /// Bits a second that a line is taken to have before it was measured.
    private static let usualBandwidth: Int64 = 256_000
    /// The same where there are pictures.
    private static let usualPictures: Int64 = 2_500_000

    /// Chooses sound alone where there is any, the preferred one of alternatives, and else the lowest bit rate.
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
            // The others have the same sound, with more of pictures.
            start = 0
        }
    }

    /// Chooses pictures: those of the variant whose sound is played, or, beside sound of its own, the best for a line that is usual.
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

    /// The alternative sounds with playlists of their own: of each group the one that suits, as long as the codecs are one.
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
        // Stereo in a codec that is decoded everywhere first: others have other channels or another loudness.
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
