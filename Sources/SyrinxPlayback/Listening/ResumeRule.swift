import Foundation

/// Computes how far playback steps back when it resumes, depending on the length of the pause.
///
/// Below ``minimumPause`` there is no step. Above, the step grows with the square of the logarithm of the pause, up to
/// ``maximumStep`` for a day or more: `maximumStep · (ln(pause / minimumPause) / ln(86400 / minimumPause))²`. With the
/// defaults, it is 1 s after a minute, 9 s after an hour and 20 s after a day.
///
/// ```swift
/// let rule = ResumeRule()
/// let hour = 3_600.0
/// print(rule.position(resuming: 754, afterPause: hour))  // about 9 s earlier
/// ```
public struct ResumeRule: Sendable, Equatable, Codable {
    /// The shortest pause that causes a step back, in seconds (default: 5).
    public var minimumPause: Double
    /// The longest step back, in seconds (default: 20).
    public var maximumStep: Double

    /// Creates a rule; negative and non-finite values count as 0.
    public init(minimumPause: Double = 5, maximumStep: Double = 20) {
        self.minimumPause = minimumPause
        self.maximumStep = maximumStep
    }

    private static let day = 86_400.0

    /// Returns the step back in seconds after a pause of `pause` seconds; 0 for NaN.
    public func step(afterPause pause: Double) -> Double {
        // The formula needs a minimum pause of at least one second.
        let shortest = minimumPause.isFinite ? min(max(minimumPause, 1), Self.day / 2) : 1
        guard pause >= max(shortest, minimumPause.isFinite ? minimumPause : 0) else { return 0 }
        let share = min(log(pause / shortest) / log(Self.day / shortest), 1)
        return maximumStep.isFinite ? max(maximumStep, 0) * share * share : 0
    }

    /// Returns the position at which playback resumes, in seconds.
    ///
    /// - Parameters:
    ///   - position: The stored position, in seconds.
    ///   - pause: The time since the position was stored, in seconds.
    ///   - floor: The earliest position, such as the start of the chapter or the end of the intro (default: 0).
    public func position(resuming position: Double, afterPause pause: Double, floor: Double = 0) -> Double {
        let floor = floor.isFinite ? max(floor, 0) : 0
        guard position.isFinite else { return floor }
        let earliest = min(floor, max(position, 0))
        return max(position - step(afterPause: pause), earliest)
    }

    /// Whether an item is resumed automatically, because it is long and was partly played.
    ///
    /// - Parameters:
    ///   - stored: The stored position.
    ///   - minimumDuration: The minimum duration of the item, in seconds (default: 600). If its duration is unknown,
    ///     the item
    ///     is not resumed.
    ///   - margin: The time at the start and at the end of the item from which it is not resumed, in seconds (default:
    ///     15).
    public func resumes(_ stored: StoredPosition, minimumDuration: Double = 600, margin: Double = 15) -> Bool {
        guard !stored.isFinished, let duration = stored.duration, duration >= minimumDuration else { return false }
        return stored.position >= margin && stored.position <= duration - margin
    }
}
