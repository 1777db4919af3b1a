internal import CSyrinxFFmpeg

/// The delays of FFmpeg's decoders that containers do not state.
enum DecoderDelay {
    /// Returns the number of frames before the first audible one: two blocks for Windows Media Audio, otherwise 0.
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
