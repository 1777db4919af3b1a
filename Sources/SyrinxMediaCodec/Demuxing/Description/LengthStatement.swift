/// A container's statement about the number of frames.
enum LengthStatement: Equatable {
    /// libavformat's frame count, from the header or the timestamps.
    case byTimestamps
    /// The frame count itself, if it is known.
    case frames(Int64?)
    /// An estimate from the timestamps, because the packets contain more frames than are audible.
    case roughlyByTimestamps
    /// No statement, not even by the timestamps.
    case none
}
