import AVFAudio
import Foundation
import Synchronization

/// Starts the output of a streamer while its input is being opened, on a thread of its own.
///
/// A device takes tens of milliseconds from its start to its first sound, in which the first bytes come. Until there is something
/// to hear it plays silence, most of which it takes back then. Any thread.
final class EarlyStart: Sendable {
    private struct State {
        var isWanted = false
        var hasStarted = false
    }

    // Held while the engine is started: `end()` waits for that.
    private let state = Mutex(State())

    private static let queue = DispatchQueue(label: "syrinx.output", qos: .userInitiated, attributes: .concurrent)

    /// Whether the engine has been started and nothing has been heard since.
    var isSilent: Bool { state.withLock { $0.hasStarted } }

    /// Has the engine be started, if it is stopped and its device is one that gains by it.
    /// - Parameter prepare: Called then, with the format of the device.
    func begin(_ engine: AVAudioEngine, _ prepare: @escaping @Sendable (AVAudioFormat) -> Void) {
        state.withLock { $0.isWanted = true }
        Self.queue.async { [weak self, weak engine] in
            let format = self?.state.withLock { state -> AVAudioFormat? in
                guard state.isWanted, let engine else { return nil }
                state.isWanted = false
                // If there is no output, the attempt to use it finds out why.
                guard (try? engine.startHeld()) == true else { return nil }
                state.hasStarted = true
                return try? engine.openOutput()
            }
            if let format { prepare(format) }
        }
    }

    /// Ends it: from now on the engine is the caller's.
    /// - Returns: Whether the engine has been started, and nothing has been heard.
    @discardableResult
    func end() -> Bool {
        state.withLock { state in
            defer { state = State() }
            return state.hasStarted
        }
    }
}
