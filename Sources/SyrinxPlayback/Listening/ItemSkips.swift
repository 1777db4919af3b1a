/// Skips the intro and the outro of the current item.
///
/// A value without side effects.
package struct ItemSkips: Sendable {
    /// The maximum distance from the target of a seek, in seconds, at which a position confirms the seek.
    private static let tolerance = 1.0
    /// The number of positions after a seek that may have been reported before it.
    private static let mostStalePositions = 20

    private var skipping: Skipping
    /// The target of an unconfirmed seek, and the number of outdated positions that may still be reported.
    private var awaited: (time: Double, patience: Int)?

    /// Creates a value that skips nothing.
    package init() { skipping = Skipping() }

    /// Creates a value with the intro and outro durations of `settings`.
    package init(_ settings: PlaybackSettings) { skipping = Skipping(settings: settings) }

    /// The settings that contain the intro and outro durations.
    package var settings: PlaybackSettings {
        get { skipping.settings }
        set { skipping.settings = newValue }
    }
    /// The duration of the outro, in seconds.
    package var outro: Double { skipping.settings.outroDuration }
    /// The duration of the item in seconds; `nil` if it is unknown.
    package var duration: Double? {
        get { skipping.duration }
        set { skipping.duration = newValue }
    }

    /// Returns the position after the intro, in seconds; `nil` if the item starts after the intro anyway.
    ///
    /// - Parameters:
    ///   - duration: The duration, which may be inexact; an intro longer than half of it is ignored.
    ///   - time: The position at which the item would start, in seconds.
    package func start(of duration: Double?, from time: Double) -> Double? {
        skipping.start(of: duration, from: time)
    }

    /// Processes the start of the item.
    /// - Returns: The position to seek to, in seconds; `nil` for none.
    package mutating func started(at time: Double) -> Double? {
        for case .seek(let target) in skipping.started(at: time) {
            seeked(to: target)
            return target
        }
        return nil
    }

    /// Processes a playback position, in seconds.
    /// - Returns: Whether the item must end, because its outro starts.
    package mutating func reached(_ time: Double) -> Bool {
        if let (target, patience) = awaited {
            guard abs(time - target) < Self.tolerance || patience <= 0 else {
                awaited = (target, patience - 1)
                return false
            }
            awaited = nil
        }
        return skipping.reached(time).contains(.finish)
    }

    /// Processes a seek by the user.
    package mutating func seeked(to time: Double) {
        awaited = (time, Self.mostStalePositions)
        skipping.seeked(to: time)
    }
}
