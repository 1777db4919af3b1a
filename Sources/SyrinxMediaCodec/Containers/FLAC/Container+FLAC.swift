import SyrinxByteStream

extension Container {
    /// FLAC (RFC 9639), with or without foreign bytes before it.
    static let flac = Container("flac") {
        $0.fileType = 0x666C_6163  // flac
        $0.tagFormat = .vorbisComment
        $0.framing = .framesAfterHeader
        $0.cutting = .framesOfFLAC
        $0.makeParser = { LibavContext.makeFLACParser($0) }
        $0.makeSource = { reader throws(SyrinxError) in try FLACSource(reader) }
    }
}

extension OutputContainer {
    /// FLAC.
    static let flac = OutputContainer("flac", [.flac]) {
        $0.picture = .stream
        // The limit of a block is 16 MiB, of which the other fields need fewer than 100 bytes.
        $0.largestPicture = (1 << 24) - 100
        $0.hasChaptersAsComments = true
    }
}
