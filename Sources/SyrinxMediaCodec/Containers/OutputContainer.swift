/// The properties of a container format that the writers use.
///
/// Each container is described in its folder, and `known` lists the descriptions.
package struct OutputContainer: Sendable, Equatable {
    /// The place where a file states the number of inaudible frames at its start and end.
    enum DelayStatement: Sendable, Equatable {
        /// No place: the audio of a file starts and ends with whole packets.
        case unavailable
        /// The edit list of MP4.
        case editList
        /// The LAME tag of MP3.
        case tagOfLAME
        /// The packet table of CAF.
        case packetTable
    }

    /// The place where a file stores its cover picture.
    enum PicturePlace: Sendable, Equatable { case unavailable, stream, comment }

    /// libavformat's name of the multiplexer.
    let muxer: String
    /// The file name extensions, the usual one first.
    let endings: [String]
    /// The codecs of new files, the usual one first; empty if packets can only be copied into the container.
    package let codecs: [MediaCodecName]
    /// Whether samples are stored with the most significant byte first.
    package var hasBigEndianSamples = false
    /// The place where inaudible frames are stated.
    var delay = DelayStatement.unavailable
    /// The place of the cover picture.
    var picture = PicturePlace.unavailable
    /// The upper bound of a picture's size, in bytes, exclusive.
    var largestPicture = Int.max
    /// The largest width or height, in pixels, that the container can state.
    var longestPictureSide = Int(Int32.max)
    /// Whether chapters are written as comments, because libavformat 59 omits them or writes wrong ones.
    var hasChaptersAsComments = false
    /// libavformat's options that apply to every file.
    var options: [String: String] = [:]
    /// libavformat's options that apply to a file with tags or a picture.
    var optionsForTags: [String: String] = [:]
    /// The layout of a header that can be updated while the file grows.
    var growing: GrowingHeader.Form?

    init(
        _ muxer: String,
        endings: [String]? = nil,
        _ codecs: [MediaCodecName] = [],
        _ describe: (inout OutputContainer) -> Void = { _ in }
    ) {
        self.muxer = muxer
        self.endings = endings ?? [muxer]
        self.codecs = codecs
        describe(&self)
    }

    /// All output containers.
    private static let known = [wave, flac, aiff, caf, m4a, mp3, ogg, opus, mp4, quickTime]

    /// The usual file name extensions of new files.
    package static let endings = known.filter { !$0.codecs.isEmpty }.map { $0.endings[0] }

    /// Returns the container with a file name extension in lower case; `nil` if there is none.
    package static func named(_ ending: String) -> OutputContainer? { known.first { $0.endings.contains(ending) } }
}
