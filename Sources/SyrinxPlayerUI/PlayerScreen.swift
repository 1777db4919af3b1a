package import SyrinxListening
package import SyrinxTerminal

/// The full-screen player: what is open, selected and typed, without the player itself.
///
/// Pure. Events and a view go in, wishes and a grid of cells come out. The lists belong to the view. For each event that is
/// handled, and for each frame, a view of the moment is handed over.
package struct PlayerScreen: Sendable {
    /// The page that is open.
    package internal(set) var page = PlayerPage.playing
    /// The keys.
    package var bindings: KeyBindings { didSet { isStale = true } }
    private(set) var styles: Styles { didSet { isStale = true } }
    /// The colours.
    package var theme: Theme {
        get { styles.theme }
        set { if newValue != theme { styles = Styles(newValue, depth: styles.depth) } }
    }
    /// The way in which covers are shown.
    package var pictures: PictureProtocol { didSet { isStale = true } }

    var lists = ListStates()
    var modal: Modal? {
        // A window takes the mouse, and with it the end of a drag.
        didSet { if modal != nil { draggedTime = nil } }
    }
    var prompt: Prompt?
    /// The folder whose entry was selected, which is done once.
    var shownFolder: String?
    /// Whether the podcasts page shows episodes.
    var showsEpisodes = false
    /// Whether the podcasts page shows notes, in place of either list.
    var showsNotes = false
    /// Whether the transcript is scrolled along with the sound.
    var followsTranscript = true
    var showsRemaining = true
    /// The time that a drag on the seek bar points at, in seconds.
    var draggedTime: Double?
    var messages = MessageLog()
    var meters = MeterBank()
    var cover = CoverCache()
    var queueTotal = QueueTotal()
    /// The places of the last frame, for the mouse.
    var places = Places()
    var lastFrame: LastFrame?
    /// Whether the screen itself has changed since the last frame.
    var isStale = true

    /// A screen on its first page.
    ///
    /// - Parameters:
    ///   - theme: The colours.
    ///   - depth: The colours that the terminal can show.
    ///   - bindings: The keys.
    ///   - pictures: The way in which covers are shown.
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

    /// Shows a message for some seconds, and keeps it for the list of messages.
    ///
    /// - Parameter now: The time of the clock of `PlayerView.now`.
    package mutating func show(_ text: String, kind: Message.Kind = .note, at now: Double) {
        messages.add(text, kind: kind, at: now)
    }

    /// The time until the screen changes by itself, in seconds: messages disappear, meters fall.
    ///
    /// `nil` if it stays as it is until an event or a new view.
    package func timeToChange(at now: Double) -> Double? {
        [messages.timeToChange(at: now), showsMeters && meters.isFalling ? 1.0 / 30 : nil].compactMap(
            \.self
        ).min()
    }

    /// Whether the last frame has meters, which move while sound plays.
    package var showsMeters: Bool { places.meters != nil }

    /// Returns the wishes that an event expresses.
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

    /// Ends a drag on the seek bar without a seek: the item that it was about is no longer the one that plays.
    package mutating func endDrag() { draggedTime = nil }

    /// Text pasted outside of a field is taken for something to open.
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
    /// The text without white space at its ends.
    var trimmed: String {
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
