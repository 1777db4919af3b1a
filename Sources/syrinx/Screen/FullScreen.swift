import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxPlayerUI
import SyrinxPodcastLibrary
import SyrinxStreaming
import SyrinxTerminal

/// The full-screen player on a terminal: shows a session, and converts keys and mouse events to requests.
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
        /// The time at which the outputs were asked for last, while they are listed.
        var outputsAskedAt = -Double.infinity
        var timeBeforeSeek: Double?
        /// The width of the last frame.
        var columns = 80
    }

    private let source: any ScreenSource
    private var drawn = Drawn()
    private let covers: CoverLoader
    private let podcasts: PodcastBrowser
    private let saved: SavedLists
    private let transcripts: TranscriptLoader
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
    /// The failures and unfinished tasks, which are printed when the screen closes.
    var lines: [String] { drawn.failureLines + [podcasts.unfinished].compactMap(\.self) }
    /// The texts and lists of the input that plays, until an event may have changed them.
    private var details: (item: ItemView, chapters: [ChapterEntry])?
    /// The effects, made for these settings.
    private var effects: (sound: ListeningState.Sound, views: [EffectView])?
    private var marks = ScreenMarks(ListeningStore.user()?.bookmarks)

    /// Creates a screen.
    /// - Parameters:
    ///   - source: The player that is shown.
    ///   - config: The settings of the user's file.
    ///   - post: Takes events of the screen's own; any thread calls it.
    init(
        _ source: any ScreenSource,
        _ config: PlayerConfig,
        post: @escaping @Sendable (PlayEvent) -> Void
    ) {
        (self.source, self.post) = (source, post)
        covers = CoverLoader { post(.screenChanged) }
        podcasts = PodcastBrowser(
            report: { text, isFailure in post(.report(text, isFailure: isFailure)) },
            didChange: { post(.screenChanged) }
        )
        saved = SavedLists(
            report: { text, isFailure in post(.report(text, isFailure: isFailure)) },
            didChange: { post(.screenChanged) }
        )
        transcripts = TranscriptLoader { post(.screenChanged) }
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
    func timeToChange(now: Double) -> Double? {
        guard source.isPlaying else {
            return [screen.timeToChange(at: now), screen.showsOutputs ? OutputList.interval : nil].compactMap(\.self)
                .min()
        }
        return screen.showsMeters ? Self.interval : Self.clockInterval
    }

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

    /// Rereads the texts and chapters of the input.
    func forgetDetails() { details = nil }

    /// Draws everything anew at the next frame.
    func redraw() {
        painter.invalidate()
        isPrepared = false
    }

    // MARK: Events

    /// Handles an event of the session.
    func note(_ event: ListeningEvent) {
        if case .position = event {} else { details = nil }
        switch event {
        case .retry(let attempt, let delay, _):
            drawn.retry = "attempt \(attempt) in \(Int(clamped: delay.rounded(.up))) s"
        case .state(.playing, _), .state(.opening, _): drawn.retry = nil
        case .opened: noteOpening()
        default: break
        }
    }

    /// Records that the current input was opened.
    func noteOpening() { if let name = source.state.item?.name { drawn.failures[name] = nil } }

    /// Returns the requests for an event of the terminal, except those that the screen handles itself.
    func handle(_ event: TerminalEvent, now: Double) -> [PlayerAction] {
        if case .answer(let answer) = event { take(answer) }
        let state = source.state
        let view = view(of: state, now: now)
        return screen.handle(event, in: view).flatMap { grant($0, state) }
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

    private func grant(_ action: PlayerAction, _ state: ListeningState) -> [PlayerAction] {
        if podcasts.carryOut(action) || saved.carryOut(action) { return [] }
        switch action {
        case .command(let command):
            if command.isMove { drawn.timeBeforeSeek = state.time }
            return [action]
        case .addBookmark:
            guard !state.isIdle else {
                note("Nothing plays that a bookmark could be set in.")
                return []
            }
            let chapter = state.currentChapter?.title
            let time = state.time
            let recording = ItemView(state).title
            if keep({ try $0.add(at: time, title: chapter, recording: recording.isEmpty ? nil : recording) }) {
                note("Bookmark set at \(ClockTime.text(time)).")
            }
        case .removeBookmark(let id): if keep({ try $0.remove(id) }) { note("Bookmark removed.") }
        case .renameBookmark(let id, let title): if keep({ try $0.rename(id, to: title) }) { note("Bookmark renamed.") }
        case .listBookmarks(let ofAll): marks.listAll(ofAll)
        case .goToBookmark(let id): return marks.place(of: id).map { go(to: $0.time, in: $0.item, state) } ?? []
        case .undoSeek:
            guard let time = drawn.timeBeforeSeek else {
                note("There is no seek to go back from.")
                return []
            }
            note("Back at \(ClockTime.text(time)).")
            drawn.timeBeforeSeek = state.time
            return [.command(.seek(.to(time)))]
        case .openFolder(let index): files?.open(index)
        case .leaveFolder: files?.leave()
        case .playFile(let index): return files?.entry(at: index).map { [.playInput($0.name)] } ?? []
        case .enqueueFile(let index):
            return files?.entry(at: index).map { [.command(.enqueue($0.name))] } ?? []
        case .playEpisode(let id), .enqueueEpisode(let id):
            source.add(episode: id, of: podcasts, isNow: action == .playEpisode(id), startingAt: nil)
        case .playEpisodeAt(let id, let time):
            if state.item?.episode == id { return grant(.command(.seek(.to(time))), state) }
            source.add(episode: id, of: podcasts, isNow: true, startingAt: time)
        case .readNotes:
            guard let id = state.item?.episode else {
                podcasts.setNotes(NotesView(failure: "What plays is no episode of a podcast, and has no notes."))
                return []
            }
            return grant(.readNotes(.episode(id)), state)
        case .listOutputs: source.refreshOutputs(isQuiet: false)
        case .redraw: redraw()
        default: return [action]
        }
        return []
    }

    /// Goes to a time of the input that plays, or of another recording.
    private func go(to time: Double, in item: String?, _ state: ListeningState) -> [PlayerAction] {
        guard let item else {
            drawn.timeBeforeSeek = state.time
            return [.command(.seek(.to(time)))]
        }
        guard let input = ListeningInput(location: item) else {
            note("The recording of this bookmark cannot be opened.")
            return []
        }
        source.play(input, startingAt: time)
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
        transcripts.stop()
        source.stop()
    }

    // MARK: Drawing

    /// The places in the queue of the rows that are shown.
    var shownQueueEntries: [Int] { screen.shownQueueEntries }

    /// Returns the bytes that bring the terminal up to date.
    func frame(columns: Int, rows: Int, now: Double) -> [UInt8] {
        drawn.columns = columns
        let state = source.state
        let grid = screen.draw(view(of: state, now: now), columns: columns, rows: rows)
        source.note(shown: shownQueueEntries)
        var bytes: [UInt8] = []
        if !isPrepared, !config.usesMouse { bytes += Array("\u{1B}[?1006l\u{1B}[?1002l".utf8) }
        isPrepared = true
        let isOpen = state.isIdle || [.playing, .paused].contains(state.state)
        bytes += inquiry.questions(
            hasCover: config.showsCovers && covers.picture != nil,
            isOpen: isOpen && painter.depth != .none
        )
        return bytes + painter.frame(grid)
    }

    /// Returns the bytes that bring the meters up to date, where nothing else has changed since the last frame.
    /// - Returns: `nil` if a whole frame is due.
    func meterFrame(now: Double) -> [UInt8]? {
        guard isPrepared, let frame = screen.drawMeters(source.levels, at: now) else {
            return nil
        }
        return painter.frame(frame.grid, rows: frame.rows)
    }

    private func view(of state: ListeningState, now: Double) -> PlayerView {
        follow(state)
        if files == nil, screen.page == .files {
            files = FolderBrowser { [post] in post(.screenChanged) }
        }
        if screen.page == .podcasts { podcasts.open() }
        if drawn.queueEntries.revision != source.queueRevision
            || drawn.queueEntries.failureCount != drawn.failures.count
        {
            let entries = source.queueEntries(failures: drawn.failures)
            drawn.queueEntries = (source.queueRevision, drawn.failures.count, entries)
        }
        if screen.showsOutputs, now >= drawn.outputsAskedAt + OutputList.interval {
            source.refreshOutputs(isQuiet: true)
            drawn.outputsAskedAt = now
        }
        var view = PlayerView()
        view.now = now
        if self.details == nil || now - drawn.coverAskedAt >= 1 {
            covers.load(source.picture)
            drawn.coverAskedAt = now
        }
        let chapters = state.item?.chapters ?? []
        let details =
            self.details ?? (ItemView(state), chapters.map { ChapterEntry(title: $0.title, start: $0.start) })
        self.details = details
        view.item = details.item
        view.item.cover = covers.picture
        view.state = StateView(state, peaks: source.peaks, retry: drawn.retry)
        view.sound = SoundView(state, levels: source.levels)
        view.effects = effectViews(state.sound)
        view.queue = drawn.queueEntries.entries
        view.currentIndex = state.queue.index
        view.bookmarks = marks.entries
        view.outputs = source.outputs
        view.saved = saved.view
        view.allBookmarks = marks.allEntries
        view.chapters = details.chapters
        view.currentChapter = state.item?.chapter
        if let files { view.files = files.view }
        if screen.page == .transcript { openTranscript(state) }
        view.transcript = transcripts.rows(columns: drawn.columns)
        view.podcasts = podcasts.view
        view.notes = podcasts.notes(columns: drawn.columns)
        return view
    }

    private func effectViews(_ sound: ListeningState.Sound) -> [EffectView] {
        if let effects, effects.sound == sound { return effects.views }
        let views = EffectView.all(of: sound.settings)
        effects = (sound, views)
        return views
    }

    /// Searches for the transcript unless it was searched for already.
    private func openTranscript(_ state: ListeningState) {
        guard let input = source.input, let item = state.item else { return }
        let place = TranscriptLoader.Source(input: input, tags: item.tags, documents: source.transcripts)
        transcripts.open(turn: source.followed, network: source.network, place)
    }

    /// Shows the waveform of the current input.
    private func follow(_ state: ListeningState) {
        guard source.follow() else { return }
        drawn.timeBeforeSeek = nil
        screen.endDrag()
        transcripts.stop()
        details = nil
        keep { try $0.open(source.input ?? .nothing) }
    }
}
