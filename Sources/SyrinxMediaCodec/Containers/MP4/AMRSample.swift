internal import CSyrinxFFmpeg

/// An AMR sample, which may contain several frames in 3GP (3GPP TS 26.244, section 6.5).
enum AMRSample {
    /// The size of a frame by its type, in bytes, including the byte that states the type (RFC 4867, section 5.3).
    private static let narrow = [13, 14, 16, 18, 20, 21, 27, 32, 6, 1, 1, 1, 1, 1, 1, 1]
    private static let wide = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 1, 1, 1, 1, 1, 1]

    /// The maximum number of frames in a sample; valid samples have at most 15.
    private static let mostFrames = 64

    /// The number of audio frames in an AMR frame; `nil` for other codecs.
    static func frames(of codec: AVCodecID) -> Int64? {
        switch codec {
        case AV_CODEC_ID_AMR_NB: 160
        case AV_CODEC_ID_AMR_WB: 320
        default: nil
        }
    }

    /// The size of each consecutive AMR frame in a sample; for other codecs, the size of the sample.
    static func sizes(in packet: UnsafePointer<AVPacket>, codec: AVCodecID?) -> [Int] {
        let whole = Int(packet.pointee.size)
        guard let codec, frames(of: codec) != nil, let data = packet.pointee.data else { return [whole] }
        let table = codec == AV_CODEC_ID_AMR_NB ? narrow : wide
        var sizes: [Int] = []
        var place = 0
        while place < whole {
            let size = min(table[Int(data[place] >> 3) & 15], whole - place)
            sizes.append(size)
            place += size
        }
        return sizes.count <= mostFrames ? sizes : [whole]
    }
}
