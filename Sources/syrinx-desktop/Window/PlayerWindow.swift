import AVFAudio
import Foundation
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxDevice
import SyrinxGTK
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxStreaming

/// The window of the player: shows the state of its player, and turns keys, clicks and drops into requests.
@MainActor
final class PlayerWindow {
    /// The program, with what windows share.
    let app: DesktopApp
    /// The number of the window in the program.
    let number: Int
    let window: Window
    let widgets: WindowWidgets
    let player: ListeningPlayer
    /// The recording: its waveform, pictures and chapters.
    let recording: RecordingPane
    /// The controls of the sound.
    let sound: SoundPane
    let queueView: QueueView
    let podcasts: PodcastPage
    let startPage: StartPage
    var page = PageState()
    /// The message that is shown.
    var shownToast: (view: ToastView, toast: Toast)?
    /// The parts of the player's state that the window shows.
    var shown = ShownState()
    /// The state of a drag over the window.
    var drops = DropState()
    /// The dialog that asks for an address or a password, while it is open.
    var addressDialog: AddressDialog?
    /// The control to which the Tab key has moved the focus last.
    var tabFocus: Widget?
    /// The window's part of the desktop: messages, and the request that the computer stays awake.
    var desktop = DesktopTies()
    var styleChanges: [SignalConnection] = []

    /// Makes a window, which is not shown yet.
    /// - Parameter number: Its number in the program.
    init(_ app: DesktopApp, number: Int) {
        self.app = app
        self.number = number
        widgets = WindowWidgets(Builder(WindowWidgets.description))
        window = Window.make(app.application)
        let rack = EffectRack()
        player = Self.makePlayer(app, number, rack)
        rack.equalizer = player.tone?.equalizer
        recording = RecordingPane(widgets, player.streamer)
        sound = SoundPane(widgets.sound, rack)
        podcasts = PodcastPage(app.library)
        startPage = StartPage(widgets.startList, app.library)
        queueView = QueueView(widgets.queue, window: number)
        window.setTitle("Syrinx")
        window.setDefaultSize(saved.memory.window.width, saved.memory.window.height)
        if saved.memory.window.isMaximized { window.isMaximized = true }
        window.setSizeRequest(360, 294)
        widgets.loading.spinner.turnsWhileMapped()
        podcasts.attach(to: self)
        window.setHelp(Builder(HelpDescription.content(app.settings)).get("help", Object.self))
        window.on("notify::is-active") { [weak self] _ in
            guard let self else { return }
            let isActive = self.window.bool("is-active")
            if isActive { self.app.take(.activated(self.number)) }
            if isActive { self.readStart() }
            self.tell(.active(isActive))
        }
        window.on("close-request") { [weak self] _ in
            self?.perform(self?.page.handle(.closeRequested) ?? [])
        }
        podcasts.didChangeSettings = { [weak app] settings, podcast in
            for window in app?.all ?? [] { window.act { $0.handle(.showSettings(settings, of: podcast)) } }
        }
        connect()
        startPage.onChoose = { [weak self] in self?.continueListening($0) }
        startPage.onChange = { [weak self] in self?.showPage() }
        showRecent()
        showSound()
        showOrder()
        update()
    }

    /// Makes the player of a window, with its streamer on the program's output.
    private static func makePlayer(_ app: DesktopApp, _ number: Int, _ rack: EffectRack) -> ListeningPlayer {
        var setup = ListeningPlayer.Setup(keeper: SavedState.positions) { ProcessInfo.processInfo.systemUptime }
        let device = makeOutput(app, &setup.output)
        setup.lifetime = .window
        setup.cache = DiskCache.user()
        setup.units = rack.units
        setup.sound = SoundSettings(volume: app.saved.volume)
        setup.general.skipForward = app.settings.skips.forward
        setup.general.skipBack = app.settings.skips.back
        setup.resumption = Resumption(SavedState.positions)
        // The player calls these on the main thread, as everything else of it.
        setup.access.list = { [weak app] input in MainActor.assumeIsolated { app?.withLogin(input) ?? input } }
        setup.access.stream = { [weak app] input in MainActor.assumeIsolated { app?.logins.added(to: input) ?? input } }
        setup.access.key = { [weak app] input in MainActor.assumeIsolated { app?.key(of: input) } }
        return ListeningPlayer(setup, on: TimePitchStreamer(device: device)) { [weak app] event, _ in
            // The main queue keeps their order.
            DispatchQueue.main.async { MainActor.assumeIsolated { app?.window(number)?.act { $0.handle(event) } } }
        }
    }

    /// Returns the device of the environment, else the one that the listener has chosen last, else the default.
    private static func makeOutput(_ app: DesktopApp, _ output: inout PlayerOutput) -> any OutputDevice {
        if let name = app.output, let device = try? OutputDevices.make(name) {
            output.name = name
            return device
        }
        let chosen = SavedState.positions.output
        let former = PlayerOutput.reopen(chosen)
        output.warning = former.warning
        if let chosen, let device = former.device {
            output.name = chosen
            return device
        }
        return OutputDevices.automatic() ?? NullOutput()
    }

    private func connect() {
        player.onNotice = { [weak self] notice in MainActor.assumeIsolated { self?.take(notice) } }
        connectRecording()
        sound.onRequest = { [weak self] request in self?.act { $0.request(request) } }
        addActions()
        // Unlike `toggled`, only the listener causes it.
        widgets.queue.shuffle.on("clicked") { [weak self] _ in self?.carryOut(.shuffle) }
        widgets.queue.repetition.on("clicked") { [weak self] _ in self?.carryOut(.loop) }
        widgets.sound.pane.onKey { [weak self] in self?.passRows($0, $1, $2) ?? false }
        widgets.openButton.setAccessibleLabelOfButtons("More Ways to Open")
        widgets.flap.set("reveal-flap", .bool(saved.showsQueue))
        window.onKey { [weak self] in self?.handleKey($0, $1, $2) ?? false }
        widgets.queue.list.onActivate { [weak self] in self?.go(to: $0) }
        queueView.onTags = { [weak self] found in self?.act { $0.handle(.tags(found)) } }
        connectDrops()
        widgets.page.keepFocusOnClicks()
    }

    private func connectRecording() {
        recording.onSeek = { [weak self] time in self?.carryOut(.seek(.to(time))) }
        recording.onScrub = { [weak self] isOn in
            self?.act { $0.setScrubbing(isOn) }
            if !isOn { self?.report() }
        }
        recording.heardTime = { [weak self] in self?.player.time ?? 0 }
        recording.onSeekFinished = { [weak self] in self?.showTimes() }
        recording.onLength = { [weak self] in
            self?.showTimes(isForced: true)
            self?.report()
        }
        recording.onVideo = { [weak self] in self?.inhibitSleep() }
        recording.waveform.showsSpectrogram = saved.showsSpectrogram ?? false
        recording.chapters.onChoose = { [weak self] in self?.carryOut(.chapter($0)) }
        connectBookmarks()
        styleChanges = Style.onChange { [weak self] in self?.recording.waveform.redraw() }
    }

    /// Brings the window to the front.
    func present() {
        window.present()
        recording.log(window)
    }

    /// Closes the window.
    func close() { window.close() }

    /// Ends what is still running, when the main loop has ended.
    func finish() {
        player.keepPlace(isLeaving: true)
        player.stop()
        recording.close()
        podcasts.handle(.closed)
    }

    // MARK: The player

    /// Has the player do something, and shows its new state.
    func act(_ body: (ListeningPlayer) -> Void) {
        guard !page.isClosed else { return }
        body(player)
        showPlayer()
    }

    /// Carries out a command of the listener.
    func carryOut(_ command: ListeningCommand) { act { $0.carryOut(command) } }

    /// The facts about the recording that is open; `nil` while none is.
    var info: MediaInfo? { player.session.item.isOpen ? player.streamer.info : nil }

    /// The length of the recording in seconds, if it is known: that of the whole waveform counts more than an estimate.
    var duration: Double? {
        let progress = player.session.item.progress
        return progress.durationIsEstimate ? recording.loader.length ?? progress.duration : progress.duration
    }

    private func take(_ notice: ListeningPlayer.Notice) {
        switch notice {
        case .event(let event): take(event)
        case .failure(let failure):
            shown.failure = (failure, player.session.openingCount, player.session.queue.currentTurnID)
        case .answer(let text), .note(let text): perform(page.handle(.warning(text)))
        case .resumed, .suspended, .finished: break
        }
    }

    private func take(_ event: ListeningEvent) {
        switch event {
        case .opened: opened()
        case .state(let state, _):
            if state == .buffering { perform(page.handle(.network(.buffering(nil)))) }
            if state == .ended { shown.followsEnd = true }
            recording.waveform.setPosition(player.time)
            showTimes()
            report()
        case .position:
            if !recording.isTicking { recording.waveform.setPosition(player.time) }
            showTimes()
            // While it plays, panels count the time themselves.
            if page.page != .player(.playing) { report() }
        case .duration:
            guard let duration else { break }
            recording.waveform.setExtent(.known(duration))
            showTimes(isForced: true)
            report()
        case .metadata: showTrack()
        case .retry(let attempt, let delay, _):
            // Bounded: the delay of a retry is below an hour.
            let seconds = Int(min(max(delay, 0), 3600))
            perform(page.handle(.network(.retrying(seconds: seconds, attempt: attempt))))
        case .warning(let failure): perform(page.handle(.warning(failure.message.asSentence)))
        case .download(let received, _, _): perform(page.handle(.arrived(bytes: received)))
        case .settings, .chapter, .error, .ended: break
        }
    }

    /// Shows the recording that has been opened.
    private func opened() {
        StartTrace.mark("opened")
        guard let info else { return }
        let session = player.session
        recording.open(
            player.streamer,
            info,
            at: player.time,
            chapters: session.item.chapters.chapters,
            film: app.logins.added(to: session.queue.current.streamingInput).url
        )
        showBookmarks()
        restoreView()
        inhibitSleep()
        showTrack()
        showTimes(isForced: true)
        if shown.followsEnd { tell(.advanced(title: trackTitle, detail: trackDetail)) }
        shown.followsEnd = false
    }

    // MARK: Effects of the page

    /// Carries out what the page wants.
    func perform(_ actions: [PageState.Action]) {
        for action in actions {
            switch action {
            case .closeWindow: closed()
            case .update: update()
            case .updateToast: showToast()
            }
        }
    }
}

/// The parts of a player's state that a window shows, to see which of them have changed.
struct ShownState {
    /// The number of the opening and the turn of the queue.
    var opening = 0
    var turn = -1
    var entry: Int?
    /// The revision of the queue, and its order.
    var revision = -1
    var loop = LoopMode.none
    var isShuffled = false
    var settings: SoundSettings?
    var chapters: [MediaChapter] = []
    /// The failure that has not been shown, with the opening and the turn that it is about.
    var failure: (failure: Failure, opening: Int, turn: Int)?
    /// Whether an item has been played to its end, so that the next one follows by itself.
    var followsEnd = false
    /// The recording that is noted as recent when it is left: its address, and the title of a station.
    var memory: (address: String, station: String?)?
    /// Whether a timer waits for the session's deadline.
    var awaitsTick = false
    var second = -1
}

/// The state of a drag over a window.
struct DropState {
    /// Whether a row of the window's own queue is dragged.
    var isRowDragged = false
    /// Whether something that may be dropped is over the window, or over its queue.
    var isOver = false
    var isOverQueue = false
}

/// The requests of a window to the desktop.
struct DesktopTies {
    var inhibition = SleepInhibition()
    var inhibitionNumber: UInt32 = 0
    var notifications = NotificationState()
}
