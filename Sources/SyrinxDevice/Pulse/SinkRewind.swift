/// Finds out whether a sink gives back what it has been handed and has not played, and what of it that cannot be.
///
/// No server tells. But one that is asked to hold a stream takes back what it can at once, so that two looks tell: one while the
/// stream plays, and one while it is held.
struct SinkRewind: Equatable {
    /// A reading of a stream's state, in microseconds.
    struct Look: Equatable {
        /// Up to where the sink has been handed it.
        var handed: Int64
        /// The part that has not been played.
        var unplayed: Int64
        var time: Int64
        var isPlaying: Bool
    }

    private var playing: Look?
    private var isOver = false
    /// Microseconds before what is played that are beyond reach; `nil` if nothing is given back, or that is not known.
    private(set) var keptBySink: Int64?

    /// Takes a reading of the stream.
    ///
    /// The last one while it plays and the first one while it is held decide.
    mutating func note(_ look: Look) {
        guard !isOver else { return }
        if look.isPlaying {
            playing = look
            return
        }
        guard let playing else { return }
        isOver = true
        // What was handed on meanwhile, and taken back again, makes no difference. A sink that gives nothing back may still have some
        // frames returned that were left over where its rate is another.
        guard playing.handed - look.handed > max(2_000, playing.unplayed / 4) else { return }
        let played = playing.handed - playing.unplayed + look.time - playing.time
        keptBySink = max(look.handed - played, 0)
    }

    /// The stream goes to another sink, of which nothing is known.
    mutating func moved() { self = SinkRewind(isOver: true) }

    init() {}

    private init(isOver: Bool) { self.isOver = isOver }
}
