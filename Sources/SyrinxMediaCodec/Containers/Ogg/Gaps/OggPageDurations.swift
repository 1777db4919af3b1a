internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Measures the packets in pages of the recording that is read.
///
/// One thread at a time.
final class OggPageDurations {
    private let format: LibavContext
    /// The packet durations of Vorbis; created when data is lost.
    private var vorbis: VorbisLengths?

    init(_ format: LibavContext) { self.format = format }

    /// Discards the earlier packets, because the next one is not contiguous.
    func breakOff() { vorbis = nil }

    /// Uses the headers of a later recording in a chain, which Vorbis packets can contain.
    func noteHeaders(in packet: UnsafePointer<AVPacket>) {
        var size = 0
        guard let headers = av_packet_get_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, &size) else { return }
        vorbis = VorbisLengths(headers, size)
    }

    /// The number of bytes to examine, starting at the first page with audio.
    private static let lookSize = 1 << 17
    /// The maximum rounding difference in frames; a larger one is a gap.
    private static let mostRounding: Int64 = 1024

    /// Returns whether the positions of the first Vorbis pages differ from their packet durations, as with rounded
    /// times.
    /// - Parameter first: The first packet.
    func positionsDiffer(from first: UnsafePointer<AVPacket>) -> Bool {
        guard let parameters = format.stream.pointee.codecpar, parameters.pointee.codec_id == AV_CODEC_ID_VORBIS,
            first.pointee.pos >= 0, let headers = parameters.pointee.extradata,
            let lengths = VorbisLengths(headers, Int(parameters.pointee.extradata_size))
        else { return false }
        let bytes = format.bridge.recentBytes(at: first.pointee.pos, count: Self.lookSize)
        var previous: OggPage?
        var differences = 0
        var place = 0
        while let page = OggPage(bytes, at: place), page.end <= bytes.count, !page.isLast, !page.isContinued,
            previous.map({ $0.serial == page.serial && $0.number &+ 1 == page.number }) ?? true,
            let position = page.position
        {
            let counts = OggPage.wholePackets(Array(bytes[place..<page.end])).map(lengths.count)
            guard !counts.contains(nil), counts.count == page.packetCount else { break }
            let sound = counts.reduce(Int64(0)) { $0.addingClamped($1 ?? 0) }
            if let before = previous?.position,
                1...Int64(Self.mostRounding)
                    ~= Int64(clamping: position.subtractingClamped(before).subtractingClamped(sound).magnitude)
            {
                differences += 1
            }
            previous = page
            place = page.end
        }
        return differences > 1
    }

    /// Returns the durations of the packets that start and end in a page after a gap, starting with `first`; `nil` if
    /// they are unknown.
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
        // libavformat may have treated the packet before it as the rest of a lost one.
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
