/// Decides which notifications to show while the window is inactive: for the next recording, and for completed
/// downloads.
///
/// There is at most one notification of each kind, which a later one replaces. All are removed when the window becomes
/// active.
public struct NotificationState: Sendable, Equatable {
    /// A kind of notification.
    public enum Kind: String, Sendable, Equatable, CaseIterable {
        /// The next recording of the queue has started.
        case nextItem = "next-item"
        /// Episodes were downloaded.
        case downloads
    }

    /// An event from the window, the player or the library.
    public enum Event: Sendable, Equatable {
        /// The window has become active or inactive.
        case active(Bool)
        /// The queue has advanced automatically.
        case advanced(title: String, detail: String)
        /// An episode was downloaded.
        case downloaded(title: String)
        /// Playback has stopped.
        case stopped
        /// The window closes.
        case closed
    }

    /// An action for the desktop.
    public enum Action: Sendable, Equatable {
        /// Show a notification, replacing the one of the same kind.
        case send(Kind, title: String, body: String)
        /// Remove the notification of this kind.
        case withdraw(Kind)
    }

    /// The maximum number of titles in a notification; further downloads are counted.
    public static let maximumTitles = 4
    /// The maximum length of a title, in characters; the rest is truncated.
    public static let maximumLength = 120

    private var isActive = false
    private var isClosed = false
    private var sent: Set<Kind> = []
    private var downloads: [String] = []
    private var downloadCount = 0

    /// Creates the state of an inactive window without notifications.
    public init() {}

    /// Processes an event.
    /// - Parameter event: The event.
    /// - Returns: The actions, in order.
    public mutating func handle(_ event: Event) -> [Action] {
        guard !isClosed else { return [] }
        switch event {
        case .active(let isActive):
            self.isActive = isActive
            return isActive ? withdraw(Kind.allCases) : []
        case .advanced(let title, let detail):
            guard !isActive, !title.isEmpty else { return [] }
            return send(.nextItem, Self.cut(title), Self.cut(detail))
        case .downloaded(let title):
            guard !isActive else { return [] }
            downloadCount += 1
            if downloads.count < Self.maximumTitles { downloads.append(Self.cut(title)) }
            let heading = downloadCount == 1 ? "Episode downloaded" : "\(downloadCount) episodes downloaded"
            let rest = downloadCount - downloads.count
            let lines = downloads + (rest > 0 ? ["and \(rest) more"] : [])
            return send(.downloads, heading, lines.filter { !$0.isEmpty }.joined(separator: "\n"))
        case .stopped: return withdraw([.nextItem])
        case .closed:
            isClosed = true
            return withdraw(Kind.allCases)
        }
    }

    private mutating func send(_ kind: Kind, _ title: String, _ body: String) -> [Action] {
        sent.insert(kind)
        return [.send(kind, title: title, body: body)]
    }

    private mutating func withdraw(_ kinds: [Kind]) -> [Action] {
        if kinds.contains(.downloads) { (downloads, downloadCount) = ([], 0) }
        let shown = kinds.filter(sent.contains)
        sent.subtract(shown)
        return shown.map { .withdraw($0) }
    }

    private static func cut(_ text: String) -> String {
        text.count > maximumLength ? text.prefix(maximumLength - 1) + "…" : text
    }
}
