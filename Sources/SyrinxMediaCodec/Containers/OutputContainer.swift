/// A container that files are written in: what the writers need to know of it, in one value.
///
/// Each container is described in its folder, and `known` lists the descriptions.
package struct OutputContainer: Sendable, Equatable {
    /// The place in which a file states frames at its start and end that are not heard.
    enum DelayStatement: Sendable, Equatable {
        /// None: a file begins and ends with whole packets.
        case unavailable
        /// The edit list of MP4.
        case editList
        /// The LAME tag of MP3.
        case tagOfLAME
        /// The packet table of CAF.
        case packetTable
    }

    /// The place of a cover picture.
    enum PicturePlace: Sendable, Equatable { case unavailable, stream, comment }

    /// libavformat's name of the multiplexer.
    let muxer: String
    /// The endings of file names, the usual one first.
    let endings: [String]
    /// The codecs of new files, the usual one first; empty if packets can only be copied into the container.
    package let codecs: [MediaCodecName]
    /// Whether samples have their most significant byte first.
    package var hasBigEndianSamples = false
    /// The way to state frames that are not heard.
    var delay = DelayStatement.unavailable
    /// The place of a cover picture.
    var picture = PicturePlace.unavailable
    /// The number of bytes that a picture stays below.
    var largestPicture = Int.max
    /// The number of pixels of a side that is stated at most.
    var longestPictureSide = Int(Int32.max)
    /// Whether chapters are written as comments: libavformat 59 writes none, or wrong ones.
    var hasChaptersAsComments = false
    /// libavformat's options for every file.
    var options: [String: String] = [:]
    /// libavformat's options for a file with tags or a picture.
    var optionsForTags: [String: String] = [:]
    /// The layout of a header that can be kept true while the file grows.
    var growing: GrowingHeader.Form?

    /// Describes a container.
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

    /// The containers that are written.
    private static let known = [wave, flac, aiff, caf, m4a, mp3, ogg, opus, mp4, quickTime]

    /// The usual endings of the names of new files.
    package static let endings = known.filter { !$0.codecs.isEmpty }.map { $0.endings[0] }

    /// Returns the container of files whose names have this ending, in lower case; `nil` if it is unknown.
    package static func named(_ ending: String) -> OutputContainer? { known.first { $0.endings.contains(ending) } }
}
