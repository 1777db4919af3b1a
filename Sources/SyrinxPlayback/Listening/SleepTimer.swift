/// A timer that fades out playback and then pauses it.
///
/// It has no clock: pass the elapsed time to ``advance(by:isPlaying:chapterRemaining:itemRemaining:)``. Only playing
/// time counts. User activity during the fade restores the volume and extends the timer.
///
/// ```swift
/// var timer = SleepTimer(fadeDuration: 20)
/// _ = timer.start(.endOfChapter)
/// // Once a second:
/// let actions = timer.advance(by: 1, isPlaying: true, chapterRemaining: 42)
/// print(actions)  // a fade from 20 s before the end of the chapter
/// ```
public struct SleepTimer: Sendable, Equatable {
    /// The time at which playback pauses.
    public enum Goal: Sendable, Equatable {
        /// After this number of seconds of playback.
        case time(Double)
        /// At the end of the chapter.
        case endOfChapter
        /// At the end of the item.
        case endOfItem
    }

    /// An action for the player.
    public enum Action: Sendable, Equatable {
        /// Multiply the volume by this factor, 0…1.
        case setFade(Double)
        /// Pause playback; ``setFade(_:)`` with 1 follows, for the next start.
        case pause
    }

    /// The duration of the fade in seconds; 0 for none (default: 10).
    public var fadeDuration: Double
    /// The time by which user activity during the fade extends the timer, in seconds (default: 300).
    public var extensionDuration: Double
    /// The elapsed time, in seconds, above which the system is assumed to have been suspended (default: 10).
    ///
    /// Such a time is ignored.
    public var maximumInterval: Double
    /// The goal; `nil` while the timer is off.
    public private(set) var goal: Goal?
    /// The volume factor, 0…1.
    public private(set) var fade = 1.0
    /// The remaining playing time in seconds; `nil` if it is unknown.
    public private(set) var remaining: Double?
    /// The goal that the user has set, while an extension replaces it.
    private var original: Goal?
    /// The last goal that paused playback, until the timer is set again or turned off.
    private var reached: Goal?

    /// Creates a timer that is off.
    public init(fadeDuration: Double = 10, extensionDuration: Double = 300, maximumInterval: Double = 10) {
        self.fadeDuration = fadeDuration
        self.extensionDuration = extensionDuration
        self.maximumInterval = maximumInterval
    }

    /// Starts the timer, or replaces its goal.
    ///
    /// A time that is not finite or not positive turns the timer off.
    public mutating func start(_ goal: Goal) -> [Action] {
        if case .time(let seconds) = goal, !(seconds > 0 && seconds.isFinite) { return cancel() }
        set(goal)
        original = goal
        return setFade(1)
    }

    /// Turns the timer off and restores the volume.
    public mutating func cancel() -> [Action] {
        set(nil)
        return setFade(1)
    }

    /// Processes user activity, such as a key press or a pointer movement.
    ///
    /// During the fade, the timer is extended by ``extensionDuration``, regardless of its goal. Otherwise nothing
    /// happens.
    public mutating func activity() -> [Action] {
        guard goal != nil, fade < 1 else { return [] }
        let original = original
        let actions = start(.time(extensionDuration))
        self.original = original
        return actions
    }

    /// Restarts the timer if the user resumes playback soon after the timer has paused it.
    ///
    /// Call it whenever playback resumes after a pause. It does nothing if the timer is running, was turned off, or did
    /// not cause the pause.
    /// - Parameters:
    ///   - pause: The length of the pause, in seconds.
    ///   - limit: The longest pause after which the timer restarts, in seconds (default: 300).
    public mutating func resumed(afterPause pause: Double, limit: Double = 300) -> [Action] {
        guard let goal = reached else { return [] }
        reached = nil
        return pause <= limit ? start(goal) : []
    }

    /// Advances the timer.
    ///
    /// - Parameters:
    ///   - seconds: The time since the last call; negative and non-finite values count as 0.
    ///   - isPlaying: Whether playback was running.
    ///   - chapterRemaining: The playing time until the end of the chapter at the current rate, in seconds; `nil` if
    ///     there is
    ///     none.
    ///   - itemRemaining: The playing time until the end of the item, in seconds; `nil` if it is unknown.
    public mutating func advance(
        by seconds: Double,
        isPlaying: Bool,
        chapterRemaining: Double? = nil,
        itemRemaining: Double? = nil
    ) -> [Action] {
        guard let goal, isPlaying else { return [] }
        switch goal {
        case .time:
            let counted = seconds > 0 && seconds <= maximumInterval ? seconds : 0
            remaining = (remaining ?? 0) - counted
        // Without chapters, the end of the item counts.
        case .endOfChapter: remaining = chapterRemaining ?? itemRemaining
        case .endOfItem: remaining = itemRemaining
        }
        guard let left = remaining, left.isFinite else {
            remaining = nil
            return setFade(1)
        }
        if left <= 0 { return finish() }
        return setFade(fadeDuration > 0 ? min(left / fadeDuration, 1) : 1)
    }

    /// Processes the end of a chapter.
    public mutating func chapterEnded() -> [Action] { goal == .endOfChapter ? finish() : [] }

    /// Processes the end of the item, which is also the end of its last chapter.
    public mutating func itemEnded() -> [Action] { goal == .endOfItem || goal == .endOfChapter ? finish() : [] }

    private mutating func finish() -> [Action] {
        let goal = original
        set(nil)
        reached = goal
        fade = 1
        return [.pause, .setFade(1)]
    }

    private mutating func set(_ goal: Goal?) {
        self.goal = goal
        original = nil
        reached = nil
        if case .time(let seconds) = goal { remaining = seconds } else { remaining = nil }
    }

    private mutating func setFade(_ value: Double) -> [Action] {
        guard value != fade else { return [] }
        fade = value
        return [.setFade(value)]
    }
}
