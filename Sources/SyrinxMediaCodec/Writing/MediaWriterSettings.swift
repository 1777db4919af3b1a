/// The format of the samples in a file.
package struct MediaSampleFormat: RawRepresentable, Hashable, Sendable {
    /// The name: `f32`, `f64`, `s16`, `s24` or `s32`.
    package let rawValue: String

    /// Creates a sample format from its name.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// Creates the smallest format that keeps integers of `bits` bits exact.
    ///
    /// It is `nil` for more than 24 bits, which a 32-bit float cannot represent.
    package init?(bitDepth bits: Int) {
        switch bits {
        case 1...16: self = .s16
        case 17...24: self = .s24
        default: return nil
        }
    }

    /// Floating-point samples of 32 bits.
    package static let f32 = MediaSampleFormat(rawValue: "f32")
    /// Floating-point samples of 64 bits.
    package static let f64 = MediaSampleFormat(rawValue: "f64")
    /// Integer samples of 16 bits.
    package static let s16 = MediaSampleFormat(rawValue: "s16")
    /// Integer samples of 24 bits.
    package static let s24 = MediaSampleFormat(rawValue: "s24")
    /// Integer samples of 32 bits, of which 24 are significant because the input is float.
    package static let s32 = MediaSampleFormat(rawValue: "s32")
}

/// The codec of a file, for containers that support several.
package struct MediaCodecName: RawRepresentable, Hashable, Sendable {
    /// The name: `pcm`, `aac`, `alac`, `flac`, `mp3`, `vorbis` or `opus`.
    package let rawValue: String

    /// Creates a codec name.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// Uncompressed samples, in `wav`, `aiff` and `caf`.
    package static let pcm = MediaCodecName(rawValue: "pcm")
    /// AAC-LC, in `m4a`.
    package static let aac = MediaCodecName(rawValue: "aac")
    /// Apple Lossless, in `m4a` and `caf`.
    package static let alac = MediaCodecName(rawValue: "alac")
    /// FLAC, in `flac` and `ogg`.
    package static let flac = MediaCodecName(rawValue: "flac")
    /// MP3, in `mp3`.
    package static let mp3 = MediaCodecName(rawValue: "mp3")
    /// Vorbis, in `ogg`.
    package static let vorbis = MediaCodecName(rawValue: "vorbis")
    /// Opus, in `opus` and `ogg`.
    package static let opus = MediaCodecName(rawValue: "opus")
}

/// The settings of a `MediaWriter` besides the sample rate and the channel count.
package struct MediaWriterSettings: Sendable {
    /// The format as a file extension.
    ///
    /// The default is the extension of the path.
    package var container: String?
    /// The codec.
    ///
    /// The default is that of the container, for example AAC in `m4a` and Vorbis in `ogg`.
    package var codec: MediaCodecName?
    /// The sample format, which lossy codecs ignore.
    ///
    /// `wav` and `caf` support all formats (default `f32`), and so does `aiff` (default `s24`). FLAC and Apple Lossless
    /// support `s16` and `s24` (default `s24`).
    package var sampleFormat: MediaSampleFormat?
    /// The bit rate of lossy codecs, in bits per second.
    package var bitRate: Int?
    /// The channel layout, as in `MediaInfo.channelLayout`.
    ///
    /// The default is the usual one for the channel count.
    package var channelLayout: String?
    /// The tags, for example `title`, `artist` and `album`.
    package var tags: [String: String]
    /// The chapters, for containers that support them: `m4a` (both kinds), `mp3`, `flac`, `ogg` and `opus`.
    package var chapters: [MediaChapter]
    /// The cover, as JPEG or PNG, for the containers that support chapters and for `aiff`.
    package var artwork: MediaPicture?
    /// Whether the file is written at its final path from the start and can be read while it grows.
    ///
    /// An existing file is replaced at once. The default is `false`: the file appears when it is complete.
    package var isInPlace = false

    /// Creates settings, all of which have defaults.
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
