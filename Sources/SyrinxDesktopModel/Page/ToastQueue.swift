/// A message that is displayed over the page for a few seconds.
public struct Toast: Sendable, Equatable {
    /// The identifier with which its end is reported.
    public var id: Int
    /// The message as plain text, one sentence.
    public var text: String
    /// The number of consecutive occurrences of the message.
    public var count = 1
    /// Whether the message offers to undo the change of the queue that it is about.
    public var offersUndo = false
    /// The setting whose value the message displays, such as `Speed`; `nil` for other messages.
    public var setting: String?

    /// The text, with the number of occurrences if there are several.
    public var title: String { count > 1 ? "\(text) (\(count)×)" : text }

    /// The display time in seconds, 5…15, depending on the length of the text.
    public var seconds: Int { (text.count / 15).clamped(to: 5...15) }
}

/// A queue of messages, which are displayed one at a time.
///
/// A message that is already displayed or waiting is counted instead of repeated. If the queue is full, a new message
/// replaces the oldest waiting one.
public struct ToastQueue: Sendable, Equatable {
    /// The maximum number of waiting messages.
    public static let maximumWaiting = 8
    /// The maximum length of a message, in characters; the rest is truncated.
    public static let maximumLength = 300

    /// The displayed message; `nil` if there is none.
    public private(set) var shown: Toast?
    /// The waiting messages, in order.
    public private(set) var waiting: [Toast] = []
    private var nextID = 0

    /// Creates an empty queue.
    public init() {}

    /// Adds a message.
    /// - Parameters:
    ///   - text: One sentence; an empty text is ignored.
    ///   - offersUndo: Whether the message offers to undo the change of the queue that it is about.
    /// - Returns: Whether the displayed message has changed.
    @discardableResult
    public mutating func add(_ text: String, offersUndo: Bool = false) -> Bool {
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
        let toast = Toast(id: nextID, text: cut, offersUndo: offersUndo)
        guard shown != nil else {
            shown = toast
            return true
        }
        if waiting.count == Self.maximumWaiting { waiting.removeFirst() }
        waiting.append(toast)
        return false
    }

    /// Adds a message about a setting, which replaces the previous one about the same setting.
    /// - Parameters:
    ///   - value: The value as text.
    ///   - setting: The name of the setting.
    /// - Returns: Whether the displayed message has changed.
    public mutating func add(_ value: String, of setting: String) -> Bool {
        nextID &+= 1
        let toast = Toast(id: nextID, text: "\(setting): \(value)", setting: setting)
        waiting.removeAll { $0.setting == setting }
        if let shown, shown.setting != setting { waiting.insert(shown, at: 0) }
        if waiting.count > Self.maximumWaiting { waiting.removeFirst() }
        shown = toast
        return true
    }

    /// Called when a message has disappeared or was dismissed.
    /// - Parameter id: The identifier of the message; ignored if it is not displayed.
    /// - Returns: Whether the displayed message has changed.
    @discardableResult
    public mutating func dismiss(_ id: Int) -> Bool {
        guard shown?.id == id else { return false }
        shown = waiting.isEmpty ? nil : waiting.removeFirst()
        return true
    }

    /// Removes all messages, because another recording is opened.
    public mutating func clear() {
        shown = nil
        waiting = []
    }
}
