internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Measures the packets in pages of the recording that is read.
///
/// One thread at a time.
final class OggPageDurations {
    private let format: LibavContext
    /// The packet lengths of Vorbis, once something is lost.
    private var vorbis: VorbisLengths?

    init(_ format: LibavContext) { self.format = format }

    /// Forgets the packets before, because the next is another one than the next in line.
    func breakOff() { vorbis = nil }

    /// Takes the headers of a later recording in a chain, where a packet has them: so it is with Vorbis.
    func noteHeaders(in packet: UnsafePointer<AVPacket>) {
        var size = 0
        guard let headers = av_packet_get_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, &size) else { return }
        vorbis = VorbisLengths(headers, size)
    }

    /// Returns the durations of the packets that begin and end in a page after a gap, from the given one on; `nil` if they are not
    /// known.
    func sound(ofPageAt offset: Int64, size: Int, from first: UnsafePointer<AVPacket>) -> OggPacketDurations? {
        guard let parameters = format.stream.pointee.codecpar,
            OggPacketDurations.codecs.contains(parameters.pointee.codec_id)
        else {
            return nil
        }
        let bytes = format.bridge.recentBytes(at: offset, count: size)
        guard bytes.count == size else { return nil }
        let firstBytes = UnsafeBufferPointer(start: first.pointee.data, count: Int(first.pointee.size))
        var packets = OggPage.wholePackets(bytes)
        // The one before it libavformat may have taken for the rest of one that was lost.
        if let index = packets.firstIndex(where: { $0.elementsEqual(firstBytes) }) { packets.removeFirst(index) }
        if parameters.pointee.codec_id == AV_CODEC_ID_OPUS { return OggPacketDurations(opus: packets) }
        guard let headers = parameters.pointee.extradata else { return nil }
        let headerSize = Int(parameters.pointee.extradata_size)
        if parameters.pointee.codec_id == AV_CODEC_ID_FLAC {
            let info = FLACStreamInfo(Array(UnsafeBufferPointer(start: headers, count: headerSize)))
            return info.flatMap { OggPacketDurations(flac: packets, $0) }
        }
        if vorbis == nil { vorbis = VorbisLengths(headers, headerSize) }
        return vorbis.flatMap { OggPacketDurations(vorbis: packets, $0) }
    }
}
