/// Passes over the intro and the outro of the current input.
///
/// Pure.
package struct ItemSkips: Sendable {
    /// Seconds around the target of a seek in which a position belongs to it.
    private static let tolerance = 1.0
    /// Positions after a seek that may have been reported before it.
    private static let mostStalePositions = 20

    private var skipping: Skipping
    /// The target of a seek that no position has confirmed, and the positions that may still come from before it.
    private var awaited: (time: Double, patience: Int)?

    /// Passes over nothing.
    package init() { skipping = Skipping() }

    /// Passes over what `settings` say.
    package init(_ settings: PlaybackSettings) { skipping = Skipping(settings: settings) }

    /// The lengths of what is passed over.
    package var settings: PlaybackSettings {
        get { skipping.settings }
        set { skipping.settings = newValue }
    }
    /// Seconds at the end that are passed over.
    package var outro: Double { skipping.settings.outroDuration }
    /// The length of the input in seconds, if it is known.
    package var duration: Double? {
        get { skipping.duration }
        set { skipping.duration = newValue }
    }

    /// Returns the place at which an input of this length begins, in seconds; `nil` if it stays where it would begin.
    ///
    /// - Parameters:
    ///   - duration: The length; one that is not known for sure may be wrong, so that only a longer intro than half counts.
    ///   - time: The place at which it would begin.
    package func start(of duration: Double?, from time: Double) -> Double? {
        skipping.start(of: duration, from: time)
    }

    /// The input begins at a time.
    /// - Returns: The time to go to.
    package mutating func started(at time: Double) -> Double? {
        for case .seek(let target) in skipping.started(at: time) {
            seeked(to: target)
            return target
        }
        return nil
    }

    /// Takes the time that is heard.
    /// - Returns: Whether the input is to end, as its outro begins.
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

    /// The listener goes to a time.
    package mutating func seeked(to time: Double) {
        awaited = (time, Self.mostStalePositions)
        skipping.seeked(to: time)
    }
}
