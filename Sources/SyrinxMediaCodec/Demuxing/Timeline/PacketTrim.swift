internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// A container's trim of a packet: frames to drop from its start and from its end.
struct PacketTrim: Equatable {
    var start: UInt32 = 0
    var end: UInt32 = 0

    /// Returns the pre-skip of an Opus header (RFC 7845, section 5.1), in frames at 48 kHz, FFmpeg's decoding rate.
    static func opusPreSkip(_ header: UnsafePointer<UInt8>) -> Int64 {
        Int64(header[10]) | Int64(header[11]) << 8
    }

    /// Returns the pre-skip that the headers of a stream state; `nil` if the codec is not Opus.
    static func opusPreSkip(of stream: UnsafePointer<AVStream>) -> Int64? {
        guard let parameters = stream.pointee.codecpar, parameters.pointee.codec_id == AV_CODEC_ID_OPUS,
            parameters.pointee.extradata_size >= 12, let header = parameters.pointee.extradata
        else { return nil }
        return opusPreSkip(header)
    }

    /// Returns the sample rate of the encoder's input, in hertz, that the Opus headers state; `nil` if they state none.
    static func opusInputRate(of stream: UnsafePointer<AVStream>) -> UInt32? {
        guard let parameters = stream.pointee.codecpar, parameters.pointee.codec_id == AV_CODEC_ID_OPUS,
            parameters.pointee.extradata_size >= 16, let header = parameters.pointee.extradata
        else { return nil }
        let rate = (12..<16).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(header[$1]) }
        return rate > 0 ? rate : nil
    }

    static func of(_ packet: UnsafePointer<AVPacket>) -> PacketTrim {
        var size = 0
        guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= 8 else {
            return PacketTrim()
        }
        let number = { (at: Int) in (0..<4).reduce(UInt32(0)) { $0 | UInt32(data[at + $1]) << (8 * UInt32($1)) } }
        return PacketTrim(start: number(0), end: number(4))
    }
}
