internal import CSyrinxFFmpeg

/// The configuration for writing a file.
struct EncoderConfiguration: Equatable {
    var muxer: String
    var encoder: String
    /// The encoder's sample format.
    var sampleFormat: AVSampleFormat
    /// Bits used of each sample, where the encoder takes more than it keeps.
    var bits = 32
    /// Bits per second for each channel, unless the caller says otherwise; 0 where it has no meaning.
    var bitRatePerChannel = 0
    /// The encoder's own measure, for one whose bit rates do not go with every rate and number of channels.
    var quality: Int32?

    /// The containers, each with FFmpeg's name for it and the codecs that it is written with, the usual one first.
    private static let containers: [String: (muxer: String, codecs: [MediaCodecName])] = [
        "wav": ("wav", [.pcm]),
        "aiff": ("aiff", [.pcm]),
        "aif": ("aiff", [.pcm]),
        "aifc": ("aiff", [.pcm]),
        "caf": ("caf", [.pcm, .alac]),
        "flac": ("flac", [.flac]),
        "m4a": ("ipod", [.aac, .alac]),
        "mp3": ("mp3", [.mp3]),
        "ogg": ("ogg", [.vorbis, .opus, .flac]),
        "opus": ("opus", [.opus]),
    ]

    /// Whether anything can be written under this ending.
    static func knows(_ ending: String) -> Bool { containers[ending] != nil }

    /// - Parameter ending: Of the name, in lower case.
    /// - Returns: `nil` if the container cannot hold such sound.
    static func plan(for ending: String, _ codec: MediaCodecName?, _ format: MediaSampleFormat?)
        -> EncoderConfiguration?
    {
        guard let container = containers[ending], let codec = codec ?? container.codecs.first,
            container.codecs.contains(codec)
        else { return nil }
        let muxer = container.muxer
        switch codec {
        case .pcm: return muxer == "aiff" ? pcm(muxer, "be", format ?? .s24) : pcm(muxer, "le", format ?? .f32)
        case .flac: return whole(muxer, "flac", format ?? .s24, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S32)
        case .alac: return whole(muxer, "alac", format ?? .s24, AV_SAMPLE_FMT_S16P, AV_SAMPLE_FMT_S32P)
        // At these rates most listeners cannot distinguish them from the original.
        case .aac: return lossy(muxer, "aac", AV_SAMPLE_FMT_FLTP, 96000)
        case .mp3: return lossy(muxer, "libmp3lame", AV_SAMPLE_FMT_FLTP, 96000)
        case .vorbis:
            var plan = lossy(muxer, "libvorbis", AV_SAMPLE_FMT_FLTP, 80000)
            plan.quality = 5
            return plan
        case .opus: return lossy(muxer, "libopus", AV_SAMPLE_FMT_FLT, 64000)
        default: return nil
        }
    }

    private static func pcm(_ muxer: String, _ order: String, _ format: MediaSampleFormat) -> EncoderConfiguration? {
        switch format {
        case .f32: EncoderConfiguration(muxer: muxer, encoder: "pcm_f32" + order, sampleFormat: AV_SAMPLE_FMT_FLT)
        case .f64: EncoderConfiguration(muxer: muxer, encoder: "pcm_f64" + order, sampleFormat: AV_SAMPLE_FMT_DBL)
        case .s16:
            EncoderConfiguration(muxer: muxer, encoder: "pcm_s16" + order, sampleFormat: AV_SAMPLE_FMT_S16, bits: 16)
        case .s24:
            EncoderConfiguration(muxer: muxer, encoder: "pcm_s24" + order, sampleFormat: AV_SAMPLE_FMT_S32, bits: 24)
        case .s32: EncoderConfiguration(muxer: muxer, encoder: "pcm_s32" + order, sampleFormat: AV_SAMPLE_FMT_S32)
        default: nil
        }
    }

    /// The codecs that keep whole numbers of 16 or of 24 bits.
    private static func whole(
        _ muxer: String,
        _ encoder: String,
        _ format: MediaSampleFormat,
        _ short: AVSampleFormat,
        _ long: AVSampleFormat
    ) -> EncoderConfiguration? {
        switch format {
        case .s16: EncoderConfiguration(muxer: muxer, encoder: encoder, sampleFormat: short, bits: 16)
        case .s24: EncoderConfiguration(muxer: muxer, encoder: encoder, sampleFormat: long, bits: 24)
        default: nil
        }
    }

    private static func lossy(_ muxer: String, _ encoder: String, _ format: AVSampleFormat, _ rate: Int)
        -> EncoderConfiguration
    {
        EncoderConfiguration(muxer: muxer, encoder: encoder, sampleFormat: format, bitRatePerChannel: rate)
    }

    /// The rate to encode at: `wanted` if the encoder can, else the next higher one, else its highest.
    static func sampleRate(of codec: UnsafePointer<AVCodec>, nearest wanted: Int32) -> Int32 {
        guard var rates = syrinx_sample_rates(codec) else { return wanted }
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
