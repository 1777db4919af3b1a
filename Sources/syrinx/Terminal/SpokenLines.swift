import SyrinxByteStream
import SyrinxListening

/// The lines that tell changes of playback to people who cannot see a line that is rewritten in place.
///
/// Pure. Failures have lines of their own.
struct SpokenLines: Equatable, Sendable {
    private var isPaused = false
    private var isRetrying = false
    /// The text that was announced last.
    private var announced = ""

    /// Returns the line for an event; `nil` if there is nothing to tell.
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

    /// Returns the line that tells what plays after an event; `nil` if it is called the same as before.
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
