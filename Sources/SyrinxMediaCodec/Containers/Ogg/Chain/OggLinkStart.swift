internal import CSyrinxFFmpeg

/// Detects the start of another recording of a chain from its headers, as far as libavformat returns them.
struct OggLinkStart {
    /// Another recording whose headers have been read.
    private struct Next {
        let isFLAC: Bool
        var delay: Int?
        var tags: [String: String]?
    }

    /// The next recording, if it is FLAC, or Opus with the same serial number, which libavformat does not expect.
    private var next: Next?
    /// Whether the headers of a Vorbis recording have been read, but no audio.
    private var awaitsSound = false

    /// Examines a packet after the first.
    /// - Returns: Whether it is a header of another recording, which decoders do not accept.
    mutating func isHeader(_ packet: UnsafePointer<AVPacket>, of format: LibavContext) -> Bool {
        if OggChain.isFLACHeader(packet) {
            next = Next(isFLAC: true)
            OggChain.putStreamInfo(of: packet, into: format.stream.pointee.codecpar)
        } else if let delay = OggChain.opusDelay(packet) {
            next = Next(isFLAC: false, delay: delay)
        }
        guard let next else { return false }
        self.next?.tags = OggTags.inHeader(packet, isFLAC: next.isFLAC) ?? next.tags
        return next.isFLAC ? !OggChain.isFLACFrame(packet) : OggChain.isOpusHeader(packet)
    }

    /// The properties of an audio packet.
    struct Result {
        /// Whether it is the first packet of another recording.
        var isFirst = false
        /// The delay of the decoder at its start.
        var delay: Int
        /// The tags of another recording, if they precede the packet.
        var tags: [String: String]?
    }

    /// Examines an audio packet.
    /// - Parameter isFirstOfAll: Whether it is the first since the start of the file or a seek: its tags are known.
    mutating func note(
        _ packet: UnsafePointer<AVPacket>,
        isFirstOfAll: Bool,
        of format: LibavContext,
        _ timing: inout PacketTimeline
    ) -> Result {
        var result = Result(delay: next?.delay ?? Int(PacketTrim.of(packet).start))
        result.isFirst = next != nil || !isFirstOfAll && OggChain.begins(with: packet)
        if !isFirstOfAll { result.tags = tags(of: packet, isFirst: result.isFirst, format) }
        next = nil
        if result.isFirst {
            awaitsSound = format.stream.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_VORBIS
        } else if awaitsSound, OggChain.isSound(packet) {
            awaitsSound = false
            timing.endTrimExcess = OggChain.endTrimExcess(after: packet, timing)
        }
        return result
    }

    private func tags(
        of packet: UnsafePointer<AVPacket>,
        isFirst: Bool,
        _ format: LibavContext
    ) -> [String: String]? {
        if let next { return next.tags ?? [:] }
        if let told = PacketTags.beside(packet) { return told }
        let isOpus = format.stream.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_OPUS
        return isFirst && isOpus ? format.takeStreamTags() : nil
    }
}
