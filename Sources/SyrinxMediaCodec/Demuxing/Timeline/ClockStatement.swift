/// A container's statements about its timestamps, where libavformat does not tell or gets them wrong.
struct ClockStatement {
    /// Whether all timestamps count from one start, and mean positions.
    var isCommon = true
    /// The timestamp of the first frame that is heard, whatever the first packet says.
    var origin: Int64?
    /// The timestamp of the first frame that is heard, where the first packet says nothing.
    var fallbackOrigin: Int64?
    /// The ticks at the start that libavformat takes for sound, though nothing comes of them: so much too much it cuts off the end.
    var silentTicks: Int64 = 0
}
