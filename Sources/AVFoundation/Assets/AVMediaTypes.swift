internal import Foundation

/// A media type, as the four-character code that files use.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
    /// The four-character code as text.
    public let rawValue: String

    /// Creates a media type from a four-character code.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Audio.
    public static let audio = AVMediaType(rawValue: "soun")
    /// Video.
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
    /// Several media types in one stream.
    public static let muxed = AVMediaType(rawValue: "muxx")
}

/// A characteristic by which tracks are selected.
public struct AVMediaCharacteristic: RawRepresentable, Hashable, Sendable {
    /// The name of the characteristic.
    public let rawValue: String

    /// Creates a characteristic from a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The media can be heard.
    public static let audible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicAudible")
    /// The media can be seen.
    public static let visual = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicVisual")
    /// The media can be read.
    public static let legible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicLegible")
}

/// A file type, as a uniform type identifier.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
    /// The uniform type identifier.
    public let rawValue: String

    /// Creates a file type from a uniform type identifier.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// MPEG-4 with audio only (`.m4a`).
    public static let m4a = AVFileType(rawValue: "com.apple.m4a-audio")
    /// MPEG-4 (`.mp4`).
    public static let mp4 = AVFileType(rawValue: "public.mpeg-4")
    /// MPEG-4 with Apple's additions (`.m4v`).
    public static let m4v = AVFileType(rawValue: "com.apple.m4v-video")
    /// QuickTime.
    public static let mov = AVFileType(rawValue: "com.apple.quicktime-movie")
    /// WAVE.
    public static let wav = AVFileType(rawValue: "com.microsoft.waveform-audio")
    /// AIFF.
    public static let aiff = AVFileType(rawValue: "public.aiff-audio")
    /// AIFF, compressed or not.
    public static let aifc = AVFileType(rawValue: "public.aifc-audio")
    /// Core Audio Format.
    public static let caf = AVFileType(rawValue: "com.apple.coreaudio-format")
    /// MPEG layer 3 (MP3).
    public static let mp3 = AVFileType(rawValue: "public.mp3")

    /// The path extension of files that `MediaWriter` writes for this type; `nil` if it cannot write them.
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

/// The loading state of a property.
public enum AVKeyValueStatus: Int, Sendable {
    /// Loading has not started.
    case unknown = 0
    /// The property is being loaded.
    case loading = 1
    /// The property is loaded.
    case loaded = 2
    /// Loading failed.
    case failed = 3
    /// Loading was cancelled.
    case cancelled = 4
}

/// An option of `AVURLAsset` with a `Bool`: whether the duration must be exact, even if that requires reading the whole
/// file.
///
/// By default, the duration of files that do not state it is an estimate.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
/// An option of `AVURLAsset` with a `[String: String]`: the HTTP headers of each request.
public let AVURLAssetHTTPHeaderFieldsKey = "AVURLAssetHTTPHeaderFieldsKey"
/// An option of `AVURLAsset` with a `String`: the `User-Agent` of each request.
public let AVURLAssetHTTPUserAgentKey = "AVURLAssetHTTPUserAgentKey"
/// An option of `AVURLAsset` with a `Bool`: whether mobile networks may be used; has no effect.
public let AVURLAssetAllowsCellularAccessKey = "AVURLAssetAllowsCellularAccessKey"
/// An option of `AVURLAsset` with a `String`: the MIME type of the resource; has no effect, because the type is
/// detected from the bytes.
public let AVURLAssetOverrideMIMETypeKey = "AVURLAssetOverrideMIMETypeKey"
/// An option of `AVURLAsset` that restricts references to other resources; has no effect.
public let AVURLAssetReferenceRestrictionsKey = "AVURLAssetReferenceRestrictionsKey"
