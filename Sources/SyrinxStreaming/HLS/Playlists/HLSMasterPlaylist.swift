import Foundation

/// The playlist of the renditions of a presentation (RFC 8216, 4.3.4; there called a master playlist).
struct HLSMasterPlaylist: Sendable, Equatable {
    /// A version of the whole presentation.
    struct Variant: Sendable, Equatable {
        /// The media playlist.
        var url: URL
        /// The peak bit rate of all that belongs to it, in bits a second; 0 if it is not stated.
        var bandwidth: Int64
        /// The codecs in the form of RFC 6381, such as `mp4a.40.2`; empty if not stated.
        var codecs: [String]
        /// Whether the variant states a resolution or a frame rate.
        var statesPictures: Bool
        /// The group of alternative audio renditions.
        var audioGroup: String?
    }

    /// An alternative audio rendition of a group.
    struct Rendition: Sendable, Equatable {
        /// The group it belongs to.
        var group: String
        /// Its name for people.
        var name: String
        /// The language as BCP 47 has it.
        var language: String?
        /// Whether the rendition is played by default.
        var isDefault: Bool
        /// Whether the rendition may be selected automatically.
        var isAutomatic: Bool
        /// The number of channels, if it is stated.
        var channelCount: Int64?
        /// The URL of the media playlist; `nil` if the audio is in the playlist of the variants.
        var url: URL?
    }

    /// The variants, in the order of the playlist, those that cannot be opened left out.
    var variants: [Variant] = []
    /// The alternative audio renditions.
    var renditions: [Rendition] = []
    /// The start time of playback in seconds; a negative time is relative to the end.
    var startOffset: Double?
    /// The variables that media playlists may import.
    var variables: [String: String] = [:]
    /// The reason why the last entry was left out, if any was.
    var refusal: SyrinxError?

    /// More variants and renditions than any presentation has.
    static let maximumCount = 500

    static func == (a: HLSMasterPlaylist, b: HLSMasterPlaylist) -> Bool {
        a.variants == b.variants && a.renditions == b.renditions && a.startOffset == b.startOffset
            && a.variables == b.variables && a.refusal?.code == b.refusal?.code
    }
}

extension HLSMasterPlaylist.Variant {
    /// Returns whether a codec is an audio codec.
    static func isSound(_ codec: String) -> Bool {
        let name = codec.lowercased().prefix { $0 != "." }
        return soundCodecs.contains(String(name))
    }

    private static let soundCodecs: Set = [
        "mp4a", "ac-3", "ec-3", "ac-4", "flac", "opus", "alac", "mp3", "dtsc", "dtse",
    ]

    /// Whether the variant is known to contain audio only.
    var isSoundOnly: Bool { !statesPictures && !codecs.isEmpty && codecs.allSatisfy(Self.isSound) }

    /// Whether the variant is known to contain video only.
    var isSilent: Bool { !codecs.isEmpty && !codecs.contains(where: Self.isSound) && audioGroup == nil }

    /// Whether a decoder for the audio is missing.
    var isUndecodable: Bool {
        let sound = codecs.map { $0.lowercased() }.filter(Self.isSound)
        return !sound.isEmpty && sound.allSatisfy { $0.hasPrefix("ac-4") }
    }
}
