/// In what form samples are written, where the format leaves a choice.
package struct MediaSampleFormat: RawRepresentable, Hashable, Sendable {
    /// `f32`, `f64`, `s16`, `s24` or `s32`.
    package let rawValue: String

    /// A form of this name.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The form that holds whole numbers of `bits` bits as they are; `nil` for more than 24, which a float does not hold.
    package init?(bitDepth bits: Int) {
        switch bits {
        case 1...16: self = .s16
        case 17...24: self = .s24
        default: return nil
        }
    }

    /// Float of 32 bits.
    package static let f32 = MediaSampleFormat(rawValue: "f32")
    /// Float of 64 bits.
    package static let f64 = MediaSampleFormat(rawValue: "f64")
    /// Whole numbers of 16 bits.
    package static let s16 = MediaSampleFormat(rawValue: "s16")
    /// Whole numbers of 24 bits.
    package static let s24 = MediaSampleFormat(rawValue: "s24")
    /// Whole numbers of 32 bits; what is written is float, and so has 24 that count.
    package static let s32 = MediaSampleFormat(rawValue: "s32")
}

/// The encoding of the sound in a file, where the container supports several.
package struct MediaCodecName: RawRepresentable, Hashable, Sendable {
    /// `pcm`, `aac`, `alac`, `flac`, `mp3`, `vorbis` or `opus`.
    package let rawValue: String

    /// A codec of this name.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The samples as they are: `wav`, `aiff` and `caf`.
    package static let pcm = MediaCodecName(rawValue: "pcm")
    /// AAC, low complexity: `m4a`.
    package static let aac = MediaCodecName(rawValue: "aac")
    /// Apple Lossless: `m4a` and `caf`.
    package static let alac = MediaCodecName(rawValue: "alac")
    /// FLAC: `flac` and `ogg`.
    package static let flac = MediaCodecName(rawValue: "flac")
    /// MPEG layer 3: `mp3`.
    package static let mp3 = MediaCodecName(rawValue: "mp3")
    /// Vorbis: `ogg`.
    package static let vorbis = MediaCodecName(rawValue: "vorbis")
    /// Opus: `opus` and `ogg`.
    package static let opus = MediaCodecName(rawValue: "opus")
}

/// The settings of a `MediaWriter` beyond the rate and number of channels.
package struct MediaWriterSettings: Sendable {
    /// The ending of a name that stands for the format; by default that of the path.
    package var container: String?
    /// The encoding; by default the usual one of the container (AAC in `m4a`, Vorbis in `ogg`).
    package var codec: MediaCodecName?
    /// For `wav` and `caf` every one (by default `f32`), for `aiff` too (`s24`), for FLAC and Apple Lossless `s16` and
    /// `s24` (`s24`); without meaning for the others.
    package var sampleFormat: MediaSampleFormat?
    /// Bits per second, for the codecs that lose something.
    package var bitRate: Int?
    /// The arrangement of the channels, as in `MediaInfo.channelLayout`; by default the usual one for their number.
    package var channelLayout: String?
    /// `title`, `artist`, `album` and so on.
    package var tags: [String: String]
    /// The chapters, where the container has room for them: `m4a` (both kinds), `mp3`, `flac`, `ogg`, `opus`.
    package var chapters: [MediaChapter]
    /// The cover, a JPEG or PNG, where the container has room for it: those, and `aiff`.
    package var artwork: MediaPicture?
    /// Whether the file is written under its own name from the beginning, in the place of one that is there, and can be read
    /// while it grows; false unless set: then it appears when it is complete.
    package var isInPlace = false

    /// Settings of which each may be left to be what is usual.
    package init(
        container: String? = nil,
        codec: MediaCodecName? = nil,
        sampleFormat: MediaSampleFormat? = nil,
        bitRate: Int? = nil,
        channelLayout: String? = nil,
        tags: [String: String] = [:],
        chapters: [MediaChapter] = [],
        artwork: MediaPicture? = nil
    ) {
        self.container = container
        self.codec = codec
        self.sampleFormat = sampleFormat
        self.bitRate = bitRate
        self.channelLayout = channelLayout
        self.tags = tags
        self.chapters = chapters
        self.artwork = artwork
    }
}
