import Foundation
import MediaPlayer
import Synchronization

/// A value that one thread waits for and another gives.
private final class Answer<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let isGiven = DispatchSemaphore(value: 0)

    func give(_ new: Value) {
        value.withLock { $0 = new }
        isGiven.signal()
    }

    /// The maximum time to wait, in seconds.
    func wait(_ seconds: Double) -> Value? {
        _ = isGiven.wait(timeout: .now() + seconds)
        return value.withLock { $0 }
    }
}

/// The part of a player that another process controls, by `syrinx control`.
final class RemoteControl: Sendable {
    private let status = Mutex(RemoteStatus())
    private let post: @Sendable (DesktopPresence.Event) -> Void

    /// - Parameter post: Gets the commands and the requests, on another thread.
    init(post: @escaping @Sendable (DesktopPresence.Event) -> Void) { self.post = post }

    /// The object's part on the bus.
    var control: DesktopPlayer.Control {
        DesktopPlayer.Control(
            carryOut: { [self] in carryOut($0) },
            status: { [self] in json(at: $0) },
            queue: { [self] in queue() }
        )
    }

    /// Reports the status, but for the time.
    func update(_ new: RemoteStatus) { status.withLock { $0 = new } }

    private func carryOut(_ line: String) -> String? {
        do throws(CommandError) {
            let command = try ListeningCommand(text: line)
            if let reason = status.withLock({ $0.reason(against: command) }) { return reason }
            post(.command(command))
            return nil
        } catch {
            return error.message
        }
    }

    /// The time for which the player's thread is waited for: less than the caller waits.
    private static let patience = 3.0

    /// Returns the queue, which the thread that plays is asked for: a copy kept here could be large.
    private func queue() -> String {
        let entries = Answer<[RemoteQueueEntry]>()
        post(.queueAsked { entries.give($0) })
        return Self.json(entries.wait(Self.patience) ?? []) ?? "[]"
    }

    private func json(at time: Double) -> String {
        var status = status.withLock { $0 }
        status.time = time.isFinite ? (time * 1e6).rounded() / 1e6 : 0
        return Self.json(status) ?? "{}"
    }

    private static func json(_ value: some Encodable) -> String? {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
    }
}
