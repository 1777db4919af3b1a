import Foundation

/// Hands messages from any thread to the one that waits for them, in the order in which they came.
final class Mailbox<Message: Sendable>: @unchecked Sendable {
    // Unchecked: `messages` is only touched while `condition` is locked.
    private let condition = NSCondition()
    private var messages: [Message] = []

    /// Adds a message.
    /// - Parameters:
    ///   - message: The message.
    ///   - wakes: Whether the thread that waits is woken for it. Default: `true`; otherwise it takes the message at its deadline, or
    ///     with the next message.
    func post(_ message: Message, wakes: Bool = true) {
        condition.lock()
        messages.append(message)
        if wakes { condition.signal() }
        condition.unlock()
    }

    /// The next message, or `nil` when none has come by `deadline`.
    func next(until deadline: Date) -> Message? {
        condition.lock()
        defer { condition.unlock() }
        while messages.isEmpty {
            guard condition.wait(until: deadline) else { break }
        }
        return messages.isEmpty ? nil : messages.removeFirst()
    }
}
