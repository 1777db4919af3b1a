import SyrinxByteStream

/// A segment to be fetched and played, and its relation to the one before.
struct HLSPlan: Equatable, Sendable {
    /// The relation of a segment to the one that is played before it.
    enum Joint: Equatable, Sendable {
        /// Nothing is played before it.
        case first
        /// The segment continues the same byte stream.
        case continuous
        /// The segment has the same clock and another initialization section.
        case initialized
        /// It has a clock of its own.
        case discontinuity
        /// The segment is not adjacent in time: the segments in between are gone.
        case jump
        /// The segment belongs to another rendition.
        case switched
        /// Parts of the segment were already played, up to the current position.
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

    /// Returns whether this is the next part of the same segment, whose bytes it continues.
    func goesOn(within last: HLSPlan) -> Bool {
        guard let part = segment.part, let before = last.segment.part else { return false }
        return level == last.level && joint == .continuous && segment.sequence == last.segment.sequence
            && part == before.addingClamped(1)
    }
}
