public import CoreAudioTypes

/// The description of a recording.
public struct MediaInfo: Sendable, Equatable {
    /// The container, in FFmpeg's short name.
    ///
    /// `mp3`, `aac` (which is ADTS), `mp4`, `wav`, `flac`, `ogg`, `aiff`, `caf`, `webm` and others.
    public var container: String { format.name }
    /// The description of the container.
    package var format: Container
    /// The codec, in FFmpeg's short name.
    ///
    /// `mp3`, `aac`, `flac`, `vorbis`, `opus`, `alac`, `pcm_s16le` and others.
    public var codec: String
    /// The codec's profile, for example `LC` or `HE-AAC`, if it has one.
    public var profile: String?
    /// Frames per second.
    public var sampleRate: Double
    /// Frames per second of what was encoded, where that is another number: Opus is always decoded at 48 kHz.
    public var originalSampleRate: Double?
    /// The number of channels.
    public var channelCount: Int
    /// The arrangement of the channels in words: `mono`, `stereo`, `5.1`.
    public var channelLayout: String
    /// Bits per second of the compressed sound, stated or worked out from size and duration.
    public var bitRate: Int?
    /// Seconds, or `nil` while not even an estimate is possible.
    public var duration: Double?
    /// Whether `duration` is what the recording states or what was counted; if false, it is an estimate from the size.
    public var durationIsExact: Bool
    /// The frames that are given out when the whole is read, without the encoder's delay and padding.
    ///
    /// `nil` until it is known, which may be only at the end of the data.
    public var frameCount: Int64?
    /// Whether any position can be gone to.
    public var isSeekable: Bool
    /// Bytes of the whole file, if known.
    public var size: Int64?
    /// Title, artist and so on; the keys are in lower case, the same for all containers.
    ///
    /// Several values of one field are separated by semicolons.
    public var tags: [String: String]
    /// The chapters, in order of time.
    public var chapters: [MediaChapter]
    /// The cover picture, if there is one.
    public var artwork: MediaArtwork?
    /// Bits of a sample, where the codec keeps whole numbers as they are; `nil` of float samples, and of codecs that lose something.
    public var bitDepth: Int?
    /// The compressed stream in the words of Core Audio; its rate and channels are those above.
    public var streamDescription: AudioStreamBasicDescription

    /// Compares every property.
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

/// A named part of a recording.
public struct MediaChapter: Sendable, Equatable {
    /// Seconds from the start of the recording.
    public var start: Double
    /// Seconds from the start of the recording.
    public var end: Double
    /// The title, if there is one.
    public var title: String?

    /// A chapter from `start` to `end` seconds.
    public init(start: Double, end: Double, title: String?) {
        self.start = start
        self.end = end
        self.title = title
    }
}

/// A cover picture, as it lies in a recording.
public struct MediaPicture: Sendable, Equatable {
    /// The kind of picture, `image/jpeg` for example.
    public var mimeType: String
    /// Pixels; 0 if not known.
    public var width: Int
    /// Pixels; 0 if not known.
    public var height: Int
    /// The file of the picture.
    public var data: [UInt8]

    /// A picture of these measures.
    public init(mimeType: String, width: Int, height: Int, data: [UInt8]) {
        self.mimeType = mimeType
        self.width = width
        self.height = height
        self.data = data
    }
}

/// The cover picture of a recording, without its pixels.
public struct MediaArtwork: Sendable, Equatable {
    /// The kind of picture, `image/jpeg` for example.
    public var mimeType: String
    /// Pixels; 0 if not known.
    public var width: Int
    /// Pixels; 0 if not known.
    public var height: Int
    /// The size of the picture in bytes.
    public var byteCount: Int

    /// A picture of these measures.
    public init(mimeType: String, width: Int, height: Int, byteCount: Int) {
        self.mimeType = mimeType
        self.width = width
        self.height = height
        self.byteCount = byteCount
    }
}
