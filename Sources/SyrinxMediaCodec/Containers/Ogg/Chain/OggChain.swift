internal import CSyrinxFFmpeg

/// Whether an Ogg file is several recordings one after the other, which RFC 3533 calls chained.
///
/// Each begins its positions anew, so the last of them says nothing of the whole.
enum OggChain {
    /// - Parameters:
    ///   - head: The first bytes of the file.
    ///   - tail: The last of it, with a page.
    /// - Returns: Whether the last page belongs to none of the streams that the file begins with.
    static func isChained(head: [UInt8], tail: [UInt8]) -> Bool {
        guard let last = OggLastPage.lastPage(in: tail, where: { _ in true })?.serial else { return false }
        let first = firstSerials(in: head)
        return !first.isEmpty && !first.contains(last)
    }

    /// Whether a packet in the middle begins another recording of a chain.
    ///
    /// libavformat passes on the headers of Vorbis, where they are not the first; those of Opus it keeps, and then says what to
    /// skip.
    static func begins(with packet: UnsafePointer<AVPacket>) -> Bool {
        guard let data = packet.pointee.data else { return false }
        if PacketTrim.of(packet).start > 0 { return true }
        let bytes = UnsafeBufferPointer(start: data, count: Int(packet.pointee.size))
        return bytes.starts(with: [0x01] + Array("vorbis".utf8))
    }

    /// The delay of the decoder that the first packet of Opus in Ogg tells (RFC 7845 section 5.1); `nil` if it is none.
    static func opusDelay(_ packet: UnsafePointer<AVPacket>) -> Int? {
        let bytes = UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
        guard bytes.count >= 19, bytes.starts(with: "OpusHead".utf8) else { return nil }
        return Int(PacketTrim.opusPreSkip(packet.pointee.data))
    }

    /// Whether a packet is a header of Opus.
    static func isOpusHeader(_ packet: UnsafePointer<AVPacket>) -> Bool {
        let bytes = UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
        return ["OpusHead", "OpusTags"].contains { bytes.starts(with: $0.utf8) }
    }

    /// Whether a packet is the first of FLAC in Ogg (RFC 9639 section 10.1).
    static func isFLACHeader(_ packet: UnsafePointer<AVPacket>) -> Bool {
        let bytes = UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
        return bytes.starts(with: [0x7F] + Array("FLAC".utf8))
    }

    /// Tells the decoder of another recording what that is, which libavformat does not: it would take none of its longer frames.
    static func putStreamInfo(
        of packet: UnsafePointer<AVPacket>,
        into parameters: UnsafeMutablePointer<AVCodecParameters>?
    ) {
        let (start, size) = (17, 34)
        guard let parameters, let info = parameters.pointee.extradata, parameters.pointee.extradata_size == size,
            let data = packet.pointee.data, packet.pointee.size >= start + size,
            // Of a damaged one no decoder could be made.
            let told = FLACStreamInfo(Array(UnsafeBufferPointer(start: data + start, count: size))),
            told.bitsPerSample >= 4, told.sampleRate > 0
        else { return }
        info.update(from: data + start, count: size)
    }

    static func isFLACFrame(_ packet: UnsafePointer<AVPacket>) -> Bool {
        packet.pointee.size > 1 && packet.pointee.data[0] == 0xFF && packet.pointee.data[1] & 0xFE == 0xF8
    }

    /// Whether a packet of Vorbis is not one of its headers, which are odd (Vorbis I specification, section 4.2.1).
    static func isSound(_ packet: UnsafePointer<AVPacket>) -> Bool {
        packet.pointee.size > 0 && packet.pointee.data[0] & 1 == 0
    }

    /// By how much libavformat is going to cut too much off the end of a recording that begins with this sound.
    ///
    /// So it does with Vorbis in a single page, where the first packet, which is silent, counts from 0.
    static func endTrimExcess(after first: UnsafePointer<AVPacket>, _ timing: PacketTimeline) -> Int64 {
        first.pointee.pts == 0 ? timing.frames(first.pointee.duration) : 0
    }

    /// The serial numbers of the pages at the front that begin a stream.
    static func firstSerials(in head: [UInt8]) -> [ArraySlice<UInt8>] {
        OggPage.pages(from: head).prefix(while: \.isBeginning).map(\.serial)
    }
}
