internal import SyrinxByteStream

/// The packets of Matroska: the segment states its end, and blocks show whether packets are missing between them.
final class MatroskaSource: PacketSource {
    override var isCutOff: Bool {
        guard let length = stream.length else { return false }
        return MatroskaHeader(bridge: format.bridge).end.map { length < $0 } ?? false
    }

    // False if the stream cannot be read again to find out.
    override var lastPacketsFollow: Bool {
        let (first, second) = lastOffsets
        guard first >= 0, second >= first, stream.isSeekable else { return false }
        let bridge = format.bridge
        return MatroskaGapCheck { bridge.peek(at: $0, count: $1) }.blocksFollow(first, second)
    }
}
