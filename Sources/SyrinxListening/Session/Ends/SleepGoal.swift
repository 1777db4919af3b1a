import SyrinxPlayback

/// A setting of the sleep timer: the moment at which playback ends.
package enum SleepGoal: Equatable, Sendable {
    /// After a number of seconds.
    case time(Double)
    case endOfChapter, endOfItem

    /// Returns the next setting of the key of both faces: 15, 30, 45, 60 minutes, end of chapter, end of item, off.
    /// - Parameter goal: The goal, with the seconds that are left; `nil` while there is none.
    package static func next(after goal: SleepGoal?) -> SleepGoal? {
        switch goal {
        case nil: return .time(15 * 60)
        case .time(let left):
            let minutes = (left / 60).rounded(.up)
            return [15, 30, 45, 60].first { $0 > minutes }.map { .time($0 * 60) } ?? .endOfChapter
        case .endOfChapter: return .endOfItem
        case .endOfItem: return nil
        }
    }

    /// The goal of the timer.
    var timerGoal: SleepTimer.Goal {
        switch self {
        case .time(let seconds): .time(seconds)
        case .endOfChapter: .endOfChapter
        case .endOfItem: .endOfItem
        }
    }
}

extension ListeningSession {
    /// The moment at which playback ends, with the seconds that are left; `nil` while the sleep timer is off.
    package var sleepGoal: SleepGoal? {
        sleep.goal.map { goal, remaining in
            switch goal {
            case .time(let seconds): .time(remaining ?? seconds)
            case .endOfChapter: .endOfChapter
            case .endOfItem: .endOfItem
            }
        }
    }
}
