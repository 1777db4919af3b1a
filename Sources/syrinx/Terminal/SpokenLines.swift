import SyrinxByteStream
import SyrinxListening

/// Generates lines that describe changes of playback, for users who cannot see a status line.
///
/// Errors are reported separately.
struct SpokenLines: Equatable, Sendable {
    private var isPaused = false
    private var isRetrying = false
    /// The last description of the current item.
    private var announced = ""

    /// Returns the line for an event; `nil` if it has none.
    mutating func line(for event: ListeningEvent) -> String? {
        switch event {
        case .state(.paused, let time):
            guard !isPaused else { return nil }
            isPaused = true
            return "Paused at \(ClockTime.text(time))"
        case .state(.playing, let time):
            defer { (isPaused, isRetrying) = (false, false) }
            return isPaused || isRetrying ? "Playing from \(ClockTime.text(time))" : nil
        case .state(.opening, _):
            (isPaused, isRetrying) = (false, false)
            return nil
        case .retry(let attempt, let delay, _):
            isRetrying = true
            return "No connection: attempt \(attempt) in \(Int(clamped: delay.rounded(.up))) s"
        default: return nil
        }
    }

    /// Returns the line for the current item after an event; `nil` if its description has not changed.
    mutating func item(after event: ListeningEvent, _ nowPlaying: @autoclosure () -> NowPlaying) -> String? {
        switch event {
        case .chapter: return nowPlaying().chapterLine
        case .opened: announced = ""
        case .metadata: break
        default: return nil
        }
        let line = nowPlaying().itemLine
        defer { announced = line }
        return line == announced ? nil : line
    }
}
