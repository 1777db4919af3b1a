/// A container's statements about its timestamps, which libavformat does not report or gets wrong.
struct ClockStatement {
    /// Whether all timestamps count from one start, and mean positions.
    var isCommon = true
    /// Whether they are rounded, although their ticks are frames.
    var isRounded = false
    /// The timestamp of the first frame that is heard, whatever the first packet says.
    var origin: Int64?
    /// The timestamp of the first frame that is heard, if the first packet does not state it.
    var fallbackOrigin: Int64?
    /// The number of frames from the first timestamp to the first frame that is heard.
    var leadingFrames: Int64?
    /// Whether the first packet states the encoder's delay in ticks and not in frames; without that statement, libavformat has
    /// moved the timestamps by the delay.
    var countsDelayInTicks = false
    /// The ticks at the start that libavformat counts as sound, though they decode to nothing: it trims as many too many from the
    /// end.
    var silentTicks: Int64 = 0
}
