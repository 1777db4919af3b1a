import AVFAudio
import Foundation
import Synchronization

/// Starts the output of a streamer while its input is being opened, on its own thread.
///
/// A device takes tens of milliseconds from its start to its first audio, while the first bytes arrive. Until audio is
/// available, it plays silence, most of which is then removed. Any thread may call the methods.
final class EarlyStart: Sendable {
    private struct State {
        var isWanted = false
        var hasStarted = false
    }

    // Held while the engine is started: `end()` waits for that.
    private let state = Mutex(State())

    private static let queue = DispatchQueue(label: "syrinx.output", qos: .userInitiated, attributes: .concurrent)

    /// Whether the engine was started and nothing was heard since.
    var isSilent: Bool { state.withLock { $0.hasStarted } }

    /// Starts the engine if it is stopped and its device benefits from it.
    /// - Parameter prepare: Called before the start with the format of the device.
    func begin(_ engine: AVAudioEngine, _ prepare: @escaping @Sendable (AVAudioFormat) -> Void) {
        state.withLock { $0.isWanted = true }
        Self.queue.async { [weak self, weak engine] in
            let format = self?.state.withLock { state -> AVAudioFormat? in
                guard state.isWanted, let engine else { return nil }
                state.isWanted = false
                // If there is no output device, the later attempt to use it reports the reason.
                guard (try? engine.startHeld()) == true else { return nil }
                state.hasStarted = true
                return try? engine.openOutput()
            }
            if let format { prepare(format) }
        }
    }

    /// Ends the early start: from now on, the caller controls the engine.
    /// - Returns: Whether the engine was started and nothing was heard.
    @discardableResult
    func end() -> Bool {
        state.withLock { state in
            defer { state = State() }
            return state.hasStarted
        }
    }
}
