/// The way in which a PCM replaces samples that it has not played.
enum ALSADrop: Equatable {
    case nothing
    /// Goes back by so many frames, and writes over them.
    case rewind(Int)
    /// Stops it, which empties it, and starts it anew.
    case restart

    /// - Parameters:
    ///   - queued: Frames that it has and has not played.
    ///   - limit: The most that may be dropped.
    ///   - margin: How many of them it may have read already; `nil` if it cannot go back.
    ///   - least: Not worth the effort if it is fewer than this.
    init(queued: Int, limit: Int, margin: Int?, least: Int) {
        if let margin {
            let count = min(queued - min(margin, queued), limit)
            self = count > least ? .rewind(count) : .nothing
        } else {
            self = queued > least && limit >= queued ? .restart : .nothing
        }
    }
}
