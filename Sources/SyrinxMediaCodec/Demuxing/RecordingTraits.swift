/// The properties of a recording that decide how a reader seeks in it, what a gap means, and where it ends.
struct RecordingTraits {
    /// The way in which a source moves to another place.
    enum Seeking {
        /// The stream has to be read up to the place.
        case byReading
        /// A seek continues at the packet for the frame.
        case byPackets
        /// A seek continues at the start, and the reader counts the frames: the timestamps do not state them.
        case byCountingFromStart
    }

    /// The way in which a source moves to another place.
    var seeking: Seeking
    /// Whether the timestamps leave no gap, unless data are lost.
    var statesEveryGap = false
    /// Whether the container states where its sound ends, so that silence replaces what is missing there.
    var statesItsEnd = false
    /// Whether frames after the stated length are padding.
    var isCutAtStatedEnd = false
    /// Whether the stated length may be wrong by a few packets.
    var statesLengthRoughly = false
    /// Whether the start of the sound is damaged, so that the readable part begins later.
    var lacksItsStart = false
    /// Whether packets come from several recordings, each of which counts from its own start.
    var readsThroughJoints = false
}
