import AVFAudio
import Foundation
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxPlayerUI
import SyrinxPodcastLibrary
import SyrinxStreaming
import SyrinxTerminal

/// The full-screen player on a terminal: shows what a session plays, and turns keys and the mouse into wishes.
///
/// On the thread that plays.
final class FullScreen {
    /// The facts about earlier events and frames that the next frame needs.
    private struct Drawn {
        var queueEntries: (revision: Int, failureCount: Int, entries: [QueueEntry]) = (-1, 0, [])
        /// The sentences about inputs that failed, by their names.
        var failures: [String: String] = [:]
        /// The failures in full, for when the screen is left.
        var failureLines: [String] = []
        var retry: String?
        /// The time at which the cover was asked for last: it may be known later than the texts.
        var coverAskedAt = -Double.infinity
        var timeBeforeSeek: Double?
        /// The turn and opening that the waveform belongs to.
        var followed = -1
        /// The width of the last frame.
        var columns = 80
    }

    private let player: ListeningPlayer
    private var drawn = Drawn()
    private let meter: NodeMeter
    private let waveform: WaveformFollower
    private let covers: CoverLoader
    private let podcasts: PodcastBrowser
    private let transcripts: TranscriptLoader
    private let outputs: OutputList
    private let post: @Sendable (PlayEvent) -> Void
    private var screen: PlayerScreen
    private var painter: GridPainter
    private let environment = ProcessInfo.processInfo.environment
    private var inquiry = TerminalInquiry()
    /// The settings of the user's file.
    let config: PlayerConfig
    /// Whether the terminal's mouse is as the settings say.
    private var isPrepared = false
    private var files: FolderBrowser?
    /// The failures, and what is not finished, for when the screen is left.
    var lines: [String] { drawn.failureLines + [podcasts.unfinished].compactMap(\.self) }
    /// The texts and lists of the input that plays, until an event may have changed them.
    private var details: (item: ItemView, chapters: [ChapterEntry])?
    /// The effects, made for these settings.
    private var effects: (settings: SoundSettings, views: [EffectView])?
    private var marks = ScreenMarks(ListeningStore.user()?.bookmarks)

    /// Creates a screen.
    /// - Parameters:
    ///   - player: The player whose state is shown.
    ///   - config: The settings of the user's file.
    ///   - post: Takes events of the screen's own; any thread calls it.
    init(
        _ player: ListeningPlayer,
        _ config: PlayerConfig,
        post: @escaping @Sendable (PlayEvent) -> Void
    ) {
        self.player = player
        self.post = post
        meter = NodeMeter(node: player.streamer.engine.mainMixerNode, bufferSize: Self.meterFrames)
        waveform = WaveformFollower { post(.screenChanged) }
        covers = CoverLoader { post(.screenChanged) }
        podcasts = PodcastBrowser(
            report: { text, isFailure in post(.report(text, isFailure: isFailure)) },
            didChange: { post(.screenChanged) }
        )
        transcripts = TranscriptLoader { post(.screenChanged) }
        outputs = OutputList { post(.screenChanged) }
        self.config = config
        podcasts.keepUp(config.podcasts)
        let pictures = config.showsCovers ? PictureProtocol.best(environment: environment) : .none
        let depth = ColorDepth(environment: environment)
        let theme = config.theme(
            depth: depth,
            isLight: Color.hasLightBackground(environment: environment)
        )
        screen = PlayerScreen(theme: theme, depth: depth, bindings: config.bindings, pictures: pictures)
        painter = GridPainter(depth: depth, pictures: pictures)
    }

    /// Seconds until the screen is to be drawn again though nothing happens; `nil` for never.
    func timeToChange(_ session: ListeningSession, now: Double) -> Double? {
        guard session.item.progress.state == .playing else { return screen.timeToChange(at: now) }
        return screen.showsMeters ? Self.interval : Self.clockInterval
    }

    /// Frames between two readings of the meters: 30 a second at 44.1 kHz.
    private static let meterFrames: AVAudioFrameCount = 1470
    /// Seconds between two frames while meters move.
    static let interval = 1.0 / 30
    /// The same where only the clock and the seek bar move.
    private static let clockInterval = 0.1

    /// Shows a message for some seconds.
    func show(_ text: String, isFailure: Bool, now: Double) {
        screen.show(text, kind: isFailure ? .error : .note, at: now)
    }

    /// Shows the line of a failure, which is also printed when the screen is left.
    func show(_ failure: Failure, isWarning: Bool, now: Double) {
        let sentence = failure.message.asSentence
        if isWarning, failure.answersCommand {
            screen.show(sentence, at: now)
            return
        }
        screen.show("\(failure.name): \(sentence)", kind: isWarning ? .warning : .error, at: now)
        guard !isWarning else { return }
        drawn.failureLines.append(failure.line)
        drawn.failures[failure.name] = sentence
    }

    /// Has the texts and chapters of the input read anew.
    func forgetDetails() { details = nil }

    /// Draws everything anew at the next frame.
    func redraw() {
        painter.invalidate()
        isPrepared = false
    }

    // MARK: Events

    /// Takes note of an event of the session.
    func note(_ event: ListeningEvent, of session: ListeningSession, at now: Double) {
        if case .position = event {} else { details = nil }
        let input = session.queue.current
        switch event {
        case .retry(let attempt, let delay, _):
            drawn.retry = "attempt \(attempt) in \(Int(clamped: delay.rounded(.up))) s"
        case .state(.playing, _), .state(.opening, _): drawn.retry = nil
        case .opened: drawn.failures[input.name] = nil
        default: break
        }
    }

    /// Returns the wishes that an event of the terminal expresses, but for those that the screen grants by itself.
    func handle(_ event: TerminalEvent, _ session: ListeningSession, now: Double) -> [PlayerAction] {
        if case .answer(let answer) = event { take(answer) }
        let view = view(of: session, now: now)
        return screen.handle(event, in: view).flatMap { grant($0, session) }
    }

    /// Goes over to the colours for the terminal's background, or to the best way of showing pictures that it has.
    private func take(_ answer: TerminalAnswer) {
        inquiry.take(answer)
        if case .background = answer {
            screen.theme = config.theme(depth: painter.depth, isLight: inquiry.hasLightBackground)
            return
        }
        guard config.showsCovers else { return }
        let pictures = PictureProtocol.best(environment: environment, answers: inquiry.answers)
        let size = inquiry.cellSize ?? (width: 10, height: 20)
        screen.pictures = pictures
        painter = GridPainter(depth: painter.depth, pictures: pictures, cellSize: size)
    }

    private func grant(_ action: PlayerAction, _ session: ListeningSession) -> [PlayerAction] {
        if podcasts.carryOut(action) { return [] }
        switch action {
        case .command(let command):
            if command.isMove { drawn.timeBeforeSeek = session.item.progress.time }
            return [action]
        case .addBookmark:
            guard !session.isIdle else {
                note("Nothing plays that a bookmark could be set in.")
                return []
            }
            let chapter = session.item.chapters.current.flatMap { session.item.chapters.chapters[$0].title }
            let time = session.item.progress.time
            let recording = ItemView(session, player.streamer.info).title
            if keep({ try $0.add(at: time, title: chapter, recording: recording.isEmpty ? nil : recording) }) {
                note("Bookmark set at \(ClockTime.text(time)).")
            }
        case .removeBookmark(let id): if keep({ try $0.remove(id) }) { note("Bookmark removed.") }
        case .renameBookmark(let id, let title): if keep({ try $0.rename(id, to: title) }) { note("Bookmark renamed.") }
        case .listBookmarks(let ofAll): marks.listAll(ofAll)
        case .goToBookmark(let id): return marks.place(of: id).map { go(to: $0.time, in: $0.item, session) } ?? []
        case .undoSeek:
            guard let time = drawn.timeBeforeSeek else {
                note("There is no seek to go back from.")
                return []
            }
            note("Back at \(ClockTime.text(time)).")
            drawn.timeBeforeSeek = session.item.progress.time
            return [.command(.seek(.to(time)))]
        case .openFolder(let index): files?.open(index)
        case .leaveFolder: files?.leave()
        case .playFile(let index): return files?.entry(at: index).map { [.playInput($0.name)] } ?? []
        case .enqueueFile(let index):
            return files?.entry(at: index).map { [.command(.enqueue($0.name))] } ?? []
        case .playEpisode(let id), .enqueueEpisode(let id):
            let isNow = action == .playEpisode(id)
            podcasts.item(of: id) { [post] item in post(.player(.episodes([item], isNow ? .now : .last))) }
        case .playEpisodeAt(let id, let time):
            if session.episode?.id == id { return grant(.command(.seek(.to(time))), session) }
            podcasts.item(of: id) { [post] item in
                var item = item
                item.chosenStart = time
                post(.player(.episodes([item], .now)))
            }
        case .readNotes:
            guard let id = session.episode?.id else {
                podcasts.setNotes(NotesView(failure: "What plays is no episode of a podcast, and has no notes."))
                return []
            }
            return grant(.readNotes(.episode(id)), session)
        case .listOutputs: outputs.refresh()
        case .redraw: redraw()
        default: return [action]
        }
        return []
    }

    /// Goes to a time of the input that plays, or of another recording.
    private func go(to time: Double, in item: String?, _ session: ListeningSession) -> [PlayerAction] {
        guard let item else {
            drawn.timeBeforeSeek = session.item.progress.time
            return [.command(.seek(.to(time)))]
        }
        guard let input = ListeningInput(location: item) else {
            note("The recording of this bookmark cannot be opened.")
            return []
        }
        player.add([input], .now, startingAt: time)
        return []
    }

    private func note(_ text: String) { post(.report(text, isFailure: false)) }

    /// Changes the bookmarks, and shows why that could not be kept.
    /// - Returns: Whether it was kept.
    @discardableResult
    private func keep(_ change: (inout ScreenMarks) throws -> Void) -> Bool {
        do {
            try change(&marks)
            return true
        } catch {
            post(.report(error.localizedDescription, isFailure: true))
            return false
        }
    }

    /// Stops what runs.
    func finish() {
        waveform.stop()
        transcripts.stop()
        meter.stop()
    }

    // MARK: Drawing

    /// The places in the queue of the rows that are shown.
    var shownQueueEntries: [Int] { screen.shownQueueEntries }

    /// Returns the bytes that bring the terminal up to date.
    func frame(_ session: ListeningSession, columns: Int, rows: Int, now: Double) -> [UInt8] {
        drawn.columns = columns
        let grid = screen.draw(view(of: session, now: now), columns: columns, rows: rows)
        var bytes: [UInt8] = []
        if !isPrepared, !config.usesMouse { bytes += Array("\u{1B}[?1006l\u{1B}[?1002l".utf8) }
        isPrepared = true
        let isOpen = session.isIdle || [.playing, .paused].contains(session.item.progress.state)
        bytes += inquiry.questions(
            hasCover: config.showsCovers && covers.picture != nil,
            isOpen: isOpen && painter.depth != .none
        )
        return bytes + painter.frame(grid)
    }

    /// Returns the bytes that bring the meters up to date, where nothing else has changed since the last frame.
    /// - Returns: `nil` if a whole frame is due.
    func meterFrame(_ session: ListeningSession, now: Double) -> [UInt8]? {
        guard isPrepared, let frame = screen.drawMeters(levels(of: session), at: now) else {
            return nil
        }
        return painter.frame(frame.grid, rows: frame.rows)
    }

    /// The peak of each channel in dBFS; empty while nothing plays.
    private func levels(of session: ListeningSession) -> [Float] {
        session.item.progress.state == .playing ? meter.reading.levels.map(\.peak) : []
    }

    private func view(of session: ListeningSession, now: Double) -> PlayerView {
        follow(session)
        if files == nil, screen.page == .files {
            files = FolderBrowser { [post] in post(.screenChanged) }
        }
        if screen.page == .podcasts { podcasts.open() }
        if drawn.queueEntries.revision != session.queue.revision
            || drawn.queueEntries.failureCount != drawn.failures.count
        {
            let entries = QueueEntry.all(of: session, failures: drawn.failures)
            drawn.queueEntries = (session.queue.revision, drawn.failures.count, entries)
        }
        var view = PlayerView()
        view.now = now
        if self.details == nil || now - drawn.coverAskedAt >= 1 {
            covers.load(player.picture)
            drawn.coverAskedAt = now
        }
        let details =
            self.details ?? (
                ItemView(session, player.streamer.info),
                session.item.chapters.chapters.map { ChapterEntry(title: $0.title, start: $0.start) }
            )
        self.details = details
        view.item = details.item
        view.item.cover = covers.picture
        view.state = StateView(session.item.progress, peaks: waveform.peaks, retry: drawn.retry)
        if session.settings.adaptive.smartSpeed != .off { view.state.timeSaved = player.streamer.timeSaved }
        view.sound = SoundView(session, levels: levels(of: session))
        view.effects = effectViews(session)
        view.queue = drawn.queueEntries.entries
        view.currentIndex = session.queue.index
        view.bookmarks = marks.entries
        view.outputs = OutputsView(
            entries: outputs.entries,
            current: player.outputName,
            isReading: outputs.isReading
        )
        view.allBookmarks = marks.allEntries
        view.state.loopStart = session.repetition.start
        view.state.loopEnd = session.repetition.end
        view.chapters = details.chapters
        view.currentChapter = session.item.chapters.current
        if let files { view.files = files.view }
        if screen.page == .transcript { openTranscript(session) }
        view.transcript = transcripts.rows(columns: drawn.columns)
        view.podcasts = podcasts.view
        view.notes = podcasts.notes(columns: drawn.columns)
        return view
    }

    private func effectViews(_ session: ListeningSession) -> [EffectView] {
        if let effects, effects.settings == session.settings { return effects.views }
        let views = EffectView.all(of: session.settings)
        effects = (session.settings, views)
        return views
    }

    /// Has the transcript be looked for, unless it has been.
    private func openTranscript(_ session: ListeningSession) {
        let source = TranscriptLoader.Source(
            input: session.queue.current,
            tags: session.item.tags,
            documents: player.episodes.item(of: session.queue.current)?.chapters.transcripts ?? []
        )
        transcripts.open(turn: drawn.followed, network: player.setup.network, source)
    }

    /// Has the waveform follow the input that plays.
    private func follow(_ session: ListeningSession) {
        if let duration = session.item.progress.duration, duration > 0 {
            waveform.note(place: session.item.progress.time / duration)
        }
        // A part that is repeated is another turn of the same input.
        let turn = (session.queue.identity(at: session.queue.index) ?? 0) &* 31 &+ session.openingCount
        guard turn != drawn.followed, !session.isIdle else { return }
        drawn.followed = turn
        drawn.timeBeforeSeek = nil
        screen.endDrag()
        transcripts.stop()
        details = nil
        keep { try $0.open(session.queue.current) }
        waveform.follow { [streamer = player.streamer] in streamer.makeArrivedStream() }
    }
}
