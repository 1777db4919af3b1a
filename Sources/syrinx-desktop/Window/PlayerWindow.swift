import MediaPlayer
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPlayback
import SyrinxPodcastLibrary

/// A window of the program: makes its parts, connects those that ask something of others, and ends them.
@MainActor
final class PlayerWindow {
    private unowned let app: DesktopApp
    /// The number of the window in the program.
    private let number: Int
    private let window: Window
    private let parts: WindowParts
    private let drops: QueueDrops
    private let display: WindowDisplay
    private let commands: WindowCommands
    private let keys: WindowKeys
    private let closing: ClosingQuestion

    /// Creates a window, which is not shown yet.
    /// - Parameter number: Its number in the program.
    init(_ app: DesktopApp, number: Int) {
        (self.app, self.number) = (app, number)
        let widgets = WindowWidgets(Builder(WindowWidgets.description))
        window = Window.make(app.application)
        let memory = app.saved.memory.window
        window.setTitle("Syrinx")
        window.setDefaultSize(memory.width, memory.height)
        if memory.isMaximized { window.isMaximized = true }
        window.setSizeRequest(360, 294)
        parts = WindowParts(app, window, number: number, widgets)
        parts.recording.waveform.showsSpectrogram = app.saved.showsSpectrogram ?? false
        parts.queue.isShown = app.saved.showsQueue
        drops = QueueDrops(app, window, number: number, widgets, parts.control, parts.queue)
        display = WindowDisplay(app, window, widgets, parts)
        commands = WindowCommands(app, window, widgets, parts)
        closing = ClosingQuestion(window)
        keys = WindowKeys(app.settings, window, widgets, parts, commands)
        parts.podcasts.attach(to: widgets)
        window.setHelp(Builder(HelpDescription.content(app.settings)).get("help", Object.self))
        widgets.loading.spinner.turnsWhileMapped()
        widgets.header.openButton.setAccessibleLabelOfButtons("More Ways to Open")
        widgets.page.keepFocusOnClicks()
        connect()
        display.begin()
    }

    private func connect() {
        window.on("notify::is-active") { [weak self] _ in self?.activated() }
        window.connect("close-request") { [weak self] _ in self?.holdsClosing() ?? false }
        display.onClose = { [weak self] in self?.closed() }
        drops.onDrop = { [weak self] in self?.parts.opener.open($0, on: $1, at: $2) }
        parts.sound.onRequest = { [weak self] in self?.control.request($0) }
        parts.startPage.onChoose = { [weak self] in self?.parts.opener.open($0) }
        parts.startPage.onChange = { [weak self] in self?.display.showPage() }
        parts.opener.onFeed = { [weak self] in self?.parts.podcasts.askForFeed($0) }
        parts.opener.onEpisodeFailure = { [weak self] in
            self?.parts.podcasts.handle(.failed("The episode could not be played", $0))
        }
        parts.podcasts.delegate = self
        connectRecording()
    }

    /// Closes the window, or asks before downloads end with it.
    /// - Returns: Whether the window stays open for now.
    private func holdsClosing() -> Bool {
        let downloads = app.all.count == 1 ? app.library.downloadCount : 0
        guard !closing.holds(downloads, then: { [weak self] in self?.window.close() }) else { return true }
        control.tell(.closeRequested)
        return false
    }

    private func connectRecording() {
        let recording = parts.recording
        recording.onSeek = { [weak self] time in self?.control.carryOut(.seek(.to(time))) }
        recording.onScrub = { [weak self] isOn in
            self?.control.act { $0.setScrubbing(isOn) }
            if !isOn { self?.report() }
        }
        recording.heardTime = { [weak self] in self?.control.player.time ?? 0 }
        recording.onSeekFinished = { [weak self] in self?.display.showTimes() }
        recording.onLength = { [weak self] in self?.display.lengthChanged() }
        recording.onVideo = { [weak self] in self?.parts.inhibitSleep() }
        recording.chapters.onChoose = { [weak self] in self?.control.carryOut(.chapter($0)) }
    }

    private func activated() {
        let isActive = window.bool("is-active")
        if isActive {
            app.take(.activated(number))
            display.readStart()
        }
        parts.desktop.tell(.active(isActive))
    }

    // MARK: The program's part

    /// The player, and the state of the page.
    var control: PlayerControl { parts.control }
    /// Whether a row of the window's queue is dragged.
    var isRowDragged: Bool { drops.isRowDragged }

    /// Brings the window to the front.
    func present() {
        window.present()
        parts.recording.log(window)
    }

    /// Opens inputs in place of the queue.
    func open(_ inputs: [ListeningInput]) { parts.opener.open(inputs) }

    /// Performs a request of a media key or a panel.
    func carryOut(_ command: DesktopPlayerCommand) {
        switch command {
        case .open(let text): if let input = ListeningInput(location: text) { open([input]) }
        case .raise: present()
        case .quit: app.quit()
        default: if let request = ListeningRequest(command) { control.request(request) }
        }
    }

    /// Reports to the desktop what plays, if its panels are for this window.
    func report() { parts.report() }

    /// Lists the recordings that were used last, which another window has changed.
    func showRecent() { parts.recent.show() }

    /// Shows the bookmarks of a recording that another window has changed.
    /// - Parameters:
    ///   - key: The identifier of the recording.
    ///   - editor: The object that has changed them.
    func bookmarksChanged(of key: String, by editor: BookmarkEditor) {
        if editor !== parts.bookmarks { parts.bookmarks.changed(of: key) }
    }

    /// Shows the name and the version of the program.
    func showAbout() { AboutWindow.show(window) }

    // MARK: The end

    /// Closes the window.
    func close() { window.close() }

    /// Asks before downloads end, then quits the program.
    func askToQuit() {
        let quit = { [unowned app] in app.take(.quit(endsDownloads: false)) }
        if !closing.holds(app.library.downloadCount, then: quit) { quit() }
    }

    /// Ends all running tasks after the end of the main loop.
    func finish() {
        control.stop()
        parts.recording.close()
        parts.podcasts.handle(.closed)
    }

    /// Notes the settings of the window, for the next one and for the next start.
    func keepSettings() {
        app.saved.memory.window = WindowMemory.Window(
            width: window.int("default-width"),
            height: window.int("default-height"),
            isMaximized: window.isMaximized
        )
        // The volume of an episode is its podcast's.
        app.saved.volume = control.session.generalSettings.volume
        app.saved.showsQueue = parts.queue.isShown
        app.saved.showsSpectrogram = parts.recording.waveform.showsSpectrogram
    }

    /// Stores the settings and frees the window.
    private func closed() {
        keepSettings()
        parts.recent.leave()
        app.saved.save()
        finish()
        parts.inhibitSleep()
        parts.desktop.tell(.closed)
        parts.recording.release()
        parts.queue.view.close()
        parts.startPage.close()
        app.take(.closed(number))
        window.destroy()
    }
}

extension PlayerWindow: PodcastPageDelegate {
    func play(episode id: Int64, at time: Double?) { parts.opener.play(episode: id, at: time) }
    func enqueue(episode id: Int64, _ placement: QueuePlacement) { parts.opener.enqueue(episode: id, placement) }
    func jump(to time: Double) { parts.recording.waveform.handle(.jump(time)) }
    func announceDownload(_ title: String) { parts.desktop.tell(.downloaded(title: title)) }
    func settingsChanged(_ settings: ShowSettings, of podcast: Podcast.ID) {
        app.settingsChanged(settings, of: podcast)
    }
}
