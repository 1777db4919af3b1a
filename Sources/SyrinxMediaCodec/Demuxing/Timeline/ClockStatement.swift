/// The properties of a container's timestamps that libavformat does not report, or reports wrongly.
struct ClockStatement {
    /// Whether all timestamps count from one start and denote positions.
    var isCommon = true
    /// Whether timestamps are rounded, although a tick equals a frame.
    var isRounded = false
    /// The timestamp of the first audible frame, regardless of the first packet.
    var origin: Int64?
    /// The timestamp of the first audible frame, if the first packet does not state it.
    var fallbackOrigin: Int64?
    /// The number of frames from the first timestamp to the first audible frame.
    var leadingFrames: Int64?
    /// Whether the first packet states the encoder delay in ticks instead of frames.
    ///
    /// If the packet states no delay, libavformat has already shifted the timestamps by it.
    var countsDelayInTicks = false
    /// The number of ticks at the start that decode to nothing.
    ///
    /// libavformat counts them as audio, and therefore trims the same number too many from the end.
    var silentTicks: Int64 = 0
}
