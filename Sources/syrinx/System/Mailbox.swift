import Foundation

/// A queue of messages from any thread to one waiting thread.
final class Mailbox<Message: Sendable>: @unchecked Sendable {
    // Unchecked: `messages` is used only while `condition` is locked.
    private let condition = NSCondition()
    private var messages: [Message] = []

    /// Adds a message.
    /// - Parameters:
    ///   - message: The message.
    ///   - wakes: Whether to wake the waiting thread (default: `true`). Otherwise it gets the message at its deadline,
    ///     or together with the next message.
    func post(_ message: Message, wakes: Bool = true) {
        condition.lock()
        messages.append(message)
        if wakes { condition.signal() }
        condition.unlock()
    }

    /// Waits for the next message; returns `nil` if none arrives by `deadline`.
    func next(until deadline: Date) -> Message? {
        condition.lock()
        defer { condition.unlock() }
        while messages.isEmpty {
            guard condition.wait(until: deadline) else { break }
        }
        return messages.isEmpty ? nil : messages.removeFirst()
    }
}
