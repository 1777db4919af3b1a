/// The way in which queued samples of a PCM are replaced.
enum ALSADrop: Equatable {
    case nothing
    /// Rewinds by a number of frames and overwrites them.
    case rewind(Int)
    /// Stops the PCM, which discards its buffer, and restarts it.
    case restart

    /// - Parameters:
    ///   - queued: The number of queued frames that have not been played.
    ///   - limit: The maximum number of frames to drop.
    ///   - margin: The number of queued frames that the hardware may already have read; `nil` if the PCM cannot rewind.
    ///   - least: The number of frames above which dropping is worthwhile.
    init(queued: Int, limit: Int, margin: Int?, least: Int) {
        if let margin {
            let count = min(queued - min(margin, queued), limit)
            self = count > least ? .rewind(count) : .nothing
        } else {
            self = queued > least && limit >= queued ? .restart : .nothing
        }
    }
}
