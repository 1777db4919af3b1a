internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// AIFF-C samples that libavformat does not support or misinterprets: little-endian samples other than 16 bits, and
/// unsigned samples.
///
/// The header is changed to other samples of the same size, and the actual format is restored after libavformat has
/// read the header.
struct AIFFSamples: Equatable {
    /// The bytes that replace the compression type in the header.
    let correction: AIFFRepair.Correction
    /// The codec of the samples; `nil` if it is that of the changed header.
    let codec: AVCodecID?

    /// - Parameters:
    ///   - type: The compression type in the common chunk.
    ///   - bits: Bits of a sample, as stated there.
    ///   - offset: The offset of `type` in the file.
    /// - Returns: `nil` where libavformat gets it right.
    init?(type: String, bits: Int64, at offset: Int64) {
        let replacement: (name: String, codec: AVCodecID?)? =
            switch (type, (bits + 7) / 8) {
            case ("sowt", 1): ("NONE", nil)
            case ("sowt", 3), ("42ni", _): ("in24", AV_CODEC_ID_PCM_S24LE)
            case ("sowt", 4), ("23ni", _): ("in32", AV_CODEC_ID_PCM_S32LE)
            case ("raw ", 2): ("twos", AV_CODEC_ID_PCM_U16BE)
            case ("raw ", 3): ("in24", AV_CODEC_ID_PCM_U24BE)
            case ("raw ", 4): ("in32", AV_CODEC_ID_PCM_U32BE)
            default: nil
            }
        guard let replacement else { return nil }
        correction = AIFFRepair.Correction(offset: offset, bytes: Array(replacement.name.utf8))
        codec = replacement.codec
    }
}
