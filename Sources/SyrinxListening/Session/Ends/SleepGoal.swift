package import SyrinxPlayback

/// A setting of the sleep timer: the moment at which playback ends.
package enum SleepGoal: Equatable, Sendable {
    /// After a number of seconds.
    case time(Double)
    case endOfChapter, endOfItem

    /// A goal other than a time.
    private typealias End = (goal: SleepGoal, name: String, timerGoal: SleepTimer.Goal)

    /// The goals other than times, in the order of the key, with their names on the command line and in JSON.
    private static var ends: [End] {
        [(.endOfChapter, "chapter", .endOfChapter), (.endOfItem, "item", .endOfItem)]
    }

    /// The name: `time`, `chapter` or `item`.
    var name: String { Self.ends.first { $0.goal == self }?.name ?? "time" }

    /// Parses `chapter`, `item` or a time; returns `nil` for other text and for a time of 0.
    package init?(argument: String) {
        if let end = Self.ends.first(where: { $0.name == argument }) {
            self = end.goal
        } else if let time = ClockTime(argument: argument), time.seconds > 0 {
            self = .time(time.seconds)
        } else {
            return nil
        }
    }

    /// Creates the goal of a timer; for a time, the seconds left.
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
    /// - Parameter goal: The current goal, with the seconds left; `nil` if the sleep timer is off.
    package static func next(after goal: SleepGoal?) -> SleepGoal? {
        guard let goal else { return .time(15 * 60) }
        if case .time(let left) = goal {
            let minutes = (left / 60).rounded(.up)
            return [15, 30, 45, 60].first { $0 > minutes }.map { .time($0 * 60) } ?? ends.first?.goal
        }
        return ends.drop { $0.goal != goal }.dropFirst().first?.goal
    }
}
