import SyrinxByteStream
import SyrinxListening

/// The lines that tell changes of playback to people who cannot see a line that is rewritten in place.
///
/// Pure. Inputs, chapters and failures have lines of their own.
struct SpokenLines: Equatable, Sendable {
    private var isPaused = false
    private var isRetrying = false

    /// Returns the line for an event; `nil` if there is nothing to tell.
    mutating func line(for event: CommandEvent) -> String? {
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
}
