import SyrinxByteStream

/// A segment that is to be fetched and played, and its relation to the one before.
struct HLSPlan: Equatable, Sendable {
    /// The relation of a segment to the one that is played before it.
    enum Joint: Equatable, Sendable {
        /// Nothing is played before it.
        case first
        /// It goes on in the same stream of bytes.
        case continuous
        /// It has the same clock and another initialisation section.
        case initialized
        /// It has a clock of its own.
        case discontinuity
        /// It does not follow in time: what lies between has gone.
        case jump
        /// It is of another rendition.
        case switched
        /// It is a segment of which parts have been played already, up to where the sound goes on.
        case resumed
    }

    let id: Int
    /// The rendition.
    let level: Int
    let entry: HLSWindow.Entry
    let joint: Joint
    /// Seconds before it that are missing in a presentation that has a length, and are silent.
    var silence = 0.0
    /// The gaps and lost segments before it.
    var hole = HLSHole()

    var segment: HLSMediaPlaylist.Segment { entry.segment }

    /// Whether it is the part behind another of the same segment, of which it goes on with the bytes.
    func goesOn(within last: HLSPlan) -> Bool {
        guard let part = segment.part, let before = last.segment.part else { return false }
        return level == last.level && joint == .continuous && segment.sequence == last.segment.sequence
            && part == before.addingClamped(1)
    }
}
