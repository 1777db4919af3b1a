import SyrinxPlayback

/// Drives a sleep timer with the progress of a session.
///
/// It has no side effects.
package struct SleepWatch: Sendable {
    /// The longest fade, in seconds.
    private static let longestFade = 10.0

    private var timer: SleepTimer
    /// The last report: the time of the input, the clock, and the end of the chapter.
    private var last: (time: Double, now: Double, chapterEnd: Double?)?

    /// Creates a watch for a goal; `nil` turns the sleep timer off.
    init(_ goal: SleepTimer.Goal? = nil) {
        var fade = Self.longestFade
        if case .time(let seconds) = goal { fade = min(fade, seconds / 2) }
        timer = SleepTimer(fadeDuration: fade)
        if let goal { _ = timer.start(goal) }
    }

    /// Whether the sleep timer runs.
    var isOn: Bool { timer.goal != nil }

    /// Whether playback ends at the end of the input or earlier.
    var endsWithItem: Bool { timer.goal == .endOfItem || timer.goal == .endOfChapter }

    /// Processes the progress of the input, played at a rate; `now` is the clock in seconds.
    mutating func heard(_ item: CurrentItem, rate: Double, at now: Double) -> [SleepTimer.Action] {
        let before = last
        let (time, isPlaying, chapterEnd) = (item.progress.time, item.progress.state == .playing, item.chapterEnd)
        last = (time, now, chapterEnd)
        guard let before else { return [] }
        let elapsed = now - before.now
        // A seek beyond the end of a chapter is not its end.
        if isPlaying, let end = before.chapterEnd, before.time < end, time >= end,
            time - before.time <= elapsed * rate + 1
        {
            let actions = timer.chapterEnded()
            if !actions.isEmpty { return actions }
        }
        let remaining = { (end: Double?) in end.map { ($0 - time) / rate } }
        return timer.advance(
            by: elapsed,
            isPlaying: isPlaying,
            chapterRemaining: remaining(chapterEnd),
            itemRemaining: remaining(item.progress.duration)
        )
    }

    /// Notes that the listener gave a command or pressed a key.
    mutating func activity() -> [SleepTimer.Action] { timer.activity() }

    /// The goal of the sleep timer; for a time, the seconds left.
    package var goal: SleepGoal? { SleepGoal(timer) }

    /// Sets another goal; `nil` turns the sleep timer off.
    mutating func set(_ goal: SleepTimer.Goal?) -> [SleepTimer.Action] {
        timer.fadeDuration = Self.longestFade
        return goal.map { timer.start($0) } ?? timer.cancel()
    }

    /// Discards the last report because another input begins.
    mutating func beginItem() { last = nil }
}
