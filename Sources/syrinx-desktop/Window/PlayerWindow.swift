import Foundation
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxStreaming

/// The window of the player: carries out what the state of the page wants, and shows it.
@MainActor
final class PlayerWindow {
    /// The program, with what windows share.
    let app: DesktopApp
    /// The number of the window in the program.
    let number: Int
    let window: Window
    let widgets: Builder
    let player: Player
    let waveform: WaveformView
    let loader = WaveformLoader()
    let spectrogram = SpectrogramLoader()
    let video = VideoPictures()
    let playButton: PlayButton
    let equalizerView: EqualizerView
    let podcasts: PodcastPage
    let startPage: StartPage
    var page = PageState()
    var queue = PlaybackQueue<Track>()
    /// Shuffling and repetition, which stay when another queue is opened.
    var order = PlayOrder()
    /// The recording that the player has open, while the queue may be at the next one already.
    var opened: Track?
    /// When the place in the recording is kept; `nil` for a part of a recording, such as a track of a CUE sheet.
    var progress: ListeningProgress?
    /// The place at which a recording begins when it is opened next: where it failed, or where it was left.
    var startPlace: (track: Track, time: Double)?
    var info: MediaInfo?
    var chapters = ChapterList()
    var shownChapter: Int?
    /// The message that is shown.
    var shownToast: (view: ToastView, toast: Toast)?
    var rate = 1.0
    /// The volume, 0…1; that before muting, while muted.
    var volume = 1.0
    /// The bands of the equalizer as they were dragged last.
    var customBands: [EqualizerBand] = []
    /// The connections of the sliders of the rate and the pitch, by the names of these.
    var sliderChanges: [String: SignalConnection] = [:]
    var inhibition = SleepInhibition()
    var inhibitionNumber: UInt32 = 0
    var notifications = NotificationState()
    /// Whether the queue has gone on to a recording whose tags are not known yet.
    var isAdvanceUntold = false
    /// Whether the player has announced another recording behind the one that its events are about.
    var isNextAnnounced = false
    /// Whether the recording that is to be opened is the one before, with its waveform.
    var isOpenedAgain = false
    var bookmarks = BookmarkList()
    var loop = ABLoop()
    var seekUndo = SeekUndo()
    /// The dialog that asks for an address or a password, while it is open.
    var addressDialog: AddressDialog?
    /// The control to which the Tab key has moved the focus last.
    var tabFocus: Widget?
    var isRowDragged = false
    var isDropOver = false
    var isDropOverQueue = false
    let queueView: QueueView
    let cover: CoverView
    var chapterRows: [Widget] = []
    let frameLog = FrameLog()
    private var isLogging = false
    var ticks = false
    var styleChanges: [SignalConnection] = []
    var shownSecond = -1
    private var wasPlayingBeforeScrub = false

    /// Makes a window, which is not shown yet.
    /// - Parameter number: Its number in the program.
    init(_ app: DesktopApp, number: Int) {
        self.app = app
        self.number = number
        widgets = Builder(WindowDescription.content)
        window = Window.make(app.application)
        player = Player(output: app.output)
        podcasts = PodcastPage(app.library)
        startPage = StartPage(widgets.get("startList"), app.library)
        waveform = WaveformView(widgets.get("waveform"))
        queueView = QueueView(widgets, window: number)
        cover = CoverView(picture: widgets.get("cover"), page: widgets.get("page"))
        playButton = PlayButton(signs: widgets.get("playSigns"), box: widgets.get("meter"))
        equalizerView = EqualizerView(widgets.get("equalizerCurve"))
        window.setTitle("Syrinx")
        window.setDefaultSize(saved.memory.window.width, saved.memory.window.height)
        if saved.memory.window.isMaximized { window.isMaximized = true }
        window.setSizeRequest(360, 294)
        widgets.get("spinner").turnsWhileMapped()
        podcasts.attach(to: self)
        window.setHelp(Builder(WindowDescription.help(app.settings)).get("help", Object.self))
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
            for window in app?.all ?? [] { window.podcasts.playback.setSettings(settings, of: podcast) }
        }
        connectPlayer()
        addActions()
        connectControls()
        connectDrops()
        connectOrder()
        widgets.get("page").keepFocusOnClicks()
        startPage.onChoose = { [weak self] in self?.continueListening($0) }
        startPage.onChange = { [weak self] in self?.showPage() }
        showRecent()
        update()
    }

    /// Brings the window to the front.
    func present() {
        window.present()
        guard let log = frameLog, !isLogging else { return }
        isLogging = true
        waveform.onDraw = { log.draw($0) }
        log.follow(window)
    }
    /// Closes the window.
    func close() { window.close() }

    /// Ends what is still running, when the main loop has ended.
    func finish() {
        player.stop()
        loader.cancel()
        spectrogram.cancel()
        podcasts.handle(.closed)
    }

    private func connectPlayer() {
        video.picture = MovingPicture.make(in: widgets.get("video"))
        video.onShow = { [weak self] in self?.showVideo() }
        player.onEvent = { [weak self] event, item in self?.take(event, item) }
        loader.onGrowth = { [weak self] frames, peak in
            guard let self else { return }
            self.waveform.pauses = self.loader.silences.pauses
            self.waveform.grew(frames, peak: peak)
        }
        loader.onCompletion = { [weak self] in
            guard let self else { return }
            self.waveform.complete()
            self.setDuration(self.info?.duration, isExact: self.info?.durationIsExact ?? true)
            // The analyser's reader and its index of packets have just been freed, or are about to be.
            repeatEvery(milliseconds: 1000) {
                trimHeap()
                return false
            }
        }
        waveform.source = { [weak self] in self?.loader }
        waveform.spectrogramSource = { [weak self] in self?.spectrogram }
        spectrogram.onTile = { [weak self] key, columns, isWhole in
            self?.waveform.take(columns, for: key, isWhole: isWhole)
        }
        waveform.showsSpectrogram = saved.showsSpectrogram ?? false
        waveform.onRequest = { [weak self] in self?.take($0) }
        widgets.get("waveformArea").limitHeight()
        cover.onTint = { [weak self] in self?.waveform.background = $0?.middle }
        styleChanges = Style.onChange { [weak self] in self?.waveform.redraw() }
    }

    // MARK: Events of the player

    private func take(_ event: StreamingEvent, _ item: Int) {
        guard item == page.item else { return }
        notePlace(event)
        switch event {
        case .opened(let info):
            self.info = info
            podcasts.playback.setDuration(info.duration)
            opened(info)
            perform(page.handle(.ready(item: item)))
        // Events come after what has happened since, such as a seek: the player tells the position itself.
        case .status(let status, _):
            take(status, item)
            waveform.setPosition(player.time)
            showTimes()
            report()
        case .position:
            if !ticks { waveform.setPosition(player.time) }
            showTimes()
            endAtOutro()
        case .duration(let seconds, let isExact): setDuration(seconds, isExact: isExact)
        case .metadata(let tags):
            info?.tags.merge(tags) { $1 }
            showTrack()
        case .retry(let attempt, let delay, _):
            // Bounded: the delay of a retry is below an hour.
            let seconds = Int(min(max(delay, 0), 3600))
            perform(page.handle(.network(.retrying(seconds: seconds, attempt: attempt), item: item)))
        case .warning(let error): perform(page.handle(.warning(error.message)))
        case .outputLost(let loss):
            perform(page.handle(.output(isThere: false, item: item)))
            perform(page.handle(.warning(loss.message)))
        case .outputFound: perform(page.handle(.output(isThere: true, item: item)))
        case .missing(let sound): perform(page.handle(.warning(sound.error.message)))
        case .failed(let error):
            if !isNextAnnounced, mayBePlaylist(error) { expandCurrent(item, after: error) } else { fail(error, item) }
        case .advancing(let next):
            advance(to: next)
            isNextAnnounced = true
        case .download(let received, _, _): perform(page.handle(.arrived(bytes: received, item: item)))
        case .ended: break
        }
    }

    /// Sets the length.
    ///
    /// That of the waveform counts more than what the stream estimates.
    func setDuration(_ stated: Double?, isExact: Bool) {
        info?.durationIsExact = isExact
        guard let seconds = isExact ? stated : loader.length ?? stated else { return }
        progress?.duration = seconds
        podcasts.playback.setDuration(seconds)
        guard info?.duration != seconds else { return }
        info?.duration = seconds
        waveform.setExtent(.known(seconds))
        showTimes(isForced: true)
        report()
    }

    private func take(_ status: PlaybackStatus, _ item: Int) {
        if status == .opening { isNextAnnounced = false }
        switch status {
        case .playing:
            if order.sounded() { player.streamer.upcoming = followers() }
            perform(page.handle(.playback(.playing, item: item)))
        case .paused: if !page.wantsPlayback { perform(page.handle(.playback(.paused, item: item))) }
        case .buffering:
            perform(page.handle(.playback(.stalled, item: item)))
            perform(page.handle(.network(.buffering(nil), item: item)))
        case .ended:
            guard !isNextAnnounced else { break }
            // The player does not go on to a playlist by itself.
            if case .go(let next) = order.end(of: queue.currentIndex, count: queue.count), queue[next].source.isList {
                finishItem()
                break
            }
            perform(page.handle(.playback(.ended, item: item)))
            remember()
        case .opening, .stopped, .failed: break
        }
    }

    // MARK: Actions of the page

    /// Carries out what the page wants.
    func perform(_ actions: [PageState.Action]) {
        for action in actions {
            switch action {
            case .open(let item, let plays): openCurrent(item, plays: plays)
            case .play: player.streamer.play()
            case .pause: player.streamer.pause()
            case .playFromStart:
                waveform.setPosition(0)
                player.streamer.play()
            case .stop:
                player.stop()
                loader.cancel()
                spectrogram.cancel()
                video.close()
            case .remember: remember()
            case .showFileChooser: chooseFiles()
            case .closeWindow: closed()
            case .update: update()
            case .updateToast: showToast()
            }
        }
    }

    func openCurrent(_ item: Int, plays: Bool) {
        guard let track = queue.current?.element else { return }
        StartTrace.mark("open")
        forgetRecording()
        opened = track
        isAdvanceUntold = false
        order.began(queue.currentIndex, after: nil)
        if track.source.isList {
            expandCurrent(item)
        } else {
            let startTime = startPlace.flatMap { $0.track == track ? $0.time : nil } ?? storedPosition(of: track)
            let input = StreamingItem(
                app.logins.added(to: track.input),
                startTime: startTime,
                id: queue.currentTurn?.id
            )
            player.open(input, number: item, plays: plays, followedBy: followers())
            setRate(rate)
        }
        startPlace = nil
        beginProgress()
        showTrack()
        showQueue()
    }

    private func advance(to next: StreamingItem) {
        if info != nil { remember() }
        let (former, isAgain) = (queue.currentIndex, isRepetition(next))
        guard queue.advance(to: next.id) else { return }
        order.began(queue.currentIndex, after: former)
        if isAgain { return advanceAgain() }
        opened = queue.current?.element
        loader.cancel()
        spectrogram.cancel()
        forgetRecording()
        beginProgress()
        player.streamer.upcoming = followers()
        showTrack()
        showQueue()
        isAdvanceUntold = true
    }

    private func opened(_ info: MediaInfo) {
        StartTrace.mark("opened")
        if isOpenedAgain { return openedAgain() }
        waveform.reset(info.duration.map { .known($0) } ?? .unknown)
        waveform.setPosition(player.time)
        chapters = ChapterList(duration: info.duration)
        chapters.set(
            info.chapters.map { Chapter(start: $0.start, end: $0.end, title: $0.title) },
            from: .file
        )
        podcasts.playback.addChapters(to: &chapters)
        if info.isSeekable, let start = podcasts.playback.opened(at: player.time) {
            waveform.handle(.jump(start))
            seekUndo.clear()
            if !waveform.interaction.isSeekable { podcasts.playback.seeked(to: player.time) }
        }
        waveform.chapterStarts = chapters.chapters.map(\.start)
        if let source = queue.current?.element.source { showBookmarks(of: source) }
        restoreView()
        loader.load(player.streamer, duration: info.duration)
        loader.prefer(player.time)
        spectrogram.load(player.streamer, sampleRate: info.sampleRate)
        video.open((queue.current?.element.input).flatMap { app.logins.added(to: $0).url })
        waveform.isFilm = false
        widgets.get("video").isVisible = false
        cover.hide(false)
        inhibitSleep()
        showTrack()
        showChapters()
        if isAdvanceUntold { tell(.advanced(title: trackTitle, detail: trackDetail)) }
        isAdvanceUntold = false
    }

    private func take(_ request: WaveformView.Request) {
        switch request {
        case .seek(let seek):
            seekUndo.sought(from: player.time)
            if !waveform.interaction.isScrubbing { keep(progress?.moved(to: seek.time, at: now)) }
            podcasts.playback.seeked(to: seek.time)
            loop.seeked(to: seek.time)
            loader.prefer(seek.time)
            // A drag over a film shows pictures alone: its sound would be decoded for nothing.
            if seek.isExact || !video.isShown {
                do {
                    try player.streamer.seek(to: seek.time)
                } catch {
                    perform(page.handle(.warning((error as? SyrinxError)?.message ?? "\(error)")))
                }
            }
            waveform.handle(.seekFinished(id: seek.id))
            showTimes()
            video.scrub(to: seek.time, isExact: seek.isExact)
            if !waveform.interaction.isScrubbing { report() }
        case .scrubbing(true):
            wasPlayingBeforeScrub = page.wantsPlayback
            seekUndo.dragged(true, at: player.time)
            if wasPlayingBeforeScrub { player.streamer.pause() }
        case .scrubbing(false):
            seekUndo.dragged(false, at: waveform.position)
            keep(progress?.moved(to: waveform.position, at: now))
            if wasPlayingBeforeScrub { player.streamer.play() }
            report()
        }
    }
}
