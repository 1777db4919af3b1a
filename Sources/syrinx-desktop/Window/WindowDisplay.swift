import Foundation
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxHTTPStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxStreaming

/// Shows the state of a window's player: compares it with the displayed state, and updates the parts that differ.
@MainActor
final class WindowDisplay: PlayerControlDelegate {
    /// The displayed state.
    private struct Shown {
        /// The number of the opening, and the turn of the queue.
        var opening = 0
        var turn = -1
        var entry: Int?
        /// The revision of the queue, and its order.
        var revision = -1
        var loop = LoopMode.none
        var isShuffled = false
        var settings: SoundSettings?
        var chapters: [MediaChapter] = []
    }

    /// Called when the window closes.
    var onClose: () -> Void = {}
    private unowned let app: DesktopApp
    private let window: Window
    private let widgets: WindowWidgets
    private let parts: WindowParts
    private var shown = Shown()
    /// The failure that is not shown yet, with its opening and turn.
    private var failure: (failure: Failure, opening: Int, turn: Int)?
    /// Whether an item was played to its end, so that the next one follows automatically.
    private var followsEnd = false
    /// Whether a timer waits for the session's deadline.
    private var awaitsTick = false

    private var control: PlayerControl { parts.control }
    private var recording: RecordingPane { parts.recording }

    /// Shows the state of a player from now on.
    init(_ app: DesktopApp, _ window: Window, _ widgets: WindowWidgets, _ parts: WindowParts) {
        (self.app, self.window, self.widgets, self.parts) = (app, window, widgets, parts)
        control.delegate = self
    }

    /// Shows all of the state, in a window that shows nothing yet.
    func begin() {
        showSound()
        showOrder()
        update()
    }

    // MARK: The player

    func playerChanged() {
        let (session, former) = (control.session, shown)
        let (queue, entry) = (session.queue, session.queue.identity(at: session.queue.index))
        (shown.opening, shown.turn, shown.entry) = (session.openingCount, queue.currentTurnID, entry)
        let isAnother = shown.opening != former.opening || entry != former.entry
        if isAnother { leaveRecording() }
        showFailure()
        control.tell(.player(PageState.PlayerFacts(session)))
        if isAnother || shown.turn != former.turn { showTrack() }
        let loop = session.settings.loop
        let isReordered = loop != former.loop || queue.isShuffled != former.isShuffled
        if isReordered { showOrder() }
        if isAnother || isReordered || queue.revision != former.revision || shown.turn != former.turn {
            parts.queue.show()
            parts.report()
        }
        shown.revision = queue.revision
        if former.settings != session.settings { showSound() }
        parts.sound.show(output: control.player.outputName)
        parts.sound.show(keptFor: session.keptFor)
        parts.tracks.show()
        let chapters = session.item.chapters.chapters
        if session.item.isOpen, chapters != shown.chapters {
            recording.show(chapters, duration: parts.playing.duration)
        }
        shown.chapters = chapters
        if session.isIdle { followsEnd = false }
        awaitTick()
    }

    func take(_ notice: ListeningPlayer.Notice) {
        switch notice {
        case .event(let event): take(event)
        case .failure(let failure):
            self.failure = (failure, control.session.openingCount, control.session.queue.currentTurnID)
        case .answer(let text), .note(let text): control.tell(.warning(text))
        case .resumed, .suspended, .finished: break
        }
    }

    func openingBegins() { followsEnd = false }

    private func take(_ event: ListeningEvent) {
        switch event {
        case .opened: opened()
        case .state(let state, _):
            if state == .buffering { control.tell(.network(.buffering(nil))) }
            if state == .ended { followsEnd = true }
            recording.waveform.setPosition(control.player.time)
            showTimes()
            parts.report()
        case .position:
            if !recording.isTicking { recording.waveform.setPosition(control.player.time) }
            showTimes()
            // While it plays, panels count the time themselves.
            if control.page.page != .player(.playing) { parts.report() }
        case .duration:
            guard let duration = parts.playing.duration else { break }
            recording.waveform.setExtent(.known(duration))
            lengthChanged()
        case .metadata: showTrack()
        case .retry(let attempt, let delay, _):
            // Bounded: the delay of a retry is below an hour.
            let seconds = Int(min(max(delay, 0), 3600))
            control.tell(.network(.retrying(seconds: seconds, attempt: attempt)))
        case .warning(let failure): control.tell(.warning(failure.message.asSentence))
        case .download(let received, _, _): control.tell(.arrived(bytes: received))
        case .settings, .chapter, .error, .ended: break
        }
    }

    /// Shows the recording that has been opened.
    private func opened() {
        StartTrace.mark("opened")
        guard let info = control.info else { return }
        let session = control.session
        recording.open(
            control.player.streamer,
            info,
            at: control.player.time,
            chapters: session.item.chapters.chapters,
            film: app.logins.added(to: session.queue.current.streamingInput).url
        )
        parts.bookmarks.show()
        parts.recent.restore()
        parts.inhibitSleep()
        showTrack()
        showTimes(isForced: true)
        let track = control.track
        if followsEnd { parts.desktop.tell(.advanced(title: track.title, detail: track.detail)) }
        followsEnd = false
    }

    /// Shows a length that has become known.
    func lengthChanged() {
        showTimes(isForced: true)
        parts.report()
    }

    /// Sends ticks to the session while it has a deadline.
    private func awaitTick() {
        guard control.session.awaitsTick, !awaitsTick else { return }
        awaitsTick = true
        repeatEvery(milliseconds: 100) { [weak self] in
            guard let self, !self.control.page.isClosed else { return false }
            self.control.act { $0.handle(.tick) }
            self.awaitsTick = self.control.session.awaitsTick
            return self.awaitsTick
        }
    }

    /// Shows a failure as a message if the queue passes over the recording; else it is the page.
    private func showFailure() {
        guard let (failure, opening, turn) = failure else { return }
        let session = control.session
        if session.isIdle {
            self.failure = nil
            let input = session.queue.current
            if failure.code == .httpStatus(401), input.isWeb, session.episode == nil {
                parts.dialogs.askForLogin(of: input)
            }
        } else if opening != session.openingCount || turn != session.queue.currentTurnID {
            self.failure = nil
            let name =
                FilePath(location: failure.name)?.displayName ?? URL(fileURLWithPath: failure.name).lastPathComponent
            control.tell(.warning("\(name) is passed over. \(failure.message.asSentence)"))
        }
    }

    /// Forgets the recording that was open, and keeps its place among the recent ones.
    private func leaveRecording() {
        parts.recent.leave()
        recording.forget()
        parts.podcasts.update()
        parts.playing.showSkipIntervals()
    }

    // MARK: The page

    func perform(_ actions: [PageState.Action]) {
        for action in actions {
            switch action {
            case .closeWindow: onClose()
            case .update: update()
            case .updateToast: parts.toasts.show()
            }
        }
    }

    private func update() {
        let page = control.page
        let name = showPage()
        if let texts = page.texts, name != "loading" { (name == "error" ? widgets.error : widgets.empty).show(texts) }
        widgets.loading.label.set("label", .string(page.texts?.detail ?? ""))
        parts.playing.show(page)
        // The player has a title of its own, and a narrow header no room for a second.
        widgets.header.title.set("title", .string(page.headerTitle))
        if page.page == .empty {
            readStart()
            showTrack()
            parts.queue.show()
        }
        if name == "error" { recording.cover.show(nil) }
        if page.page == .player(.playing) { startTicking() }
        parts.inhibitSleep()
        if page.page == .empty || page.page == .player(.ended) { parts.desktop.tell(.stopped) }
        showTimes(isForced: true)
        parts.report()
    }

    /// Shows the page that the state asks for.
    /// - Returns: Its name.
    @discardableResult
    func showPage() -> String {
        let name =
            switch control.page.page {
            case .empty: parts.startPage.list.map { $0.entries.isEmpty ? "empty" : "start" } ?? "blank"
            case .loading: "loading"
            case .player: "player"
            case .error: "error"
            }
        widgets.pages.set("visible-child-name", .string(name))
        return name
    }

    /// Reads the recordings that can be resumed, if the start page is visible.
    func readStart() {
        if control.page.page == .empty { parts.startPage.read(stations: parts.recent.stations) }
    }

    /// Follows the position and the level while something moves.
    private func startTicking() {
        recording.startTicking { [weak self] in
            guard let self else { return nil }
            self.showTimes()
            guard self.control.page.page == .player(.playing) else { return nil }
            return ShownPosition.position(
                heard: self.control.player.time,
                rate: self.control.session.settings.rate,
                now: ProcessInfo.processInfo.systemUptime,
                presentation: self.window.presentationTime,
                interval: self.window.frameInterval,
                end: self.parts.playing.duration
            )
        }
    }

    // MARK: Parts of the state

    /// Shows the times, if they are other than before.
    func showTimes(isForced: Bool = false) {
        guard parts.playing.showTimes(isForced: isForced) else { return }
        parts.podcasts.showTime()
        // The cover in the folder is found a little after the recording was opened.
        if control.info != nil, recording.cover.show(control.player.picture) { parts.report() }
    }

    private func showTrack() {
        let track = control.track
        parts.playing.show(track)
        window.setTitle(track.title.isEmpty ? "Syrinx" : track.title)
        // The cover of before stays until the next recording is open: in an album it is the same.
        if control.showsError || control.session.queue.isEmpty {
            recording.cover.show(nil)
        } else if control.info != nil {
            recording.cover.show(control.player.picture)
        }
        parts.report()
    }

    private func showOrder() {
        (shown.isShuffled, shown.loop) = (control.session.queue.isShuffled, control.session.settings.loop)
        parts.queue.showOrder()
        parts.report()
    }

    private func showSound() {
        shown.settings = control.session.settings
        parts.sound.show(control.session.settings)
        showTimes(isForced: true)
        parts.report()
    }
}
