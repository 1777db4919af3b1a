import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxPlayerUI
import SyrinxTerminal

/// Feeds a sleep timer with what a session hears.
///
/// Pure.
struct SleepWatch {
    /// The surroundings of the time that is heard, in seconds of the input.
    struct Place: Equatable {
        var rate = 1.0
        var chapterEnd: Double?
        var itemEnd: Double?
    }

    /// The longest fade, in seconds.
    private static let longestFade = 10.0

    private var timer: SleepTimer
    /// The last report: the time of the input, the clock, and the end of the chapter.
    private var last: (time: Double, now: Double, chapterEnd: Double?)?

    /// A watch that lets playback end at the goal of `argument`; `nil` for none.
    init(_ argument: SleepArgument? = nil) {
        var fade = Self.longestFade
        if case .time(let seconds) = argument?.goal { fade = min(fade, seconds / 2) }
        timer = SleepTimer(fadeDuration: fade)
        if let argument { _ = timer.start(argument.goal) }
    }

    /// Whether an end is awaited.
    var isOn: Bool { timer.goal != nil }

    /// Whether playback ends with the input at the latest.
    var endsWithItem: Bool { timer.goal == .endOfItem || timer.goal == .endOfChapter }

    /// Takes the time that is heard, at `now` seconds.
    mutating func heard(_ time: Double, isPlaying: Bool, in place: Place, at now: Double) -> [SleepTimer.Action] {
        let before = last
        last = (time, now, place.chapterEnd)
        guard let before else { return [] }
        let elapsed = now - before.now
        // A seek beyond the end of a chapter is not its end.
        if isPlaying, let end = before.chapterEnd, before.time < end, time >= end,
            time - before.time <= elapsed * place.rate + 1
        {
            let actions = timer.chapterEnded()
            if !actions.isEmpty { return actions }
        }
        let remaining = { (end: Double?) in end.map { ($0 - time) / place.rate } }
        return timer.advance(
            by: elapsed,
            isPlaying: isPlaying,
            chapterRemaining: remaining(place.chapterEnd),
            itemRemaining: remaining(place.itemEnd)
        )
    }

    /// Takes a command or a key of the listener.
    mutating func activity() -> [SleepTimer.Action] { timer.activity() }

    /// The goal that is awaited, and the seconds left to it if it is a time.
    var goal: (SleepTimer.Goal, remaining: Double?)? { timer.goal.map { ($0, timer.remaining) } }

    /// Awaits another goal; `nil` for none.
    mutating func set(_ goal: SleepTimer.Goal?) -> [SleepTimer.Action] {
        timer.fadeDuration = Self.longestFade
        return goal.map { timer.start($0) } ?? timer.cancel()
    }

    /// Forgets the last report, as another input begins.
    mutating func beginItem() { last = nil }
}

extension PlaySession {
    /// The sleep timer's effects on what has happened.
    mutating func sleepActions(after happening: Event, at now: Double) -> [Action] {
        guard sleep.isOn, !isIdle else { return [] }
        let wishes: [SleepTimer.Action]
        switch happening {
        case .key, .control, .desktop, .terminal(.key), .terminal(.mouse), .terminal(.paste): wishes = sleep.activity()
        default:
            guard !isBetween else { return [] }
            let end = chapters.index(at: progress.time).map { index in
                chapters.index(after: progress.time).map { chapters.chapters[$0].start } ?? chapters.chapters[index].end
            }
            let place = SleepWatch.Place(rate: settings.rate, chapterEnd: end, itemEnd: progress.duration)
            let isPlaying = progress.state == .playing
            wishes = sleep.heard(progress.time, isPlaying: isPlaying, in: place, at: now)
        }
        if wishes.contains(.pause) { return end(.all, at: now) }
        return fades(wishes)
    }

    /// Takes a wish of the full screen as a sign that somebody listens.
    mutating func wake() -> [Action] { fades(sleep.activity()) }

    private func fades(_ wishes: [SleepTimer.Action]) -> [Action] {
        wishes.compactMap { wish in
            if case .setFade(let factor) = wish { .setVolume(settings.gain * factor) } else { nil }
        }
    }

    /// Has playback end at another moment; `nil` for its own.
    mutating func setSleep(_ goal: SoundView.Sleep?) -> [Action] {
        switch goal {
        case nil: fades(sleep.set(nil))
        case .time(let seconds): fades(sleep.set(.time(seconds)))
        case .endOfChapter: fades(sleep.set(.endOfChapter))
        case .endOfItem: fades(sleep.set(.endOfItem))
        }
    }

    /// The sleep timer as the full screen shows it.
    var sleepView: SoundView.Sleep? {
        guard let (goal, remaining) = sleep.goal else { return nil }
        return switch goal {
        case .time(let seconds): .time(remaining ?? seconds)
        case .endOfChapter: .endOfChapter
        case .endOfItem: .endOfItem
        }
    }
}
