/// A timer that fades playback out and pauses it.
///
/// It has no clock: ``advance(by:isPlaying:chapterRemaining:itemRemaining:)`` takes the time that has gone by. Only time in which
/// playback runs counts. Activity of the listener during the fade restores the volume and extends the timer.
public struct SleepTimer: Sendable, Equatable {
    /// The moment at which playback pauses.
    public enum Goal: Sendable, Equatable {
        /// After so many seconds of listening.
        case time(Double)
        /// At the end of the chapter.
        case endOfChapter
        /// At the end of the item.
        case endOfItem
    }

    /// An action that the owner carries out.
    public enum Action: Sendable, Equatable {
        /// Multiplies the volume by this factor, 0…1.
        case setFade(Double)
        /// Pauses playback. ``setFade(_:)`` with 1 follows it, for the next start.
        case pause
    }

    /// The length of the fade in seconds; default: 10; 0 for none.
    public var fadeDuration: Double
    /// The time, in seconds, by which activity during the fade extends the timer; default: 300.
    public var extensionDuration: Double
    /// An interval, in seconds, above which the time counts as a suspended machine, and does not count; default: 10.
    public var maximumInterval: Double
    /// The goal; `nil` while the timer is off.
    public private(set) var goal: Goal?
    /// The factor of the volume, 0…1.
    public private(set) var fade = 1.0
    /// The seconds of listening that are left, as far as they are known.
    public private(set) var remaining: Double?
    /// The goal that the listener has set, while an extension replaces it.
    private var original: Goal?
    /// The goal that paused playback last, until it is set again or given up.
    private var reached: Goal?

    /// A timer that is off.
    public init(fadeDuration: Double = 10, extensionDuration: Double = 300, maximumInterval: Double = 10) {
        self.fadeDuration = fadeDuration
        self.extensionDuration = extensionDuration
        self.maximumInterval = maximumInterval
    }

    /// Starts the timer, or replaces its goal.
    ///
    /// A time that is not finite or not positive turns it off.
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

    /// Takes the listener's activity: a key, a movement of the pointer.
    ///
    /// During the fade the timer gets ``extensionDuration`` more, whatever its goal was. At other times nothing happens.
    public mutating func activity() -> [Action] {
        guard goal != nil, fade < 1 else { return [] }
        let original = original
        let actions = start(.time(extensionDuration))
        self.original = original
        return actions
    }

    /// Starts the timer once more, when the listener goes on soon after the timer has paused playback.
    ///
    /// Call it whenever playback goes on after a pause. It does nothing if the timer runs, was turned off, or did not pause.
    /// - Parameters:
    ///   - pause: The length of the pause in seconds.
    ///   - limit: The longest pause for which the timer starts again. Default: 300 seconds.
    public mutating func resumed(afterPause pause: Double, limit: Double = 300) -> [Action] {
        guard let goal = reached else { return [] }
        reached = nil
        return pause <= limit ? start(goal) : []
    }

    /// Lets time go by.
    ///
    /// - Parameters:
    ///   - seconds: The time since the last call; negative and non-finite ones count as 0.
    ///   - isPlaying: Whether playback ran.
    ///   - chapterRemaining: Seconds of listening, at the present rate, to the end of the chapter; `nil` if there is none.
    ///   - itemRemaining: Seconds of listening to the end of the item; `nil` if it is not known.
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
        // Without chapters the end of the item is the end of the chapter.
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

    /// The end of the chapter has been reached.
    public mutating func chapterEnded() -> [Action] { goal == .endOfChapter ? finish() : [] }

    /// The end of the item has been reached, which ends its last chapter too.
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
