/// The properties of a recording that determine how a reader seeks, handles gaps, and detects the end.
struct RecordingTraits {
    /// The way in which a source seeks.
    enum Seeking {
        /// The stream must be read up to the position.
        case byReading
        /// A seek continues at the packet that contains the frame.
        case byPackets
        /// A seek restarts at the beginning, and the reader counts frames, because the timestamps are not exact.
        case byCountingFromStart
    }

    /// The way in which the source seeks.
    var seeking: Seeking
    /// Whether any gap between timestamps means lost data.
    var statesEveryGap = false
    /// Whether the container states the end of the audio, so that a missing end is replaced by silence.
    var statesItsEnd = false
    /// Whether frames after the stated length are padding.
    var isCutAtStatedEnd = false
    /// Whether the stated length may be wrong by a few packets.
    var statesLengthRoughly = false
    /// Whether the start of the sound is damaged, so that the readable part begins later.
    var lacksItsStart = false
    /// Whether packets come from several joined recordings, each of which counts from its own start.
    var readsThroughJoints = false
}
