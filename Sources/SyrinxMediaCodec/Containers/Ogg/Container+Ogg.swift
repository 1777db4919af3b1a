import SyrinxByteStream

extension Container {
    /// Ogg (RFC 3533).
    static let ogg = Container("ogg") {
        $0.tagFormat = .vorbisComment
        $0.isChainable = true
        // Each page belongs to one stream, and the page reader selects the first audio stream.
        $0.offersTracks = false
        $0.makeSource = { reader throws(SyrinxError) in try OggSource(reader) }
    }
}

extension OutputContainer {
    /// Ogg.
    static let ogg = ogg("ogg", [.vorbis, .opus, .flac])
    /// Ogg with Opus (RFC 7845).
    static let opus = ogg("opus", [.opus])

    private static func ogg(_ muxer: String, _ codecs: [MediaCodecName]) -> OutputContainer {
        OutputContainer(muxer, codecs) {
            $0.picture = .comment
            $0.hasChaptersAsComments = true
        }
    }
}
