internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// The description of a container format for its readers.
///
/// Each container is described in its folder below `Containers`, and `known` lists the descriptions. `LibavContext`
/// selects the description when it opens an input; `MediaInfo.format` passes it to other modules.
package struct Container: Sendable {
    /// The arrangement of packets in a file.
    package enum Framing: Sendable {
        /// Nothing but frames, without timestamps or an index.
        case bareFrames
        /// A header, followed by frames only.
        case framesAfterHeader
        /// A table states the place of each packet.
        case table
        /// Packets are stored in blocks of the container.
        case blocks

        /// Whether audio frames follow each other without other data in between.
        package var isSequenceOfFrames: Bool { self == .bareFrames || self == .framesAfterHeader }
    }

    /// A way to cut packets out of pushed bytes without libavformat.
    enum Cutting: Sendable {
        /// Only libavformat can.
        case unavailable
        /// At the head of each frame.
        case frames(FrameSyntax)
        /// At the head of each frame of FLAC.
        case framesOfFLAC
        /// After each frame of samples, for uncompressed audio.
        case samples
    }

    /// The meaning of the frame count that the container states.
    enum StatedEnd: Sendable {
        /// The audio may be longer.
        case isNoBound
        /// Frames after it are the encoder's padding.
        case isBound
        /// Frames after it are encoder padding, for compressed audio, because the encoder counted its input.
        case isBoundOfCompressed
    }

    /// The families of tags, each with names of its own.
    package enum TagFormat: Sendable { case id3, iTunes, vorbisComment, unknown }

    /// The properties for video.
    struct Pictures: Sendable {
        /// Whether packet times are consecutive numbers in decoding order, so that reordered pictures have too late a
        /// time.
        var countInDecodingOrder = false
        /// Whether the container states only the time of the first picture that starts in each pack.
        var haveTimesByPack = false
        /// Whether the codec's tag is a four-character code with the first character in the lowest byte.
        var haveFourCharacterTags = false
    }

    /// The name in `MediaInfo.container`.
    package let name: String
    /// libavformat's short name of the demultiplexer: the first, if it has several.
    let demuxer: String
    /// Core Audio's file type (`AudioFileTypeID`); 0 if it has none.
    package var fileType: UInt32 = 0
    /// The family of its tags.
    package var tagFormat = TagFormat.unknown
    /// Whether several recordings can follow each other in one file, each with its own tags.
    package var isChainable = false
    /// The arrangement of the packets.
    package var framing = Framing.blocks
    /// The way to cut packets out of pushed bytes.
    var cutting = Cutting.unavailable
    /// The meaning of the stated frame count.
    var statedEnd = StatedEnd.isNoBound
    /// Whether the timestamps leave no gap, unless data are lost.
    var statesEveryGap = false
    /// Whether libavformat finds the packet for a timestamp without a search.
    var seeksDirectly = false
    /// Whether other tracks than the first can be read.
    var offersTracks = true
    /// The number of bytes of a remote stream that libavformat examines to learn the codec's parameters.
    var remoteProbeSize = 32768
    /// The properties for video.
    var pictures = Pictures()
    /// Returns the description of a variant of this container, detected from the bytes of the file; `nil` if it is this
    /// one.
    var variant: (@Sendable (AVIOBridge) -> Container?)?
    /// Returns the number of index entries that libavformat has to load before the first packet.
    var countIndexed: (@Sendable (AVIOBridge) -> Int64?)?
    /// Makes the parser that replaces libavformat's; `nil` if libavformat's is used.
    var makeParser: @Sendable (UnsafeMutablePointer<AVFormatContext>) -> FLACFrameParser? = { _ in nil }
    /// Makes the source of the recording's packets.
    var makeSource: @Sendable (LibavPacketReader) throws(SyrinxError) -> PacketSource = { reader throws(SyrinxError) in
        try PacketSource(reader, first: try reader.readFirst())
    }

    /// Creates a description with default properties.
    /// - Parameters:
    ///   - name: The name in `MediaInfo.container`.
    ///   - demuxer: libavformat's name; `name` by default.
    package init(_ name: String, demuxer: String? = nil) {
        self.name = name
        self.demuxer = demuxer ?? name
    }

    /// Describes a container with properties of its own.
    init(_ name: String, demuxer: String? = nil, _ describe: (inout Container) -> Void) {
        self.init(name, demuxer: demuxer)
        describe(&self)
    }

    // MARK: Lookup

    /// The supported containers; libavformat's demultiplexers of playlists are excluded, because they would open other
    /// files.
    static let known: [Container] =
        [
            mp3, adts, loas, ac3, eac3, dts, flac, ogg, mp4, matroska, caf, wave, wave64, aiff, au, amr, avi,
            mpegProgram,
            module,
        ]
        + [
            "mpegts", "ape", "wv", "tta", "dsf", "iff", "asf", "truehd", "mpc", "mpc8", "tak", "flv", "spx", "gsm",
            "rm",
            "oma", "voc", "shn", "sbc", "dtshd", "mlp",
        ].map { Container($0) }

    private static let byDemuxer = Dictionary(known.map { ($0.demuxer, $0) }) { first, _ in first }

    /// Returns the container of libavformat's demultiplexer `names`, which are separated by commas.
    static func named(_ names: String) -> Container {
        let first = names.split(separator: ",").first.map(String.init) ?? names
        return byDemuxer[first] ?? Container(first)
    }

    /// Returns the container of an input that libavformat has opened.
    static func of(_ context: UnsafeMutablePointer<AVFormatContext>) -> Container {
        named(context.pointee.iformat.map { String(cString: $0.pointee.name) } ?? "")
    }
}
