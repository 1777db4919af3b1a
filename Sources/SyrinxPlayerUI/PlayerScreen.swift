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
    package var bindings: KeyBindings { didSet { isStale = true } }
    private(set) var styles: Styles { didSet { isStale = true } }
    /// The colors.
    package var theme: Theme {
        get { styles.theme }
        set { if newValue != theme { styles = Styles(newValue, depth: styles.depth) } }
    }
    /// The method of displaying covers.
    package var pictures: PictureProtocol { didSet { isStale = true } }

    var lists = ListStates()
    var modal: Modal? {
        // A window receives the mouse events, including the end of a drag.
        didSet { if modal != nil { draggedTime = nil } }
    }
    var prompt: Prompt?
    /// The folder for which an entry was already selected.
    var shownFolder: String?
    /// Whether the podcasts page displays episodes.
    var showsEpisodes = false
    /// Whether the podcasts page displays notes instead of a list.
    var showsNotes = false
    /// Whether the transcript scrolls with playback.
    var followsTranscript = true
    var showsRemaining = true
    /// The time at the pointer during a drag on the seek bar, in seconds.
    var draggedTime: Double?
    var messages = MessageLog()
    var meters = MeterBank()
    var cover = CoverCache()
    var queueTotal = QueueTotal()
    /// The areas of the last frame that react to the mouse.
    var places = Places()
    var lastFrame: LastFrame?
    /// Whether the screen's own state has changed since the last frame.
    var isStale = true

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
        self.pictures = pictures
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
        [messages.timeToChange(at: now), showsMeters && meters.isFalling ? 1.0 / 30 : nil].compactMap(
            \.self
        ).min()
    }

    /// Whether the last frame contains level meters, which move during playback.
    package var showsMeters: Bool { places.meters != nil }

    /// Processes an event, and returns the resulting actions.
    package mutating func handle(_ event: TerminalEvent, in view: PlayerView) -> [PlayerAction] {
        let view = view.checked
        update(view)
        isStale = true
        switch event {
        case .key(let key): return press(key, in: view)
        case .paste(let text): return paste(text)
        case .mouse(let action, let column, let row, let modifiers):
            return point(action, column: column, row: row, modifiers, in: view)
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
        if page == .podcasts { showsNotes = false }
        self.page = page
        prompt = nil
        draggedTime = nil
        update(view)
        if page == .queue, let index = view.currentIndex, lists[.queue].window.selection == 0 {
            lists[.queue].select(entry: index)
        }
        if page == .chapters, let index = view.currentChapter { lists[.chapters].select(entry: index) }
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
