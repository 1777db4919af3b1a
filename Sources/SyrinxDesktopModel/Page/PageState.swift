import SyrinxByteStream
package import SyrinxListening

/// The page of a window: empty, loading, the player, or an error; with the state of the network and the messages over it.
///
/// The page follows from the state of the player; the state of the connection and the messages are the window's own.
public struct PageState: Sendable, Equatable {
    /// The state of the connection that an item comes from.
    public enum Network: Sendable, Equatable {
        /// Nothing is waited for.
        case idle
        /// Data arrive, but not enough yet; the share that has, 0 … 1, where it is known.
        case buffering(Double?)
        /// The connection failed, and is tried again in so many seconds.
        case retrying(seconds: Int, attempt: Int)
    }

    /// The state of playback.
    public enum Playback: String, Sendable, Equatable, CaseIterable {
        /// Sound is heard.
        case playing
        /// The listener has paused.
        case paused
        /// Playing is wanted; sound waits for data.
        case stalled
        /// The end was reached.
        case ended
    }

    /// A failure that leaves nothing to play.
    public struct Failure: Sendable, Equatable {
        /// The dotted code of the error.
        public var code: String
        /// One sentence that says what happened.
        public var message: String

        /// Creates a failure.
        /// - Parameters:
        ///   - code: The dotted code of the error, such as `http.status`.
        ///   - message: One sentence that says what happened.
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
        /// An item could not be opened or played on.
        case error(Failure)
    }

    /// The facts about the player that the page shows.
    public struct PlayerFacts: Sendable, Equatable {
        /// The page, unless the player is between two items.
        public var page: Page
        /// The number of the item, which grows with each that is opened.
        public var item: Int
        /// The title of the item, until its tags are known.
        public var name: String
        /// Whether the listener wants to hear the item, whatever it waits for.
        public var wantsPlayback: Bool
        /// Whether playing waits for a sound output.
        public var lacksOutput: Bool

        /// Creates facts.
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

    /// An input of a person or of the player.
    public enum Event: Sendable, Equatable {
        /// The state of the player may have changed.
        case player(PlayerFacts)
        /// The network has changed.
        case network(Network)
        /// More of the item has arrived: so many bytes are there.
        case arrived(bytes: Int64)
        /// The listener opens something, so that older messages no longer matter.
        case opening
        /// Something failed that does not stop the item.
        case warning(String)
        /// A change of the queue that can be undone.
        case undoable(String)
        /// A key has set a setting, of this name, to a value that is not seen.
        case value(String, of: String)
        /// The window is to be closed.
        case closeRequested
        /// A message has disappeared.
        case toastEnded(id: Int)
    }

    /// An effect on the window.
    public enum Action: Sendable, Equatable {
        /// The page, or texts on it, have changed.
        case update
        /// The message that is shown has changed.
        case updateToast
        /// Closes the window.
        case closeWindow
    }

    /// The facts about the player.
    public private(set) var player = PlayerFacts()
    /// The state of the network.
    public private(set) var network = Network.idle
    /// The messages.
    public private(set) var toasts = ToastQueue()
    /// Whether the window is to be closed, so that nothing more counts.
    public private(set) var isClosed = false
    private var arrivedBytes: Int64 = 0

    /// Creates the state of an empty window.
    public init() {}

    /// The page that is shown.
    public var page: Page { player.page }
    /// Whether playing waits for a sound output.
    public var lacksOutput: Bool { player.lacksOutput }
    /// The title of the item, until its tags are known.
    public var name: String { player.name }
    /// Whether the listener wants the item to play, whatever it waits for.
    public var wantsPlayback: Bool { player.wantsPlayback }

    /// Takes an event.
    /// - Parameter event: The input.
    /// - Returns: The effects, in order.
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
        // An item that follows without a gap is heard before anything is known of it.
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

    /// A connection that gives something is no longer tried again, also if the sound never stopped.
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
    /// The facts about a session.
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
    /// A failure as a page shows it.
    package init(_ failure: SyrinxListening.Failure) {
        self.init(code: failure.code.rawValue, message: failure.message.asSentence)
    }
}
