internal import CSyrinxFFmpeg

/// Detects chained Ogg files (RFC 3533): several recordings one after the other.
///
/// Each recording restarts its granule positions, so the last position does not state the total length.
enum OggChain {
    /// - Parameters:
    ///   - head: The first bytes of the file.
    ///   - tail: The last bytes, with a page.
    /// - Returns: Whether the last page belongs to none of the streams at the start of the file.
    static func isChained(head: [UInt8], tail: [UInt8]) -> Bool {
        guard let last = OggLastPage.lastPage(in: tail, where: { _ in true })?.serial else { return false }
        let first = firstSerials(in: head)
        return !first.isEmpty && !first.contains(last)
    }

    /// Returns whether a packet starts another recording of a chain.
    ///
    /// libavformat returns later Vorbis headers as packets. It consumes those of Opus, and then reports frames to skip.
    static func begins(with packet: UnsafePointer<AVPacket>) -> Bool {
        guard let data = packet.pointee.data else { return false }
        if PacketTrim.of(packet).start > 0 { return true }
        let bytes = UnsafeBufferPointer(start: data, count: Int(packet.pointee.size))
        return bytes.starts(with: [0x01] + Array("vorbis".utf8))
    }

    /// Returns the decoder delay stated in the first Opus packet (RFC 7845, section 5.1); `nil` for other packets.
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

    /// Passes the stream info of another recording to the decoder, which libavformat omits: otherwise, it would reject
    /// longer frames.
    static func putStreamInfo(
        of packet: UnsafePointer<AVPacket>,
        into parameters: UnsafeMutablePointer<AVCodecParameters>?
    ) {
        let (start, size) = (17, 34)
        guard let parameters, let info = parameters.pointee.extradata, parameters.pointee.extradata_size == size,
            let data = packet.pointee.data, packet.pointee.size >= start + size,
            // No decoder could be created from a damaged one.
            let told = FLACStreamInfo(Array(UnsafeBufferPointer(start: data + start, count: size))),
            told.bitsPerSample >= 4, told.sampleRate > 0
        else { return }
        info.update(from: data + start, count: size)
    }

    static func isFLACFrame(_ packet: UnsafePointer<AVPacket>) -> Bool {
        packet.pointee.size > 1 && packet.pointee.data[0] == 0xFF && packet.pointee.data[1] & 0xFE == 0xF8
    }

    /// Returns whether a Vorbis packet is audio; headers have an odd first byte (Vorbis I specification, section
    /// 4.2.1).
    static func isSound(_ packet: UnsafePointer<AVPacket>) -> Bool {
        packet.pointee.size > 0 && packet.pointee.data[0] & 1 == 0
    }

    /// Returns by how much libavformat will cut too much off the end of a recording that starts with this packet.
    ///
    /// This occurs with Vorbis in a single page, where the silent first packet counts from 0.
    static func endTrimExcess(after first: UnsafePointer<AVPacket>, _ timing: PacketTimeline) -> Int64 {
        first.pointee.pts == 0 ? timing.frames(first.pointee.duration) : 0
    }

    /// Returns the serial numbers of the initial pages that start a stream.
    static func firstSerials(in head: [UInt8]) -> [ArraySlice<UInt8>] {
        OggPage.pages(from: head).prefix(while: \.isBeginning).map(\.serial)
    }
}
