/// A container's statement about the number of frames.
enum LengthStatement: Equatable {
    /// The one that libavformat reads from the header or the timestamps.
    case byTimestamps
    /// The number itself, if it is known.
    case frames(Int64?)
    /// An estimate: the timestamps state the length of the packets, which have more frames than are heard.
    case roughlyByTimestamps
    /// None: the timestamps do not state the duration either.
    case none
}
