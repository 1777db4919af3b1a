import Foundation

/// A timer that fires ten times a second while it runs.
final class RepeatingTimer {
    private static let interval = DispatchTimeInterval.milliseconds(100)
    private var source: (any DispatchSourceTimer)?

    var isRunning: Bool { source != nil }

    /// Starts the timer, unless it runs; `handler` is called on a background queue.
    func start(_ handler: @escaping @Sendable () -> Void) {
        guard source == nil else { return }
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .userInitiated))
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(10))
        timer.setEventHandler(handler: handler)
        source = timer
        timer.resume()
    }

    /// Stops the timer; a call that is under way may still end later.
    func stop() {
        source?.cancel()
        source = nil
    }
}
