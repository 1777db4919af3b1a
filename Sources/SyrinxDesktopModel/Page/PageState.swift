/// The page of a window: empty, loading, the player, or an error; with the state of the network and the messages over it.
///
/// Events come in, wishes for the player and the window go out. Events of an item carry its number; those of an item that
/// has been replaced change nothing.
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

    /// An input of a person or of the player.
    public enum Event: Sendable, Equatable {
        /// An item is opened; its name is the title until its tags are known.
        case opened(name: String, plays: Bool)
        /// Enough is known to show the player.
        case ready(item: Int)
        /// Playback has changed.
        case playback(Playback, item: Int)
        /// The network has changed.
        case network(Network, item: Int)
        /// The sound output has gone, and playing waits for one; or there is one again.
        case output(isThere: Bool, item: Int)
        /// More of the item has arrived: so many bytes are there.
        case arrived(bytes: Int64, item: Int)
        /// The item failed for good.
        case failed(Failure, item: Int)
        /// Something failed that does not stop the item.
        case warning(String)
        /// A key has set a setting, of this name, to a value that is not seen.
        case value(String, of: String)
        /// The space bar, a media key or the button: play or pause.
        case togglePlayback
        /// The button of the page of errors, or of the message that says that playing failed.
        case retry
        /// The item was closed, and the window stays.
        case closedItem
        /// The window is to be closed.
        case closeRequested
        /// A message has disappeared.
        case toastEnded(id: Int)
    }

    /// An effect on the player or the window.
    public enum Action: Sendable, Equatable {
        /// Opens the item of this number.
        case open(item: Int, plays: Bool)
        /// Plays.
        case play
        /// Pauses.
        case pause
        /// Plays from the start, after the end.
        case playFromStart
        /// Stops the sound at once and frees the item.
        case stop
        /// Keeps the position and the window's size.
        case remember
        /// Asks for a file.
        case showFileChooser
        /// Closes the window.
        case closeWindow
        /// The page, or texts on it, have changed.
        case update
        /// The message that is shown has changed.
        case updateToast
    }

    /// The page that is shown.
    public private(set) var page = Page.empty
    /// The state of the network.
    public private(set) var network = Network.idle
    /// Whether playing waits for a sound output.
    public private(set) var lacksOutput = false
    /// The messages.
    public private(set) var toasts = ToastQueue()
    /// The number of the item, which grows with each that is opened.
    public private(set) var item = 0
    /// The name of the item as it was opened.
    public private(set) var name = ""
    /// Whether the listener wants the item to play, whatever it waits for.
    public private(set) var wantsPlayback = false
    /// Whether the window is to be closed, so that nothing more counts.
    public private(set) var isClosed = false
    private var arrivedBytes: Int64 = 0

    /// Creates the state of an empty window.
    public init() {}

    /// Takes an event.
    /// - Parameter event: The input.
    /// - Returns: The effects, in order.
    public mutating func handle(_ event: Event) -> [Action] {
        guard !isClosed else { return [] }
        switch event {
        case .opened(let name, let plays): return open(name, plays)
        case .ready(let item):
            guard item == self.item, page == .loading else { return [] }
            page = .player(wantsPlayback ? .stalled : .paused)
            return wantsPlayback ? [.play, .update] : [.update]
        case .playback(let playback, let item):
            guard item == self.item, case .player(let former) = page, playback != former else { return [] }
            page = .player(playback)
            if playback != .stalled { lacksOutput = false }
            // A pause by another program or by a lost device counts as the listener's.
            if playback == .paused || playback == .ended { wantsPlayback = false }
            if playback == .playing {
                wantsPlayback = true
                network = .idle
            }
            return [.update]
        case .network(let network, let item):
            guard item == self.item, isOpen, network != self.network else { return [] }
            self.network = Self.checked(network)
            return [.update]
        case .output(let isThere, let item):
            guard item == self.item, isOpen, lacksOutput == isThere else { return [] }
            lacksOutput = !isThere
            return [.update]
        case .arrived(let bytes, let item): return arrived(bytes, item)
        case .failed(let failure, let item): return fail(failure, item)
        case .warning(let text): return toasts.add(text) ? [.updateToast] : []
        case .value(let value, let setting): return toasts.add(value, of: setting) ? [.updateToast] : []
        case .togglePlayback: return toggle()
        case .retry:
            guard case .error = page else { return [] }
            return open(name, true)
        case .closedItem: return closeItem()
        case .closeRequested:
            isClosed = true
            return [.stop] + (item > 0 ? [.remember] : []) + [.closeWindow]
        case .toastEnded(let id): return toasts.dismiss(id) ? [.updateToast] : []
        }
    }

    /// Returns whether the next recording of a queue is to follow on one that cannot be opened.
    ///
    /// A recording that is damaged or missing is passed over, so that it does not hold up an album. Without a network, the next
    /// one could not be opened either, and the place in the queue would be lost.
    /// - Parameters:
    ///   - failure: The reason why it cannot be opened.
    ///   - wasOpened: Whether it could be opened, and failed later.
    ///   - hasNext: Whether the queue has another recording behind it.
    public func passesOver(_ failure: Failure, wasOpened: Bool, hasNext: Bool) -> Bool {
        guard hasNext, wantsPlayback, !wasOpened, isOpen else { return false }
        return ["file", "media"].contains(failure.code.prefix { $0 != "." })
    }

    private var isOpen: Bool {
        switch page {
        case .loading, .player: true
        case .empty, .error: false
        }
    }

    /// A connection that gives something is no longer tried again, also if the sound went on meanwhile.
    private mutating func arrived(_ bytes: Int64, _ item: Int) -> [Action] {
        guard item == self.item, isOpen, bytes > arrivedBytes else { return [] }
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

    private mutating func open(_ name: String, _ plays: Bool) -> [Action] {
        let stops: [Action] = isOpen ? [.remember, .stop] : []
        item += 1
        self.name = name
        page = .loading
        network = .idle
        lacksOutput = false
        arrivedBytes = 0
        wantsPlayback = plays
        let hadToast = toasts.shown != nil
        toasts.clear()
        return stops + [.open(item: item, plays: plays), .update] + (hadToast ? [.updateToast] : [])
    }

    private mutating func fail(_ failure: Failure, _ item: Int) -> [Action] {
        guard item == self.item, isOpen else { return [] }
        page = .error(failure)
        network = .idle
        lacksOutput = false
        wantsPlayback = false
        return [.stop, .update]
    }

    private mutating func toggle() -> [Action] {
        switch page {
        case .empty: return [.showFileChooser]
        case .error: return open(name, true)
        case .loading:
            wantsPlayback.toggle()
            return [.update]
        case .player(.ended):
            wantsPlayback = true
            return [.playFromStart, .update]
        case .player:
            wantsPlayback.toggle()
            return [wantsPlayback ? .play : .pause, .update]
        }
    }

    private mutating func closeItem() -> [Action] {
        guard page != .empty else { return [] }
        let actions: [Action] = isOpen ? [.remember, .stop, .update] : [.update]
        item += 1
        name = ""
        page = .empty
        network = .idle
        lacksOutput = false
        wantsPlayback = false
        return actions
    }
}
