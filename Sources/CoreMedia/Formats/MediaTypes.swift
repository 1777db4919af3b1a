public import CoreAudioTypes

/// A media type, as a four-character code.
public typealias CMMediaType = FourCharCode
/// Video.
public let kCMMediaType_Video: CMMediaType = 0x7669_6465
/// Audio.
public let kCMMediaType_Audio: CMMediaType = 0x736F_756E
/// Several media types in one stream.
public let kCMMediaType_Muxed: CMMediaType = 0x6D75_7878
/// Text.
public let kCMMediaType_Text: CMMediaType = 0x7465_7874
/// Closed captions.
public let kCMMediaType_ClosedCaption: CMMediaType = 0x636C_6370
/// Subtitles.
public let kCMMediaType_Subtitle: CMMediaType = 0x7362_746C
/// Time codes.
public let kCMMediaType_TimeCode: CMMediaType = 0x746D_6364
/// Metadata.
public let kCMMediaType_Metadata: CMMediaType = 0x6D65_7461

/// A video codec, as a four-character code.
public typealias CMVideoCodecType = FourCharCode
/// JPEG pictures.
public let kCMVideoCodecType_JPEG: CMVideoCodecType = 0x6A70_6567
/// H.263.
public let kCMVideoCodecType_H263: CMVideoCodecType = 0x6832_3633
/// H.264, which is AVC.
public let kCMVideoCodecType_H264: CMVideoCodecType = 0x6176_6331
/// H.265, which is HEVC.
public let kCMVideoCodecType_HEVC: CMVideoCodecType = 0x6876_6331
/// MPEG-4 part 2.
public let kCMVideoCodecType_MPEG4Video: CMVideoCodecType = 0x6D70_3476
/// MPEG-2.
public let kCMVideoCodecType_MPEG2Video: CMVideoCodecType = 0x6D70_3276
/// MPEG-1.
public let kCMVideoCodecType_MPEG1Video: CMVideoCodecType = 0x6D70_3176
/// VP9.
public let kCMVideoCodecType_VP9: CMVideoCodecType = 0x7670_3039
/// AV1.
public let kCMVideoCodecType_AV1: CMVideoCodecType = 0x6176_3031
/// Apple ProRes 4444.
public let kCMVideoCodecType_AppleProRes4444: CMVideoCodecType = 0x6170_3468
/// Apple ProRes 422 HQ.
public let kCMVideoCodecType_AppleProRes422HQ: CMVideoCodecType = 0x6170_6368
/// Apple ProRes 422.
public let kCMVideoCodecType_AppleProRes422: CMVideoCodecType = 0x6170_636E
/// Apple ProRes 422 LT.
public let kCMVideoCodecType_AppleProRes422LT: CMVideoCodecType = 0x6170_6373
/// Apple ProRes 422 Proxy.
public let kCMVideoCodecType_AppleProRes422Proxy: CMVideoCodecType = 0x6170_636F
/// QuickTime Animation.
public let kCMVideoCodecType_Animation: CMVideoCodecType = 0x726C_6520

/// A pixel format, as a four-character code.
public typealias CMPixelFormatType = FourCharCode
/// Alpha, red, green, blue, 8 bits each.
public let kCMPixelFormat_32ARGB: CMPixelFormatType = 32
/// Blue, green, red, alpha, 8 bits each.
public let kCMPixelFormat_32BGRA: CMPixelFormatType = 0x4247_5241
/// Red, green, blue, 8 bits each.
public let kCMPixelFormat_24RGB: CMPixelFormatType = 24

/// An audio codec, as an `AudioFormatID`.
public typealias CMAudioCodecType = FourCharCode

/// A four-character code with a readable description.
public protocol FourCharacterCode: RawRepresentable, Hashable, CustomStringConvertible, Sendable
where RawValue == FourCharCode {
    /// Creates a code from its number.
    init(rawValue: FourCharCode)
}

extension FourCharacterCode {
    /// A code of the first four characters of `string`, filled up with spaces.
    public init(string: String) {
        let bytes = Array(string.utf8.prefix(4))
        let padding = [UInt8](repeating: UInt8(ascii: " "), count: 4 - bytes.count)
        self.init(rawValue: (bytes + padding).reduce(0) { $0 << 8 | FourCharCode($1) })
    }

    /// The four characters in quotes, or the number if they are not printable.
    public var description: String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (24 - 8 * $0)) }
        guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return "\(rawValue)" }
        return "'\(String(decoding: bytes, as: UTF8.self))'"
    }
}

extension CMFormatDescription {
    /// A media type.
    public struct MediaType: FourCharacterCode {
        /// The code, as in `CMMediaType`.
        public let rawValue: FourCharCode

        /// Creates a media type from a code.
        public init(rawValue: FourCharCode) {
            self.rawValue = rawValue
        }

        /// Video.
        public static let video = MediaType(rawValue: kCMMediaType_Video)
        /// Audio.
        public static let audio = MediaType(rawValue: kCMMediaType_Audio)
        /// Several media types in one stream.
        public static let muxed = MediaType(rawValue: kCMMediaType_Muxed)
        /// Text.
        public static let text = MediaType(rawValue: kCMMediaType_Text)
        /// Closed captions.
        public static let closedCaption = MediaType(rawValue: kCMMediaType_ClosedCaption)
        /// Subtitles.
        public static let subtitle = MediaType(rawValue: kCMMediaType_Subtitle)
        /// Time codes.
        public static let timeCode = MediaType(rawValue: kCMMediaType_TimeCode)
        /// Metadata.
        public static let metadata = MediaType(rawValue: kCMMediaType_Metadata)
    }

    /// A codec or pixel format.
    public struct MediaSubType: FourCharacterCode {
        /// The code: for audio an `AudioFormatID`, for video a `CMVideoCodecType` or `CMPixelFormatType`.
        public let rawValue: FourCharCode

        /// Creates a codec or pixel format from a code.
        public init(rawValue: FourCharCode) {
            self.rawValue = rawValue
        }

        /// Uncompressed audio (linear PCM).
        public static let linearPCM = MediaSubType(rawValue: kAudioFormatLinearPCM)
        /// AC-3.
        public static let ac3 = MediaSubType(rawValue: kAudioFormatAC3)
        /// Enhanced AC-3.
        public static let enhancedAC3 = MediaSubType(rawValue: kAudioFormatEnhancedAC3)
        /// IMA 4:1.
        public static let appleIMA4 = MediaSubType(rawValue: kAudioFormatAppleIMA4)
        /// AAC, low complexity.
        public static let mpeg4AAC = MediaSubType(rawValue: kAudioFormatMPEG4AAC)
        /// High-efficiency AAC.
        public static let mpeg4AAC_HE = MediaSubType(rawValue: kAudioFormatMPEG4AAC_HE)
        /// High-efficiency AAC, version 2.
        public static let mpeg4AAC_HE_V2 = MediaSubType(rawValue: kAudioFormatMPEG4AAC_HE_V2)
        /// µ-law.
        public static let uLaw = MediaSubType(rawValue: kAudioFormatULaw)
        /// A-law.
        public static let aLaw = MediaSubType(rawValue: kAudioFormatALaw)
        /// MPEG layer 1.
        public static let mpegLayer1 = MediaSubType(rawValue: kAudioFormatMPEGLayer1)
        /// MPEG layer 2.
        public static let mpegLayer2 = MediaSubType(rawValue: kAudioFormatMPEGLayer2)
        /// MPEG layer 3.
        public static let mpegLayer3 = MediaSubType(rawValue: kAudioFormatMPEGLayer3)
        /// Apple Lossless.
        public static let appleLossless = MediaSubType(rawValue: kAudioFormatAppleLossless)
        /// AMR.
        public static let amr = MediaSubType(rawValue: kAudioFormatAMR)
        /// AMR, wide band.
        public static let amr_WB = MediaSubType(rawValue: kAudioFormatAMR_WB)
        /// FLAC.
        public static let flac = MediaSubType(rawValue: kAudioFormatFLAC)
        /// Opus.
        public static let opus = MediaSubType(rawValue: kAudioFormatOpus)
        /// Pixels with 8 bits each for blue, green, red and alpha.
        public static let pixelFormat_32BGRA = MediaSubType(rawValue: kCMPixelFormat_32BGRA)
        /// Pixels with 8 bits each for alpha, red, green and blue.
        public static let pixelFormat_32ARGB = MediaSubType(rawValue: kCMPixelFormat_32ARGB)
        /// Pixels with 8 bits each for red, green and blue.
        public static let pixelFormat_24RGB = MediaSubType(rawValue: kCMPixelFormat_24RGB)
        /// JPEG pictures.
        public static let jpeg = MediaSubType(rawValue: kCMVideoCodecType_JPEG)
        /// H.263.
        public static let h263 = MediaSubType(rawValue: kCMVideoCodecType_H263)
        /// H.264.
        public static let h264 = MediaSubType(rawValue: kCMVideoCodecType_H264)
        /// H.265.
        public static let hevc = MediaSubType(rawValue: kCMVideoCodecType_HEVC)
        /// MPEG-4 part 2.
        public static let mpeg4Video = MediaSubType(rawValue: kCMVideoCodecType_MPEG4Video)
        /// MPEG-2.
        public static let mpeg2Video = MediaSubType(rawValue: kCMVideoCodecType_MPEG2Video)
        /// MPEG-1.
        public static let mpeg1Video = MediaSubType(rawValue: kCMVideoCodecType_MPEG1Video)
        /// Apple ProRes 4444.
        public static let proRes4444 = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes4444)
        /// Apple ProRes 422.
        public static let proRes422 = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422)
        /// Apple ProRes 422 HQ.
        public static let proRes422HQ = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422HQ)
    }
}
