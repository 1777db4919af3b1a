internal import CSyrinxFFmpeg

/// The delay of FFmpeg's decoders that no container states.
enum DecoderDelay {
    /// Returns the frames that a decoder gives before the first that is heard: of Windows Media Audio two of its blocks.
    static func frames(_ parameters: UnsafePointer<AVCodecParameters>) -> Int64 {
        let rate = parameters.pointee.sample_rate
        switch parameters.pointee.codec_id {
        case AV_CODEC_ID_WMAV1, AV_CODEC_ID_WMAV2:
            if rate <= 16_000 { return 2 * 512 }
            let isOfFirst = parameters.pointee.codec_id == AV_CODEC_ID_WMAV1
            return rate <= 22_050 || rate <= 32_000 && isOfFirst ? 2 * 1024 : 2 * 2048
        default: return 0
        }
    }
}
