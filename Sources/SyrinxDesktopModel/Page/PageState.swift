import SyrinxByteStream
package import SyrinxListening

/// The state of a window's page (empty, loading, player or error), of the network, and of the messages.
///
/// The page follows the state of the player. The network state and the messages belong to the window.
public struct PageState: Sendable, Equatable {
    /// The network state of the current item.
    public enum Network: Sendable, Equatable {
        /// No data are awaited.
        case idle
        /// Data are arriving, but not enough yet; the value is the fraction 0…1, if it is known.
        case buffering(Double?)
        /// The connection failed, and is retried after a number of seconds.
        case retrying(seconds: Int, attempt: Int)
    }

    /// The playback state.
    public enum Playback: String, Sendable, Equatable, CaseIterable {
        /// Sound is audible.
        case playing
        /// The user has paused playback.
        case paused
        /// Playback is waiting for data.
        case stalled
        /// Playback has reached the end.
        case ended
    }

    /// An error after which nothing can be played.
    public struct Failure: Sendable, Equatable {
        /// The error code.
        public var code: String
        /// The error message, one sentence.
        public var message: String

        /// Creates a failure.
        /// - Parameters:
        ///   - code: The error code, such as `http.status`.
        ///   - message: The error message, one sentence.
        public init(code: String, message: String) {
            self.code = code
            self.message = message
        }
    }

    /// A page.
    public enum Page: Sendable, Equatable {
        /// Nothing is open.
        case empty
        /// An item is being opened.
        case loading
        /// An item can be played.
        case player(Playback)
        /// An item could not be opened, or its playback failed.
        case error(Failure)
    }

    /// The state of the player, as far as the page displays it.
    public struct PlayerFacts: Sendable, Equatable {
        /// The page.
        ///
        /// Between two items it is `.loading`, and the window continues to display the previous page.
        public var page: Page
        /// The number of the item, which increases with each opened item.
        public var item: Int
        /// The title of the item until its tags are known.
        public var name: String
        /// Whether the user wants the item to play, even if it is waiting.
        public var wantsPlayback: Bool
        /// Whether playback is waiting for a sound output.
        public var lacksOutput: Bool

        /// Creates the state of a player.
        public init(
            page: Page = .empty,
            item: Int = 0,
            name: String = "",
            wantsPlayback: Bool = false,
            lacksOutput: Bool = false
        ) {
            (self.page, self.item, self.name) = (page, item, name)
            (self.wantsPlayback, self.lacksOutput) = (wantsPlayback, lacksOutput)
        }
    }

    /// An event from the user or the player.
    public enum Event: Sendable, Equatable {
        /// The state of the player may have changed.
        case player(PlayerFacts)
        /// The network state has changed.
        case network(Network)
        /// More data have arrived; the value is the number of bytes available.
        case arrived(bytes: Int64)
        /// The user opens something, so that older messages are obsolete.
        case opening
        /// An error occurred that does not stop playback.
        case warning(String)
        /// A change of the queue that can be undone.
        case undoable(String)
        /// A key has changed a setting to a value that is not otherwise visible.
        case value(String, of: String)
        /// The window should close.
        case closeRequested
        /// A message has disappeared.
        case toastEnded(id: Int)
    }

    /// An action for the window.
    public enum Action: Sendable, Equatable {
        /// Update the page.
        case update
        /// Update the displayed message.
        case updateToast
        /// Close the window.
        case closeWindow
    }

    /// The state of the player.
    public private(set) var player = PlayerFacts()
    /// The network state.
    public private(set) var network = Network.idle
    /// The queue of messages.
    public private(set) var toasts = ToastQueue()
    /// Whether the window is closing, so that further events are ignored.
    public private(set) var isClosed = false
    private var arrivedBytes: Int64 = 0

    /// Creates the state of an empty window.
    public init() {}

    /// The current page.
    public var page: Page { player.page }
    /// Whether playback is waiting for a sound output.
    public var lacksOutput: Bool { player.lacksOutput }
    /// The title of the item until its tags are known.
    public var name: String { player.name }
    /// Whether the user wants the item to play, even if it is waiting.
    public var wantsPlayback: Bool { player.wantsPlayback }

    /// Processes an event.
    /// - Parameter event: The event.
    /// - Returns: The actions, in order.
    public mutating func handle(_ event: Event) -> [Action] {
        guard !isClosed else { return [] }
        switch event {
        case .player(let facts): return take(facts)
        case .network(let network):
            guard isOpen, network != self.network else { return [] }
            self.network = Self.checked(network)
            return [.update]
        case .arrived(let bytes): return arrived(bytes)
        case .opening:
            let hadToast = toasts.shown != nil
            toasts.clear()
            return hadToast ? [.updateToast] : []
        case .warning(let text): return toasts.add(text) ? [.updateToast] : []
        case .undoable(let text): return toasts.add(text, offersUndo: true) ? [.updateToast] : []
        case .value(let value, let setting): return toasts.add(value, of: setting) ? [.updateToast] : []
        case .closeRequested:
            isClosed = true
            return [.closeWindow]
        case .toastEnded(let id): return toasts.dismiss(id) ? [.updateToast] : []
        }
    }

    private mutating func take(_ facts: PlayerFacts) -> [Action] {
        var facts = facts
        // Between two items without a gap, keep the page until the next item is known.
        if facts.page == .loading, facts.item == player.item, case .player = page { facts.page = page }
        guard facts != player else { return [] }
        if facts.item != player.item { (network, arrivedBytes) = (.idle, 0) }
        player = facts
        if !isOpen || page == .player(.playing) || page == .player(.ended) { network = .idle }
        return [.update]
    }

    private var isOpen: Bool {
        switch page {
        case .loading, .player: true
        case .empty, .error: false
        }
    }

    /// Ends the retrying state when data arrive, even if playback was not interrupted.
    private mutating func arrived(_ bytes: Int64) -> [Action] {
        guard isOpen, bytes > arrivedBytes else { return [] }
        arrivedBytes = bytes
        guard case .retrying = network else { return [] }
        network = page == .player(.playing) || page == .player(.paused) ? .idle : .buffering(nil)
        return [.update]
    }

    private static func checked(_ network: Network) -> Network {
        switch network {
        case .buffering(let share?): .buffering(share.isFinite ? share.clamped(to: 0...1) : nil)
        case .retrying(let seconds, let attempt): .retrying(seconds: max(seconds, 0), attempt: max(attempt, 1))
        default: network
        }
    }
}

extension PageState.PlayerFacts {
    /// Creates the state from a session.
    package init(_ session: ListeningSession) {
        let (queue, progress) = (session.queue, session.item.progress)
        self.init(
            page: Self.page(of: session),
            item: session.openingCount,
            name: queue.isEmpty ? "" : queue.current.title ?? queue.current.shortName,
            wantsPlayback: session.wantsPlayback,
            lacksOutput: progress.lacksOutput
        )
    }

    private static func page(of session: ListeningSession) -> PageState.Page {
        if let failure = session.failure { return .error(PageState.Failure(failure)) }
        let state = session.item.progress.state
        if session.isIdle { return state == .ended ? .player(.ended) : .empty }
        guard session.item.isOpen, !session.isEnding else { return .loading }
        switch state {
        case .opening: return .player(session.wantsPlayback ? .stalled : .paused)
        case .buffering: return .player(.stalled)
        case .playing: return .player(session.wantsPlayback ? .playing : .paused)
        case .paused: return .player(session.wantsPlayback ? .playing : .paused)
        case .stopped, .ended, .failed: return .loading
        }
    }
}

extension PageState.Failure {
    /// Creates a failure for the page.
    package init(_ failure: SyrinxListening.Failure) {
        self.init(code: failure.code.rawValue, message: failure.message.asSentence)
    }
}
