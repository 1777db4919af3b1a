internal import CSyrinxFFmpeg
internal import SyrinxByteStream

extension Container {
    /// Apple's Core Audio Format.
    static let caf = Container("caf") {
        $0.fileType = 0x6361_6666  // caff
        $0.framing = .table
        $0.cutting = .samples
        $0.statedEnd = .isBound
        $0.seeksDirectly = true
        $0.makeSource = { reader throws(SyrinxError) in
            let first = try reader.readFirst()
            return try PacketSource(reader, first: first, statement(reader.format))
        }
    }

    private static func statement(_ format: LibavContext) -> ContainerStatement {
        let (bridge, codec) = (format.bridge, format.stream.pointee.codecpar?.pointee.codec_id)
        let mayEndShort = codec == AV_CODEC_ID_ALAC || codec == AV_CODEC_ID_FLAC
        let table = CAFPacketTable(mayEndShort: mayEndShort) { bridge.peek(at: $0, count: $1) }
        var statement = ContainerStatement()
        statement.clock.leadingFrames = table?.startSkip
        statement.length = { _ in
            // Without remainder frames, a packet table states only the total length of the packets.
            StatedLimits.plausible(table?.frameCount).map { .frames($0) } ?? .roughlyByTimestamps
        }
        return statement
    }
}

extension OutputContainer {
    /// Apple's Core Audio Format.
    static let caf = OutputContainer("caf", [.pcm, .alac]) {
        $0.delay = .packetTable
        $0.growing = .caf
    }
}
