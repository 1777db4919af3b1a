internal import CSyrinxFFmpeg
internal import SyrinxByteStream

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

    init(_ format: LibavContext) {
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
    }

    var isMP4: Bool { container.hasPrefix("mov") }
}
