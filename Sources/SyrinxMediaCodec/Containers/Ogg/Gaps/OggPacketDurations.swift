internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// The durations of the packets that start and end in an Ogg page.
struct OggPacketDurations: Equatable {
    let count: Int64
    /// The duration of the first packet, and thus of those before it, if the last packet may be played in part;
    /// otherwise 0.
    let step: Int64

    /// The codecs whose durations are known without decoding.
    static let codecs: Set<AVCodecID> = [AV_CODEC_ID_OPUS, AV_CODEC_ID_VORBIS, AV_CODEC_ID_FLAC]

    /// Opus, at 48 kHz (RFC 6716, section 3.1); `nil` if a packet is invalid.
    init?(opus packets: [ArraySlice<UInt8>]) {
        let counts = packets.map(Self.opusCount)
        guard let count = Self.sum(counts) else { return nil }
        self.count = count
        step = counts.first.flatMap(\.self) ?? 0
    }

    /// FLAC: the header of the last packet states its duration too.
    init?(flac packets: [ArraySlice<UInt8>], _ info: FLACStreamInfo) {
        let counts = packets.map { packet in
            FLACFrameHeader(packet, at: packet.startIndex, of: info, isOfAnyForm: true).map { Int64($0.count) }
        }
        guard let count = Self.sum(counts) else { return nil }
        (self.count, step) = (count, 0)
    }

    /// Vorbis: the first packet decodes to no samples.
    init?(vorbis packets: [ArraySlice<UInt8>], _ lengths: VorbisLengths) {
        let counts = packets.map(lengths.count).dropFirst()
        guard let count = Self.sum(Array(counts)) else { return nil }
        (self.count, step) = (count, 0)
    }

    private static func sum(_ counts: [Int64?]) -> Int64? {
        counts.contains(nil) ? nil : counts.compactMap(\.self).reduce(0) { $0.addingClamped($1) }
    }

    private static func opusCount(_ packet: ArraySlice<UInt8>) -> Int64? {
        guard let first = packet.first else { return nil }
        let frames: Int64
        switch first & 3 {
        case 0: frames = 1
        case 3:
            guard packet.count > 1 else { return nil }
            frames = Int64(packet[packet.startIndex + 1] & 63)
        default: frames = 2
        }
        let size = Int64(first >> 3 & 3)
        switch first >> 3 {
        // SILK: 10, 20, 40, 60 ms.
        // Bounded: at most 63 frames.
        case 0..<12: return frames * (size == 3 ? 2880 : 480 << size)
        // Hybrid: 10, 20 ms.
        // Bounded: at most 63 frames.
        case 12..<16: return frames * (480 << (size & 1))
        // CELT: 2.5, 5, 10, 20 ms.
        // Bounded: at most 63 frames.
        default: return frames * (120 << size)
        }
    }
}

/// Computes the durations of Vorbis packets.
///
/// Owns libavcodec's parser of the headers. Not thread-safe.
final class VorbisLengths {
    private var parser: OpaquePointer?

    /// Returns `nil` if `headers`, in libavformat's format, are invalid.
    init?(_ headers: UnsafePointer<UInt8>, _ size: Int) {
        parser = av_vorbis_parse_init(headers, Int32(clamping: size))
        if parser == nil { return nil }
    }

    deinit { av_vorbis_parse_free(&parser) }

    /// Returns the duration of the packet after the last one; `nil` for a header.
    func count(_ packet: ArraySlice<UInt8>) -> Int64? {
        let count = packet.withUnsafeBufferPointer {
            av_vorbis_parse_frame(parser, $0.baseAddress, Int32(clamping: $0.count))
        }
        return count < 0 ? nil : Int64(count)
    }
}
