/// In what form samples are written, where the format leaves a choice.
public struct MediaSampleFormat: RawRepresentable, Hashable, Sendable {
    /// `f32`, `f64`, `s16`, `s24` or `s32`.
    public let rawValue: String

    /// A form of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Float of 32 bits.
    public static let f32 = MediaSampleFormat(rawValue: "f32")
    /// Float of 64 bits.
    public static let f64 = MediaSampleFormat(rawValue: "f64")
    /// Whole numbers of 16 bits.
    public static let s16 = MediaSampleFormat(rawValue: "s16")
    /// Whole numbers of 24 bits.
    public static let s24 = MediaSampleFormat(rawValue: "s24")
    /// Whole numbers of 32 bits; what is written is float, and so has 24 that count.
    public static let s32 = MediaSampleFormat(rawValue: "s32")
}

/// The encoding of the sound in a file, where the container supports several.
public struct MediaCodecName: RawRepresentable, Hashable, Sendable {
    /// `pcm`, `aac`, `alac`, `flac`, `mp3`, `vorbis` or `opus`.
    public let rawValue: String

    /// A codec of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The samples as they are: `wav`, `aiff` and `caf`.
    public static let pcm = MediaCodecName(rawValue: "pcm")
    /// AAC, low complexity: `m4a`.
    public static let aac = MediaCodecName(rawValue: "aac")
    /// Apple Lossless: `m4a` and `caf`.
    public static let alac = MediaCodecName(rawValue: "alac")
    /// FLAC: `flac` and `ogg`.
    public static let flac = MediaCodecName(rawValue: "flac")
    /// MPEG layer 3: `mp3`.
    public static let mp3 = MediaCodecName(rawValue: "mp3")
    /// Vorbis: `ogg`.
    public static let vorbis = MediaCodecName(rawValue: "vorbis")
    /// Opus: `opus` and `ogg`.
    public static let opus = MediaCodecName(rawValue: "opus")
}

/// The settings of a `MediaWriter` beyond the rate and number of channels.
public struct MediaWriterSettings: Sendable {
    /// The ending of a name that stands for the format; by default that of the path.
    public var container: String?
    /// The encoding; by default the usual one of the container (AAC in `m4a`, Vorbis in `ogg`).
    public var codec: MediaCodecName?
    /// For `wav` and `caf` every one (by default `f32`), for `aiff` too (`s24`), for FLAC and Apple Lossless `s16` and
    /// `s24` (`s24`); without meaning for the others.
    public var sampleFormat: MediaSampleFormat?
    /// Bits per second, for the codecs that lose something.
    public var bitRate: Int?
    /// The arrangement of the channels, as in `MediaInfo.channelLayout`; by default the usual one for their number.
    public var channelLayout: String?
    /// `title`, `artist`, `album` and so on.
    public var tags: [String: String]
    /// The chapters, where the container has room for them: `m4a` (both kinds), `mp3`, `flac`, `ogg`, `opus`.
    public var chapters: [MediaChapter]
    /// The cover, a JPEG or PNG, where the container has room for it: those, and `aiff`.
    public var artwork: MediaPicture?
    /// Whether the file is written under its own name from the beginning, in the place of one that is there, and can be read
    /// while it grows; false unless set: then it appears when it is complete.
    public var isInPlace = false

    /// Settings of which each may be left to be what is usual.
    public init(
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
