public import CoreAudioTypes

/// A description of a recording: its container, codec, format, duration, tags, chapters and cover.
///
/// `SyrinxStreamer.info` returns it for the current input:
///
/// ```swift
/// if let info = streamer.info {
///     print(info.tags["title"] ?? "untitled", info.codec, info.sampleRate)
///     for chapter in info.chapters { print(chapter.start, chapter.title ?? "") }
/// }
/// ```
public struct MediaInfo: Sendable, Equatable {
    /// The short name that FFmpeg has for the container.
    ///
    /// Examples are `mp3`, `aac` (ADTS), `mp4`, `wav`, `flac`, `ogg`, `aiff`, `caf` and `webm`.
    public var container: String { format.name }
    /// The container.
    package var format: Container
    /// The short name that FFmpeg has for the codec.
    ///
    /// Examples are `mp3`, `aac`, `flac`, `vorbis`, `opus`, `alac` and `pcm_s16le`.
    public var codec: String
    /// The profile of the codec, for example `LC` or `HE-AAC`, or `nil` if the codec has no profiles.
    public var profile: String?
    /// The sample rate of the decoded sound, in hertz.
    public var sampleRate: Double
    /// The sample rate before encoding, in hertz, or `nil` if it equals `sampleRate`.
    ///
    /// They differ for Opus, which is always decoded at 48 kHz.
    public var originalSampleRate: Double?
    /// The number of channels.
    public var channelCount: Int
    /// The channel layout as text, for example `mono`, `stereo` or `5.1`.
    public var channelLayout: String
    /// The bit rate of the compressed sound, in bits per second, or `nil` if it is unknown.
    ///
    /// If the recording does not state it, it is computed from the size and the duration.
    public var bitRate: Int?
    /// The duration in seconds, or `nil` if it cannot even be estimated yet.
    public var duration: Double?
    /// Whether `duration` is exact: stated by the recording or counted.
    ///
    /// If `false`, `duration` is an estimate from the size.
    public var durationIsExact: Bool
    /// The number of decoded frames in the whole recording, without encoder delay and padding.
    ///
    /// It is `nil` until it is known. For some files it is known only after the last byte has been read.
    public var frameCount: Int64?
    /// Whether the recording can be read from any position.
    public var isSeekable: Bool
    /// The size of the file in bytes, or `nil` if it is unknown.
    public var size: Int64?
    /// The tags, for example `title` and `artist`.
    ///
    /// The keys are lowercase and the same for all containers. Multiple values of a tag are separated by semicolons.
    public var tags: [String: String]
    /// The chapters, ordered by start time.
    public var chapters: [MediaChapter]
    /// The cover picture, or `nil` if the recording has none.
    public var artwork: MediaArtwork?
    /// The number of bits per sample, for lossless codecs with integer samples.
    ///
    /// It is `nil` for float samples and for lossy codecs.
    public var bitDepth: Int?
    /// The format of the compressed sound, as Core Audio describes it.
    ///
    /// Its sample rate and channel count equal `sampleRate` and `channelCount`.
    public var streamDescription: AudioStreamBasicDescription

    /// Returns whether all properties are equal.
    public static func == (a: MediaInfo, b: MediaInfo) -> Bool {
        let one = a.streamDescription
        let two = b.streamDescription
        return a.container == b.container && a.codec == b.codec && a.profile == b.profile
            && a.sampleRate == b.sampleRate && a.originalSampleRate == b.originalSampleRate
            && a.channelCount == b.channelCount && a.channelLayout == b.channelLayout
            && a.bitRate == b.bitRate && a.duration == b.duration && a.durationIsExact == b.durationIsExact
            && a.frameCount == b.frameCount && a.isSeekable == b.isSeekable && a.size == b.size && a.tags == b.tags
            && a.chapters == b.chapters && a.artwork == b.artwork && a.bitDepth == b.bitDepth
            && one.mFormatID == two.mFormatID
            && one.mFormatFlags == two.mFormatFlags && one.mFramesPerPacket == two.mFramesPerPacket
            && one.mBytesPerPacket == two.mBytesPerPacket && one.mBytesPerFrame == two.mBytesPerFrame
            && one.mBitsPerChannel == two.mBitsPerChannel
    }
}

/// A chapter of a recording: a named time range.
public struct MediaChapter: Sendable, Equatable {
    /// The start time of the chapter, in seconds from the start of the recording.
    public var start: Double
    /// The end time of the chapter, in seconds from the start of the recording.
    public var end: Double
    /// The title of the chapter, or `nil` if it has none.
    public var title: String?

    /// Creates a chapter from `start` to `end`, in seconds.
    public init(start: Double, end: Double, title: String?) {
        self.start = start
        self.end = end
        self.title = title
    }
}

/// A cover picture with its encoded data.
public struct MediaPicture: Sendable, Equatable {
    /// The MIME type of the picture, for example `image/jpeg`.
    public var mimeType: String
    /// The width in pixels, or 0 if it is unknown.
    public var width: Int
    /// The height in pixels, or 0 if it is unknown.
    public var height: Int
    /// The encoded picture, for example the bytes of a JPEG file.
    public var data: [UInt8]

    /// Creates a picture from its encoded data.
    public init(mimeType: String, width: Int, height: Int, data: [UInt8]) {
        self.mimeType = mimeType
        self.width = width
        self.height = height
        self.data = data
    }
}

/// A description of the cover picture of a recording, without the picture data.
public struct MediaArtwork: Sendable, Equatable {
    /// The MIME type of the picture, for example `image/jpeg`.
    public var mimeType: String
    /// The width in pixels, or 0 if it is unknown.
    public var width: Int
    /// The height in pixels, or 0 if it is unknown.
    public var height: Int
    /// The size of the encoded picture in bytes.
    public var byteCount: Int

    /// Creates a description of a cover picture.
    public init(mimeType: String, width: Int, height: Int, byteCount: Int) {
        self.mimeType = mimeType
        self.width = width
        self.height = height
        self.byteCount = byteCount
    }
}
