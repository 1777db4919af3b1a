import Foundation

/// The step back with which playback resumes, by the length of the pause.
///
/// None for a pause below ``minimumPause``. From there it grows with the square of the pause's logarithm, up to ``maximumStep``
/// for a day and more: `maximumStep · (ln(pause / minimumPause) / ln(86400 / minimumPause))²`. With the defaults that is
/// 1 s after a minute, 9 s after an hour and 20 s after a day.
public struct ResumeRule: Sendable, Equatable, Codable {
    /// The shortest pause, in seconds, after which there is a step back; default: 5.
    public var minimumPause: Double
    /// The longest step back in seconds; default: 20.
    public var maximumStep: Double

    /// A rule; limits that are negative or not finite count as 0.
    public init(minimumPause: Double = 5, maximumStep: Double = 20) {
        self.minimumPause = minimumPause
        self.maximumStep = maximumStep
    }

    private static let day = 86_400.0

    /// The step back, in seconds, after a pause of so many seconds; 0 for what is not a number.
    public func step(afterPause pause: Double) -> Double {
        // A pause of less than a second has no useful logarithm as a limit.
        let shortest = minimumPause.isFinite ? min(max(minimumPause, 1), Self.day / 2) : 1
        guard pause >= max(shortest, minimumPause.isFinite ? minimumPause : 0) else { return 0 }
        let share = min(log(pause / shortest) / log(Self.day / shortest), 1)
        return maximumStep.isFinite ? max(maximumStep, 0) * share * share : 0
    }

    /// The position at which playback resumes.
    ///
    /// - Parameters:
    ///   - position: The stored position in seconds.
    ///   - pause: The time since it was stored, in seconds.
    ///   - floor: The earliest position, such as the start of the chapter or the end of the intro. Default: 0.
    public func position(resuming position: Double, afterPause pause: Double, floor: Double = 0) -> Double {
        let floor = floor.isFinite ? max(floor, 0) : 0
        guard position.isFinite else { return floor }
        let earliest = min(floor, max(position, 0))
        return max(position - step(afterPause: pause), earliest)
    }

    /// Whether an item is worth resuming by itself: it is long, and has been heard in part.
    ///
    /// - Parameters:
    ///   - stored: The stored position.
    ///   - minimumDuration: The shortest length, in seconds, of an item that is resumed. One of unknown length is not. Default: 600.
    ///   - margin: The part at the start, and at the end, in which there is nothing to resume, in seconds. Default: 15.
    public func resumes(_ stored: StoredPosition, minimumDuration: Double = 600, margin: Double = 15) -> Bool {
        guard !stored.isFinished, let duration = stored.duration, duration >= minimumDuration else { return false }
        return stored.position >= margin && stored.position <= duration - margin
    }
}
