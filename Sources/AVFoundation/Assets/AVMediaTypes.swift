internal import Foundation

/// A kind of media, in the words of files: a four-character code as text.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
    /// The four characters.
    public let rawValue: String

    /// The kind of this code.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Sound.
    public static let audio = AVMediaType(rawValue: "soun")
    /// Moving pictures.
    public static let video = AVMediaType(rawValue: "vide")
    /// Text.
    public static let text = AVMediaType(rawValue: "text")
    /// Closed captions.
    public static let closedCaption = AVMediaType(rawValue: "clcp")
    /// Subtitles.
    public static let subtitle = AVMediaType(rawValue: "sbtl")
    /// Time codes.
    public static let timecode = AVMediaType(rawValue: "tmcd")
    /// Metadata.
    public static let metadata = AVMediaType(rawValue: "meta")
    /// Several kinds in one stream.
    public static let muxed = AVMediaType(rawValue: "muxx")
}

/// A property of media by which tracks are chosen.
public struct AVMediaCharacteristic: RawRepresentable, Hashable, Sendable {
    /// The text of the property.
    public let rawValue: String

    /// The property of this text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Can be heard.
    public static let audible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicAudible")
    /// Can be seen.
    public static let visual = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicVisual")
    /// Can be read.
    public static let legible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicLegible")
}

/// A kind of file, as a uniform type identifier.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
    /// The identifier.
    public let rawValue: String

    /// The kind of this identifier.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// MPEG-4 with sound only.
    public static let m4a = AVFileType(rawValue: "com.apple.m4a-audio")
    /// MPEG-4.
    public static let mp4 = AVFileType(rawValue: "public.mpeg-4")
    /// MPEG-4 with Apple's additions.
    public static let m4v = AVFileType(rawValue: "com.apple.m4v-video")
    /// QuickTime.
    public static let mov = AVFileType(rawValue: "com.apple.quicktime-movie")
    /// WAVE.
    public static let wav = AVFileType(rawValue: "com.microsoft.waveform-audio")
    /// AIFF.
    public static let aiff = AVFileType(rawValue: "public.aiff-audio")
    /// AIFF, compressed or not.
    public static let aifc = AVFileType(rawValue: "public.aifc-audio")
    /// Core Audio's format.
    public static let caf = AVFileType(rawValue: "com.apple.coreaudio-format")
    /// MPEG layer 3.
    public static let mp3 = AVFileType(rawValue: "public.mp3")

    /// The ending of a `MediaWriter`'s files of this kind, if they can be written.
    var container: String? {
        switch self {
        case .m4a, .mp4: "m4a"
        case .wav: "wav"
        case .aiff: "aiff"
        case .aifc: "aifc"
        case .caf: "caf"
        case .mp3: "mp3"
        case AVFileType(rawValue: "org.xiph.flac"): "flac"
        default: nil
        }
    }
}

/// The state of a value that is loaded in the background.
public enum AVKeyValueStatus: Int, Sendable {
    /// Nothing has asked for it yet.
    case unknown = 0
    /// It is being loaded.
    case loading = 1
    /// It is there.
    case loaded = 2
    /// It cannot be loaded.
    case failed = 3
    /// Loading was given up.
    case cancelled = 4
}

/// The option whose `Bool` says whether the duration is to be exact, however long it takes to find it out.
///
/// Without it the duration of files that do not state it is an estimate.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
/// The option whose `[String: String]` is sent as headers with each request.
public let AVURLAssetHTTPHeaderFieldsKey = "AVURLAssetHTTPHeaderFieldsKey"
/// The option whose `String` is sent as `User-Agent` with each request.
public let AVURLAssetHTTPUserAgentKey = "AVURLAssetHTTPUserAgentKey"
/// The option whose `Bool` says whether mobile networks may be used; without effect.
public let AVURLAssetAllowsCellularAccessKey = "AVURLAssetAllowsCellularAccessKey"
/// The option whose `String` is the media type of the resource; without effect, as the bytes tell it.
public let AVURLAssetOverrideMIMETypeKey = "AVURLAssetOverrideMIMETypeKey"
/// The option with which resources other assets may be referred to; without effect.
public let AVURLAssetReferenceRestrictionsKey = "AVURLAssetReferenceRestrictionsKey"
