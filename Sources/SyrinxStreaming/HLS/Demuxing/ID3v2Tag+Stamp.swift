import SyrinxMediaCodec

extension ID3v2Tag {
    /// The timestamp of the first sample of a segment of packed audio, in ticks of 90 kHz (RFC 8216, 3.4).
    var stamp: Int64? {
        guard let bytes = data["com.apple.streaming.transportStreamTimestamp"], bytes.count == 8 else { return nil }
        return bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) } & 0x1_FFFF_FFFF
    }
}
