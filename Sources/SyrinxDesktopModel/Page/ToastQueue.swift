/// A message that appears over the page for a while.
public struct Toast: Sendable, Equatable {
    /// The number by which its end is reported.
    public var id: Int
    /// One sentence, as plain text.
    public var text: String
    /// The number of times that the same message came in a row.
    public var count = 1
    /// The setting whose value the message shows, such as `Speed`; `nil` for other messages.
    public var setting: String?

    /// The text with the number of times, where it came more than once.
    public var title: String { count > 1 ? "\(text) (\(count)×)" : text }

    /// The seconds for which it is shown, 5…15: long sentences take longer to read.
    public var seconds: Int { (text.count / 15).clamped(to: 5...15) }
}

/// The messages that wait to be shown, of which one is shown at a time.
///
/// A message that is shown or waits already is counted, and not shown twice. The queue is bounded: the oldest that waits
/// makes place for a new one.
public struct ToastQueue: Sendable, Equatable {
    /// The greatest number of messages that wait.
    public static let maximumWaiting = 8
    /// The longest text, in characters; the rest is cut off.
    public static let maximumLength = 300

    /// The message that is shown.
    public private(set) var shown: Toast?
    /// The messages that wait, the next first.
    public private(set) var waiting: [Toast] = []
    private var nextID = 0

    /// Creates an empty queue.
    public init() {}

    /// Adds a message.
    /// - Parameter text: One sentence; an empty one is left out.
    /// - Returns: Whether the message that is shown has changed.
    @discardableResult
    public mutating func add(_ text: String) -> Bool {
        guard !text.isEmpty else { return false }
        let cut = text.count > Self.maximumLength ? text.prefix(Self.maximumLength - 1) + "…" : text
        if shown?.text == cut {
            shown?.count += 1
            return true
        }
        if let index = waiting.firstIndex(where: { $0.text == cut }) {
            waiting[index].count += 1
            return false
        }
        nextID &+= 1
        let toast = Toast(id: nextID, text: cut)
        guard shown != nil else {
            shown = toast
            return true
        }
        if waiting.count == Self.maximumWaiting { waiting.removeFirst() }
        waiting.append(toast)
        return false
    }

    /// Adds the value of a setting, which takes the place of the one before.
    /// - Parameters:
    ///   - value: The value as text.
    ///   - setting: The name of the setting.
    /// - Returns: Whether the message that is shown has changed.
    public mutating func add(_ value: String, of setting: String) -> Bool {
        nextID &+= 1
        let toast = Toast(id: nextID, text: "\(setting): \(value)", setting: setting)
        waiting.removeAll { $0.setting == setting }
        if let shown, shown.setting != setting { waiting.insert(shown, at: 0) }
        if waiting.count > Self.maximumWaiting { waiting.removeFirst() }
        shown = toast
        return true
    }

    /// Notes that a message has disappeared or was dismissed.
    /// - Parameter id: The number of the message; that of one which is not shown any more changes nothing.
    /// - Returns: Whether the message that is shown has changed.
    @discardableResult
    public mutating func dismiss(_ id: Int) -> Bool {
        guard shown?.id == id else { return false }
        shown = waiting.isEmpty ? nil : waiting.removeFirst()
        return true
    }

    /// Drops all messages, as another recording begins.
    public mutating func clear() {
        shown = nil
        waiting = []
    }
}
