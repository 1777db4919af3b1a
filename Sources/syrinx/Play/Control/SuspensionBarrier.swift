import AVFAudio
import Foundation
import SyrinxListening
import SyrinxStreaming

/// Makes the thread that suspends the process wait until the sound has faded out.
final class SuspensionBarrier: Sendable {
    /// The maximum wait in seconds, after which the process is stopped without the player's answer.
    static let patience = 0.3

    private let semaphore = DispatchSemaphore(value: 0)

    /// Calls `request`, and returns once `open()` has been called after that, or `patience` is over.
    func await(_ request: () -> Void) {
        // An answer that came too late for its request is none to this one.
        while semaphore.wait(timeout: .now()) == .success {}
        request()
        _ = semaphore.wait(timeout: .now() + Self.patience)
    }

    /// Releases the waiting thread.
    func open() { semaphore.signal() }

    /// Waits until the fade of a pause has been rendered.
    static func waitForSilence(of player: ListeningPlayer, _ clock: ProcessClock) {
        let deadline = clock.now + patience
        while !player.streamer.engine.isHeld, clock.now < deadline { usleep(2000) }
    }
}
