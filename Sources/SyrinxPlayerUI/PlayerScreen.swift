package import SyrinxListening
package import SyrinxTerminal

/// The state of the full-screen terminal player: its page, selections and input, without the player itself.
///
/// A value without side effects: it processes events and views, and returns actions and cell grids. The view contains
/// the lists. Each event and each frame is passed the current view.
package struct PlayerScreen: Sendable {
    /// The page that is open.
    package internal(set) var page = PlayerPage.playing
    /// The keys.
    package var bindings: KeyBindings { didSet { frames.isStale = true } }
    private(set) var styles: Styles { didSet { frames.isStale = true } }
    /// The colors.
    package var theme: Theme {
        get { styles.theme }
        set { if newValue != theme { styles = Styles(newValue, depth: styles.depth) } }
    }
    /// The method of displaying covers.
    package var pictures: PictureProtocol {
        get { playing.pictures }
        set {
            playing.pictures = newValue
            frames.isStale = true
        }
    }

    var playing: PlayingPage
    var pages = ListPages()
    var modal: ModalWindow? {
        // A window receives the mouse events, including the end of a drag.
        didSet { if modal != nil { draggedTime = nil } }
    }
    var prompt: Prompt?
    /// The time at the pointer during a drag on the seek bar, in seconds.
    var draggedTime: Double?
    var messages = MessageLog()
    var meters = MeterBank()
    /// The areas of the last frame that react to the mouse.
    var places = Places()
    var frames = FrameCache()

    /// Creates a screen that shows the first page.
    ///
    /// - Parameters:
    ///   - theme: The colors.
    ///   - depth: The number of colors of the terminal.
    ///   - bindings: The key bindings.
    ///   - pictures: The method of displaying covers.
    package init(
        theme: Theme = Theme(),
        depth: ColorDepth = .trueColor,
        bindings: KeyBindings = KeyBindings(),
        pictures: PictureProtocol = .none
    ) {
        styles = Styles(theme, depth: depth)
        self.bindings = bindings
        playing = PlayingPage(pictures: pictures)
    }

    /// Displays a message for a few seconds, and adds it to the message list.
    ///
    /// - Parameter now: The current time of the clock of `PlayerView.now`.
    package mutating func show(_ text: String, kind: Message.Kind = .note, at now: Double) {
        messages.add(text, kind: kind, at: now)
    }

    /// Returns the time in seconds until the screen changes by itself, because a message disappears or a meter falls.
    ///
    /// Returns `nil` if the screen changes only after an event or with a new view.
    package func timeToChange(at now: Double) -> Double? {
        [messages.timeToChange(at: now), showsMeters && meters.isFalling ? 1.0 / 30 : nil].compactMap(\.self).min()
    }

    /// Whether the last frame contains level meters, which move during playback.
    package var showsMeters: Bool { places.meters != nil }

    /// Whether the outputs are listed.
    package var showsOutputs: Bool { if case .outputs? = modal?.content { true } else { false } }

    /// Processes an event, and returns the resulting actions.
    package mutating func handle(_ event: TerminalEvent, in view: PlayerView) -> [PlayerAction] {
        let view = view.checked
        update(view)
        frames.isStale = true
        switch event {
        case .key(let key): return press(key, in: view)
        case .paste(let text): return paste(text)
        case .mouse(let action, let column, let row, _): return point(action, column: column, row: row, in: view)
        case .focus, .answer: return []
        }
    }

    private mutating func press(_ key: KeyPress, in view: PlayerView) -> [PlayerAction] {
        if modal != nil { return pressInModal(key, in: view) }
        if prompt != nil { return pressInPrompt(key, in: view) }
        messages.dismissSeen(at: view.now)
        guard let command = bindings.command(for: key.name, on: page) else { return [] }
        return carryOut(command, in: view)
    }

    /// Cancels a drag on the seek bar, because the item has changed.
    package mutating func endDrag() { draggedTime = nil }

    /// Opens text that was pasted outside of a text field.
    private mutating func paste(_ text: String) -> [PlayerAction] {
        guard modal == nil else { return [] }
        if prompt == nil { prompt = Prompt(.openInput) }
        prompt?.field.insert(text.trimmed)
        return []
    }

    mutating func open(_ page: PlayerPage, in view: PlayerView) {
        if page == .podcasts { pages.hideNotes() }
        self.page = page
        prompt = nil
        draggedTime = nil
        update(view)
        if let id = listID { pages[id].open(view) }
    }

    /// The list of the current page; `nil` if it has none.
    var listID: ListID? { pages.id(of: page) }

    /// Updates the list for a view.
    mutating func update(_ view: PlayerView) {
        if let id = listID { pages[id].update(view) }
    }

    /// The queue indices of the visible rows of the queue page, from the top; empty on other pages.
    package var shownQueueEntries: [Int] {
        page == .queue ? pages[.queue].list.visibleEntries : []
    }
}

extension String {
    /// The text without surrounding white space.
    var trimmed: String {
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
