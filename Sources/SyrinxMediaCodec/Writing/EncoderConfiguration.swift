internal import CSyrinxFFmpeg

/// The configuration of an encoder and its container.
struct EncoderConfiguration: Equatable {
    var container: OutputContainer
    var encoder: String
    /// The sample format of the encoder's input.
    var sampleFormat: AVSampleFormat
    /// The number of used bits per sample, if the encoder's input format has more.
    var bits = 32
    /// The default bit rate per channel, in bits per second; 0 for encoders without a bit rate.
    var bitRatePerChannel = 0
    /// The encoder's quality value, for an encoder whose bit rates do not suit all sample rates and channel counts.
    var quality: Int32?

    /// - Returns: `nil` if the container cannot store such audio.
    static func plan(
        for container: OutputContainer,
        _ codec: MediaCodecName?,
        _ format: MediaSampleFormat?
    ) -> EncoderConfiguration? {
        guard let codec = codec ?? container.codecs.first, container.codecs.contains(codec) else { return nil }
        switch codec {
        case .pcm where container.hasBigEndianSamples: return pcm(container, "be", format ?? .s24)
        case .pcm: return pcm(container, "le", format ?? .f32)
        case .flac: return whole(container, "flac", format ?? .s24, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S32)
        case .alac: return whole(container, "alac", format ?? .s24, AV_SAMPLE_FMT_S16P, AV_SAMPLE_FMT_S32P)
        // At these bit rates most listeners cannot distinguish the result from the original.
        case .aac: return lossy(container, "aac", AV_SAMPLE_FMT_FLTP, 96000)
        case .mp3: return lossy(container, "libmp3lame", AV_SAMPLE_FMT_FLTP, 96000)
        case .vorbis:
            var plan = lossy(container, "libvorbis", AV_SAMPLE_FMT_FLTP, 80000)
            plan.quality = 5
            return plan
        case .opus: return lossy(container, "libopus", AV_SAMPLE_FMT_FLT, 64000)
        default: return nil
        }
    }

    private static func pcm(_ container: OutputContainer, _ order: String, _ format: MediaSampleFormat)
        -> EncoderConfiguration?
    {
        switch format {
        case .f32:
            EncoderConfiguration(container: container, encoder: "pcm_f32" + order, sampleFormat: AV_SAMPLE_FMT_FLT)
        case .f64:
            EncoderConfiguration(container: container, encoder: "pcm_f64" + order, sampleFormat: AV_SAMPLE_FMT_DBL)
        case .s16:
            EncoderConfiguration(
                container: container,
                encoder: "pcm_s16" + order,
                sampleFormat: AV_SAMPLE_FMT_S16,
                bits: 16
            )
        case .s24:
            EncoderConfiguration(
                container: container,
                encoder: "pcm_s24" + order,
                sampleFormat: AV_SAMPLE_FMT_S32,
                bits: 24
            )
        case .s32:
            EncoderConfiguration(container: container, encoder: "pcm_s32" + order, sampleFormat: AV_SAMPLE_FMT_S32)
        default: nil
        }
    }

    /// Returns the configuration of a codec that stores integers of 16 or 24 bits.
    private static func whole(
        _ container: OutputContainer,
        _ encoder: String,
        _ format: MediaSampleFormat,
        _ short: AVSampleFormat,
        _ long: AVSampleFormat
    ) -> EncoderConfiguration? {
        switch format {
        case .s16: EncoderConfiguration(container: container, encoder: encoder, sampleFormat: short, bits: 16)
        case .s24: EncoderConfiguration(container: container, encoder: encoder, sampleFormat: long, bits: 24)
        default: nil
        }
    }

    private static func lossy(_ container: OutputContainer, _ encoder: String, _ format: AVSampleFormat, _ rate: Int)
        -> EncoderConfiguration
    {
        EncoderConfiguration(container: container, encoder: encoder, sampleFormat: format, bitRatePerChannel: rate)
    }

    /// Returns `wanted` if the encoder supports it, otherwise the next higher rate, otherwise the highest.
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
