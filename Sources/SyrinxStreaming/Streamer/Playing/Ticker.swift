import AVFAudio
import Foundation

/// Ticks ten times a second while it is running: at renders and, if there are none, by a timer.
///
/// Used with the lock of the `PlaybackController` held.
final class Ticker {
    private var source: (any DispatchSourceTimer)?
    private var pacing = TickPacing(at: 0)

    /// Whether it has been started and not stopped.
    var isRunning: Bool { source != nil }

    /// Starts the ticker, unless it is running.
    /// - Parameter look: Called on a background queue without the lock; it must acquire the lock and call
    ///   `isTickByTimer()`.
    func start(_ look: @escaping @Sendable () -> Void) {
        guard source == nil else { return }
        pacing = TickPacing(at: monotonicNanoseconds())
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .userInitiated))
        timer.setEventHandler(handler: look)
        source = timer
        schedule(after: TickPacing.interval)
        timer.resume()
    }

    /// Returns whether the render that has just been is a tick.
    func isTickByRender() -> Bool { isRunning && pacing.rendered(at: monotonicNanoseconds()) }

    /// Returns whether the timer's look is a tick, and has the timer look again.
    func isTickByTimer() -> Bool {
        guard isRunning else { return false }
        let (isTick, wait) = pacing.looked(at: monotonicNanoseconds())
        schedule(after: wait)
        return isTick
    }

    private func schedule(after nanoseconds: UInt64) {
        source?.schedule(deadline: .now() + .nanoseconds(Int(clamping: nanoseconds)), leeway: .milliseconds(10))
    }

    /// Stops it; a look that is under way may still end later.
    func stop() {
        source?.cancel()
        source = nil
    }
}
