/// Determines whether a sink can take back queued audio, and how much of it cannot be taken back.
///
/// Servers do not report this. But corking a stream makes a sink take back as much as it can. The difference between a
/// reading while the stream plays and one while it is corked shows how much that is.
struct SinkRewind: Equatable {
    /// A reading of a stream's position, in microseconds.
    struct Look: Equatable {
        /// The stream position up to which the sink has received audio.
        var handed: Int64
        /// The duration of received audio that has not been played.
        var unplayed: Int64
        var time: Int64
        var isPlaying: Bool
    }

    private var playing: Look?
    private var isOver = false
    /// The time in microseconds before playing that cannot be taken back; `nil` if nothing can be, or if it is unknown.
    private(set) var keptBySink: Int64?

    /// Processes a reading of the stream.
    ///
    /// Only the last reading while the stream plays, and the first while it is corked, are used.
    mutating func note(_ look: Look) {
        guard !isOver else { return }
        if look.isPlaying {
            playing = look
            return
        }
        guard let playing else { return }
        isOver = true
        // Ignore small differences: a sink that cannot rewind may still return frames left over from rate conversion.
        // Audio that was received between the readings and taken back again has no effect.
        guard playing.handed - look.handed > max(2_000, playing.unplayed / 4) else { return }
        let played = playing.handed - playing.unplayed + look.time - playing.time
        keptBySink = max(look.handed - played, 0)
    }

    /// Resets the result after the stream was moved to another sink.
    mutating func moved() { self = SinkRewind(isOver: true) }

    init() {}

    private init(isOver: Bool) { self.isOver = isOver }
}
