package import SyrinxPlayback

/// A setting of the sleep timer: the moment at which playback ends.
package enum SleepGoal: Equatable, Sendable {
    /// After a number of seconds.
    case time(Double)
    case endOfChapter, endOfItem

    /// A goal that is no time.
    private typealias End = (goal: SleepGoal, name: String, timerGoal: SleepTimer.Goal)

    /// The goals that are no time, in the order of the key, with the names of the command line and of programs.
    private static var ends: [End] {
        [(.endOfChapter, "chapter", .endOfChapter), (.endOfItem, "item", .endOfItem)]
    }

    /// The name: `time`, `chapter` or `item`.
    var name: String { Self.ends.first { $0.goal == self }?.name ?? "time" }

    /// Reads `chapter`, `item` or a time, or is `nil` for anything else and for no time.
    package init?(argument: String) {
        if let end = Self.ends.first(where: { $0.name == argument }) {
            self = end.goal
        } else if let time = ClockTime(argument: argument), time.seconds > 0 {
            self = .time(time.seconds)
        } else {
            return nil
        }
    }

    /// Creates the goal of a timer; a time is that of the seconds left.
    init?(_ timer: SleepTimer) {
        if case .time(let seconds) = timer.goal {
            self = .time(timer.remaining ?? seconds)
        } else if let end = Self.ends.first(where: { $0.timerGoal == timer.goal }) {
            self = end.goal
        } else {
            return nil
        }
    }

    /// The goal of the timer.
    package var timerGoal: SleepTimer.Goal? {
        if case .time(let seconds) = self { return .time(seconds) }
        return Self.ends.first { $0.goal == self }?.timerGoal
    }

    /// Returns the next setting of the key of both faces: 15, 30, 45, 60 minutes, end of chapter, end of item, off.
    /// - Parameter goal: The goal, with the seconds that are left; `nil` while there is none.
    package static func next(after goal: SleepGoal?) -> SleepGoal? {
        guard let goal else { return .time(15 * 60) }
        if case .time(let left) = goal {
            let minutes = (left / 60).rounded(.up)
            return [15, 30, 45, 60].first { $0 > minutes }.map { .time($0 * 60) } ?? ends.first?.goal
        }
        return ends.drop { $0.goal != goal }.dropFirst().first?.goal
    }
}
