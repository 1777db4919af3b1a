import Foundation

/// Decides whether an input is reopened after it changed on its server, or lost the ability to seek.
///
/// A resource that changes repeatedly without audio in between, or delivers nothing, fails.
struct ReopeningLimit {
    /// The number of consecutive changes without audio in between after which the input fails.
    static let maximumChanges = 3
    /// The seconds of audio after which a change counts as the first again.
    private static let secondsBetweenChanges: TimeInterval = 1

    /// The number of changes since the input was opened or delivered enough audio.
    private(set) var changeCount = 0
    private var framesSinceChange: Int64 = 0
    /// Whether the input was reread from its start and has delivered nothing since.
    private var hasLostRanges = false

    /// Whether the input has changed more than once, so that it must be read in one response.
    var readsInOneAnswer: Bool { changeCount > 1 }

    /// Notes a change of the input.
    /// - Returns: False if there were too many changes.
    mutating func mayFollowChange(sampleRate: Double) -> Bool {
        // The requirement of a single response is kept.
        let seconds = Double(framesSinceChange) / sampleRate
        if seconds >= Self.secondsBetweenChanges { changeCount = min(changeCount, Self.maximumChanges - 1) }
        guard changeCount < Self.maximumChanges else { return false }
        changeCount += 1
        framesSinceChange = 0
        return true
    }

    /// Notes that the server no longer supports ranges.
    /// - Returns: False if the input has delivered nothing since the last time.
    mutating func mayReadFromStart() -> Bool {
        guard !hasLostRanges else { return false }
        hasLostRanges = true
        return true
    }

    /// Notes decoded frames.
    /// - Parameter isBroadcast: Whether the input is a broadcast, which may change any number of times if it is heard
    ///   in between.
    mutating func decoded(_ frameCount: Int64, isBroadcast: Bool) {
        framesSinceChange = framesSinceChange.addingReportingOverflow(frameCount).partialValue
        guard frameCount > 0 else { return }
        hasLostRanges = false
        if isBroadcast { changeCount = 0 }
    }

    /// Records a seek.
    mutating func move() { hasLostRanges = false }
}
