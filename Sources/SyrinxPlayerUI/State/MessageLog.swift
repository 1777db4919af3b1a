/// A message that appears for some seconds.
package struct Message: Equatable, Sendable {
    /// The weight of a message.
    package enum Kind: Equatable, Sendable { case note, warning, error }

    package var text: String
    package var kind: Kind
    /// The time at which it was shown, in seconds.
    package var time: Double
}

/// The last messages, and those that are still visible.
struct MessageLog: Equatable, Sendable {
    /// The number of messages kept.
    static let maximumCount = 200
    /// The number of messages visible at a time.
    static let maximumVisible = 3
    /// The most characters of a message.
    static let maximumLength = 2_000

    private(set) var messages: [Message] = []
    private var hidesUntil = -Double.infinity

    /// The time for which a message is visible, in seconds: longer for what went wrong.
    static func duration(of kind: Message.Kind) -> Double { kind == .note ? 3 : 8 }

    mutating func add(_ text: String, kind: Message.Kind, at now: Double) {
        let text = String(text.prefix(Self.maximumLength))
        // The same once more only prolongs the first.
        if let last = messages.last, last.text == text, last.kind == kind { messages.removeLast() }
        messages.append(Message(text: text, kind: kind, time: now))
        if messages.count > Self.maximumCount { messages.removeFirst(messages.count - Self.maximumCount) }
    }

    /// The messages to show, the latest last.
    func visible(at now: Double) -> [Message] {
        let isVisible = { [hidesUntil] (message: Message) in
            message.time > hidesUntil && now - message.time < Self.duration(of: message.kind)
        }
        let latest = messages.suffix(Self.maximumVisible)
        return latest.contains(where: isVisible) ? latest.filter(isVisible) : []
    }

    /// Hides what has been visible long enough to be read, because the listener goes on.
    mutating func dismissSeen(at now: Double) {
        if let last = messages.last(where: { now - $0.time > 1.5 }) { hidesUntil = max(hidesUntil, last.time) }
    }

    func timeToChange(at now: Double) -> Double? {
        visible(at: now).map { max(Self.duration(of: $0.kind) - (now - $0.time), 0) }.min()
    }
}
