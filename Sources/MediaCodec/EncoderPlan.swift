internal import CFFmpeg

/// In what form samples are written, where the format leaves a choice.
public struct MediaSampleFormat: RawRepresentable, Hashable, Sendable {
    /// `f32`, `s16` or `s24`.
    public let rawValue: String

    /// A form of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Float of 32 bits.
    public static let f32 = MediaSampleFormat(rawValue: "f32")
    /// Whole numbers of 16 bits.
    public static let s16 = MediaSampleFormat(rawValue: "s16")
    /// Whole numbers of 24 bits.
    public static let s24 = MediaSampleFormat(rawValue: "s24")
}

/// What to write a file with, by the ending of its name.
struct EncoderPlan: Equatable {
    var muxer: String
    var encoder: String
    /// What the encoder takes, in FFmpeg's words.
    var sampleFormat: AVSampleFormat
    /// Bits used of each sample, where the encoder takes more than it keeps.
    var bits = 32
    /// Bits per second for each channel, unless the caller says otherwise; 0 where it has no meaning.
    var bitRatePerChannel = 0
    /// The encoder's own measure, for one whose bit rates do not go with every rate and number of channels.
    var quality: Int32?

    /// The endings that can be written.
    static let endings = ["wav", "flac", "aiff", "aif", "caf", "m4a", "mp3", "ogg", "opus"]

    /// - Parameter ending: Of the name, in lower case.
    /// - Returns: `nil` if there is no such format.
    static func plan(for ending: String, _ format: MediaSampleFormat?) -> EncoderPlan? {
        switch ending {
        case "wav": return pcm("wav", "le", format ?? .f32)
        case "caf": return pcm("caf", "le", format ?? .f32)
        case "aiff", "aif": return pcm("aiff", "be", format ?? .s24)
        case "flac":
            switch format ?? .s24 {
            case .s16: return EncoderPlan(muxer: "flac", encoder: "flac", sampleFormat: AV_SAMPLE_FMT_S16, bits: 16)
            case .s24: return EncoderPlan(muxer: "flac", encoder: "flac", sampleFormat: AV_SAMPLE_FMT_S32, bits: 24)
            default: return nil
            }
        // At these rates none of them is told from the original by most listeners.
        case "m4a": return lossy("ipod", "aac", AV_SAMPLE_FMT_FLTP, 96000)
        case "mp3": return lossy("mp3", "libmp3lame", AV_SAMPLE_FMT_FLTP, 96000)
        case "ogg":
            var plan = lossy("ogg", "libvorbis", AV_SAMPLE_FMT_FLTP, 80000)
            plan.quality = 5
            return plan
        case "opus": return lossy("opus", "libopus", AV_SAMPLE_FMT_FLT, 64000)
        default: return nil
        }
    }

    private static func pcm(_ muxer: String, _ order: String, _ format: MediaSampleFormat) -> EncoderPlan? {
        switch format {
        case .f32: EncoderPlan(muxer: muxer, encoder: "pcm_f32" + order, sampleFormat: AV_SAMPLE_FMT_FLT)
        case .s16: EncoderPlan(muxer: muxer, encoder: "pcm_s16" + order, sampleFormat: AV_SAMPLE_FMT_S16, bits: 16)
        case .s24: EncoderPlan(muxer: muxer, encoder: "pcm_s24" + order, sampleFormat: AV_SAMPLE_FMT_S32, bits: 24)
        default: nil
        }
    }

    private static func lossy(_ muxer: String, _ encoder: String, _ format: AVSampleFormat, _ rate: Int) -> EncoderPlan
    {
        EncoderPlan(muxer: muxer, encoder: encoder, sampleFormat: format, bitRatePerChannel: rate)
    }

    /// The rate to encode at: `wanted` if the encoder can, else the next higher one, else its highest.
    static func sampleRate(of codec: UnsafePointer<AVCodec>, nearest wanted: Int32) -> Int32 {
        guard var rates = codec.pointee.supported_samplerates else { return wanted }
        var best: Int32 = 0
        while rates.pointee > 0 {
            let rate = rates.pointee
            if rate == wanted { return wanted }
            let isBetter = best < wanted ? rate > best : rate >= wanted && rate < best
            if isBetter { best = rate }
            rates += 1
        }
        return best > 0 ? best : wanted
    }
}
