internal import ByteStream
internal import CFFmpeg

/// A container's statements about the start and the end of the sound, beyond those of libavformat.
struct ContainerMetadata {
    /// FFmpeg's name of the container.
    let container: String
    /// The Xing header of an MP3.
    let xing: XingHeader?
    /// In the tags of what iTunes has encoded.
    let gapless: ITunesGapless?
    /// The packet table of a CAF file.
    let packetTable: CAFPacketTable?
    /// Several recordings of Ogg one after the other.
    let isChain: Bool
    /// Several recordings of Ogg one after the other, each of which counts from its own start; or one of which the positions are
    /// no positions.
    let hasNoCommonClock: Bool
    /// The position that an Ogg file of one stream ends with.
    let oggEnd: Int64?
    /// The offset of the first page with sound and its start position, for FLAC in Ogg.
    ///
    /// libavformat takes that for 0, and the pages that follow for what they say.
    let firstPage: (offset: Int64, start: Int64)?
    /// Whether the first pages with sound of an Ogg file are there and damaged, so that what can be read begins later.
    let hasLostFront: Bool

    init(_ format: LibavContext, first: UnsafePointer<AVPacket>?) {
        let bridge = format.bridge
        container = format.container
        let soundSize = bridge.stream.length.map { $0.subtractingClamped(format.soundOffset) }
        xing = container == "mp3" ? XingHeader(bridge.watched)?.inStream(of: soundSize) : nil
        gapless =
            av_dict_get(format.context.pointee.metadata, "iTunSMPB", nil, 0)
            .flatMap { $0.pointee.value.map { String(cString: $0) } }.flatMap(ITunesGapless.init)
        let codec = format.stream.pointee.codecpar?.pointee.codec_id
        let mayEndShort = codec == AV_CODEC_ID_ALAC || codec == AV_CODEC_ID_FLAC
        packetTable =
            container == "caf"
            ? CAFPacketTable(mayEndShort: mayEndShort) { bridge.peek(at: $0, count: $1) } : nil
        let tail = container == "ogg" ? OggLastPage.read { bridge.tail($0) } : nil
        let isChain = tail.map { OggChain.isChained(head: bridge.head, tail: $0) } ?? false
        self.isChain = isChain
        hasNoCommonClock =
            tail.map { tail in
                isChain
                    || OggLastPage.isBeforeTheStart(of: bridge.head) {
                        tail.count < OggLastPage.size || $0 <= tail.count ? tail.suffix($0) : bridge.tail($0)
                    }
            } ?? false
        oggEnd = tail.flatMap { OggLastPage.lastPosition(in: $0, after: bridge.head) }
        // Where frames differ in length the first does not describe the others.
        let isFLAC = container == "ogg" && codec == AV_CODEC_ID_FLAC && format.flacInfo?.blockSizes.count == 1
        firstPage = isFLAC ? first.flatMap { Self.page(of: $0, bridge) } : nil
        hasLostFront =
            container == "ogg" && !hasNoCommonClock
            && first.map { Self.isFrontLost(before: $0, format) } ?? false
    }

    private static func page(of first: UnsafePointer<AVPacket>, _ bridge: AVIOBridge) -> (Int64, Int64)? {
        let offset = first.pointee.pos
        guard first.pointee.pts == 0, let page = OggPage(bridge.passed(at: offset, count: OggPage.largestHeader)),
            !page.isLast, let end = page.position
        else { return nil }
        // Only the last of its frames may be shorter than the others. A tick is a sample.
        let span = Int64(page.packetCount).multipliedClamped(by: min(max(first.pointee.duration, 0), 1 << 16))
        let start = end.subtractingClamped(span)
        return start > 0 ? (offset, start) : nil
    }

    private static func isFrontLost(before first: UnsafePointer<AVPacket>, _ format: LibavContext) -> Bool {
        let (bridge, offset) = (format.bridge, first.pointee.pos)
        guard offset > 0, let page = OggPage(bridge.passed(at: offset, count: OggPage.largestHeader)) else {
            return false
        }
        var holes = OggGapDetector()
        let hole = holes.hole(
            before: page,
            at: offset..<offset.addingClamped(Int64(page.end)),
            between: { bridge.stretch(of: $0) },
            sound: { format.sound(ofPageAt: offset, size: page.end, from: first) }
        )
        return hole.isAtFront
    }

    var isMP4: Bool { container.hasPrefix("mov") }
}
