internal import CSyrinxFFmpeg

/// The name that the encoder FAAC puts into its first packet of AAC.
///
/// Its files state no delay, and it has one: FFmpeg's decoder, too, drops these frames for this name.
enum FAACMark {
    /// A packet before the sound.
    private static let delay: Int64 = 1024

    /// The frames before the sound of a recording; 0 if its first packet has no such name.
    static func delay(of first: UnsafePointer<AVPacket>, _ parameters: UnsafePointer<AVCodecParameters>) -> Int64 {
        // It is in the first element, a fill element with a count of two bytes, behind 13 bits of its own.
        guard parameters.pointee.codec_id == AV_CODEC_ID_AAC, first.pointee.size > 12, let data = first.pointee.data,
            data[0] >> 1 == 0x6F, UnsafeBufferPointer(start: data + 4, count: 8).elementsEqual("libfaac ".utf8)
        else { return 0 }
        return delay
    }
}
