internal import CSyrinxFFmpeg

/// The name that the encoder FAAC writes into its first AAC packet.
///
/// Its files do not state their encoder delay. FFmpeg's decoder drops these frames too if it finds the name.
enum FAACMark {
    /// The number of frames in a packet before the audio.
    private static let delay: Int64 = 1024

    /// Returns the number of frames before the audio; 0 if the first packet does not contain the name.
    static func delay(of first: UnsafePointer<AVPacket>, _ parameters: UnsafePointer<AVCodecParameters>) -> Int64 {
        // The name is in the first element, a fill element with a count of two bytes, after 13 bits.
        guard parameters.pointee.codec_id == AV_CODEC_ID_AAC, first.pointee.size > 12, let data = first.pointee.data,
            data[0] >> 1 == 0x6F, UnsafeBufferPointer(start: data + 4, count: 8).elementsEqual("libfaac ".utf8)
        else { return 0 }
        return delay
    }
}
