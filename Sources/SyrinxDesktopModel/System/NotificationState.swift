/// Decides which notifications are shown while the window is not active: the next recording of a queue, and downloads that are done.
///
/// There is one notification of each kind, which a later one replaces. All are withdrawn when the window becomes active.
public struct NotificationState: Sendable, Equatable {
    /// A kind of notification.
    public enum Kind: String, Sendable, Equatable, CaseIterable {
        /// The queue has gone on to the next recording.
        case nextItem = "next-item"
        /// Episodes have been downloaded.
        case downloads
    }

    /// An input of the window, the player or the library.
    public enum Event: Sendable, Equatable {
        /// The window has become active, or is no longer.
        case active(Bool)
        /// The queue has gone on by itself.
        case advanced(title: String, detail: String)
        /// An episode is on the disk.
        case downloaded(title: String)
        /// Nothing plays any longer.
        case stopped
        /// The window closes.
        case closed
    }

    /// An effect on the desktop.
    public enum Action: Sendable, Equatable {
        /// Shows a notification in place of the one of this kind.
        case send(Kind, title: String, body: String)
        /// Removes the notification of this kind.
        case withdraw(Kind)
    }

    /// The titles of downloads that one notification names; the others are counted.
    public static let maximumTitles = 4
    /// The longest title, in characters; the rest is cut off.
    public static let maximumLength = 120

    private var isActive = false
    private var isClosed = false
    private var sent: Set<Kind> = []
    private var downloads: [String] = []
    private var downloadCount = 0

    /// Creates the state of a window that is not active and has told nothing.
    public init() {}

    /// Takes an event.
    /// - Parameter event: The input.
    /// - Returns: The effects, in order.
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
