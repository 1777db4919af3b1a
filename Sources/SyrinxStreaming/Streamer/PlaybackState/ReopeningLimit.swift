import Foundation

/// Decides whether an input that changed on its server, or that cannot go back any more, is opened again.
///
/// A resource that changes again and again without sound between, or of which nothing comes, is given up.
struct ReopeningLimit {
    /// The number of changes in a row, without sound between, after which the input fails.
    static let maximumChanges = 3
    /// Seconds of sound after which a change counts as the first again.
    private static let secondsBetweenChanges: TimeInterval = 1

    /// The number of changes since the input was opened or gave enough sound.
    private(set) var changeCount = 0
    private var framesSinceChange: Int64 = 0
    /// Whether it was read again from its start, and has given nothing since.
    private var hasLostRanges = false

    /// Whether the input has changed more than once: then one response has to give all of it.
    var readsInOneAnswer: Bool { changeCount > 1 }

    /// Records a change of the input.
    /// - Returns: False if there have been too many.
    mutating func mayFollowChange(sampleRate: Double) -> Bool {
        // That it is read in one answer stays.
        let seconds = Double(framesSinceChange) / sampleRate
        if seconds >= Self.secondsBetweenChanges { changeCount = min(changeCount, Self.maximumChanges - 1) }
        guard changeCount < Self.maximumChanges else { return false }
        changeCount += 1
        framesSinceChange = 0
        return true
    }

    /// Records that the input lost its byte ranges.
    /// - Returns: False if it has given nothing since the last time.
    mutating func mayReadFromStart() -> Bool {
        guard !hasLostRanges else { return false }
        hasLostRanges = true
        return true
    }

    /// Records decoded frames.
    /// - Parameter isBroadcast: A station may come back as another as often as it likes, as long as it is heard between.
    mutating func decoded(_ frameCount: Int64, isBroadcast: Bool) {
        framesSinceChange = framesSinceChange.addingReportingOverflow(frameCount).partialValue
        guard frameCount > 0 else { return }
        hasLostRanges = false
        if isBroadcast { changeCount = 0 }
    }

    /// Records a seek.
    mutating func move() { hasLostRanges = false }
}
