internal import CSyrinxFFmpeg

/// Recognizes where another recording of a chain begins, from its headers, as far as libavformat passes them on.
struct OggLinkStart {
    /// Another recording, of which the headers have come.
    private struct Next {
        let isFLAC: Bool
        var delay: Int?
        var tags: [String: String]?
    }

    /// The next recording, if it is FLAC, or Opus that has the number of the one before, which libavformat does not expect.
    private var next: Next?
    /// Whether the headers of a recording of Vorbis have come, and no sound of it.
    private var awaitsSound = false

    /// Looks at a packet behind the first.
    /// - Returns: Whether it is one of the headers of another recording, which no decoder takes.
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

    /// The properties of a packet of sound.
    struct Result {
        /// Whether another recording begins with it.
        var isFirst = false
        /// The delay of the decoder at its start.
        var delay: Int
        /// The tags of another recording, as far as they come with it.
        var tags: [String: String]?
    }

    /// Takes note of a packet of sound.
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
