internal import ByteStream
internal import CFFmpeg

/// What a container says of where the sound begins and ends, beyond what libavformat tells.
struct ContainerNotes {
    /// FFmpeg's name of the container.
    let container: String
    /// Of an MP3.
    let xing: XingHeader?
    /// In the tags of what iTunes has encoded.
    let gapless: ITunesGapless?
    /// Of a CAF file.
    let packetTable: CAFPacketTable?
    /// Several recordings of Ogg one after the other, each of which counts from its own start.
    let isChained: Bool
    /// The position that an Ogg file of one stream ends with.
    let oggEnd: Int64?

    init(_ format: FormatContext) {
        let bridge = format.bridge
        container = format.context.pointee.iformat.map { String(cString: $0.pointee.name) } ?? ""
        let soundSize = bridge.stream.length.map { $0 - format.soundOffset }
        xing = container == "mp3" ? XingHeader(bridge.watched)?.inStream(of: soundSize) : nil
        gapless =
            av_dict_get(format.context.pointee.metadata, "iTunSMPB", nil, 0)
            .flatMap { $0.pointee.value.map { String(cString: $0) } }.flatMap(ITunesGapless.init)
        let codec = format.stream.pointee.codecpar?.pointee.codec_id
        let mayEndShort = codec == AV_CODEC_ID_ALAC || codec == AV_CODEC_ID_FLAC
        packetTable =
            container == "caf"
            ? CAFPacketTable(mayEndShort: mayEndShort) { bridge.peek(at: $0, count: $1) } : nil
        let tail = container == "ogg" ? OggTail.read { bridge.tail($0) } : nil
        isChained = tail.map { OggChain.isChained(head: bridge.head, tail: $0) } ?? false
        oggEnd = tail.flatMap { OggTail.lastPosition(in: $0, after: bridge.head) }
    }

    var isMP4: Bool { container.hasPrefix("mov") }
}
