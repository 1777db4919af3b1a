import SyrinxByteStream

extension Container {
    /// MP4, QuickTime and 3GP (ISO/IEC 14496-12).
    static let mp4 = Container("mp4", demuxer: "mov") {
        $0.fileType = 0x6D34_6166  // m4af
        $0.tagFormat = .iTunes
        $0.framing = .table
        $0.statedEnd = .isBound
        $0.seeksDirectly = true
        $0.pictures.haveFourCharacterTags = true
        $0.countIndexed = { bridge in MP4Boxes { bridge.peek(at: $0, count: $1) }.packetCount }
        $0.makeSource = { reader throws(SyrinxError) in
            if let source = try MP4TableSource.open(reader) { return source }
            return try MP4Source(reader)
        }
    }
}

extension OutputContainer {
    /// MP4 with audio only.
    static let m4a = OutputContainer("ipod", endings: ["m4a"], [.aac, .alac]) {
        $0.delay = .editList
        $0.picture = .stream
        // libavformat rejects larger sizes, but does not write these numbers: players use those of the picture itself.
        $0.longestPictureSide = Int(UInt16.max)
    }
    /// MP4, for copied packets.
    static let mp4 = OutputContainer("mp4") { $0.delay = .editList }
    /// QuickTime, for copied packets.
    static let quickTime = OutputContainer("mov") { $0.delay = .editList }
}
