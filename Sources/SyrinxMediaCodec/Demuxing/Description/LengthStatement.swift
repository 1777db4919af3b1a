/// A container's statement about the number of frames.
enum LengthStatement: Equatable {
    /// The one that libavformat reads from the header or the timestamps.
    case byTimestamps
    /// The number itself, if it is known.
    case frames(Int64?)
    /// None: nor do the timestamps tell the duration.
    case none
}
