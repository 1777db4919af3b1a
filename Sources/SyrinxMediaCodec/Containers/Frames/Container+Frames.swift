import SyrinxByteStream

/// Streams of frames without a container.
extension Container {
    private static func frames(
        _ name: String,
        _ syntax: FrameSyntax? = nil,
        fileType: UInt32 = 0,
        tags: TagFormat = .unknown,
        remoteProbeSize: Int = 32768
    ) -> Container {
        Container(name) {
            $0.fileType = fileType
            $0.tagFormat = tags
            $0.framing = .bareFrames
            $0.cutting = syntax.map { .frames($0) } ?? .unavailable
            $0.remoteProbeSize = remoteProbeSize
            $0.makeSource = { reader throws(SyrinxError) in try FrameStreamSource(reader) }
        }
    }

    // The file types are four-character codes: MPG3, adts, loas, ac-3. libavformat would read a second of audio to find
    // the properties that the first frames of these two state.

    /// MPEG audio of layers 1 to 3.
    static let mp3 = frames("mp3", .mpeg, fileType: 0x4D50_4733, tags: .id3, remoteProbeSize: 8192)
    /// AAC in ADTS (ISO/IEC 13818-7).
    static let adts = frames("aac", .adts, fileType: 0x6164_7473, tags: .id3, remoteProbeSize: 8192)
    /// AAC in LATM with the heads of LOAS (ISO/IEC 14496-3).
    static let loas = frames("loas", .loas, fileType: 0x6C6F_6173)
    /// AC-3 (ATSC A/52).
    static let ac3 = frames("ac3", .ac3, fileType: 0x6163_2D33)
    /// E-AC-3 (ATSC A/52, annex E).
    static let eac3 = frames("eac3", fileType: 0x6163_2D33)
    /// DTS (ETSI TS 102 114).
    static let dts = frames("dts")
}

extension OutputContainer {
    /// MPEG audio of layer 3.
    static let mp3 = OutputContainer("mp3", [.mp3]) {
        $0.delay = .tagOfLAME
        $0.picture = .stream
        // All players read ID3v2.3.
        $0.options = ["id3v2_version": "3"]
    }
}
