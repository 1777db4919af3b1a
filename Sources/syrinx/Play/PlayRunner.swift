import AVFAudio
import Foundation
import MediaPlayer
import SyrinxByteStream
import SyrinxDevice
import SyrinxHTTPStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxPlayerUI
import SyrinxPodcastLibrary
import SyrinxStreaming
import SyrinxTerminal

/// Acts for a `ListeningSession`: brings it what happens, on one thread, and does what it says.
final class PlayRunner {
    /// The task that the command line gives.
    struct Plan {
        var inputs: [ListeningInput]
        var network: HTTPByteStream.Options
        var sound: SoundOptions
        var effects: [EffectArgument]
        var adaptive: AdaptiveSound
        var tone: Tone
        var languages: [String] = []
        var output: PlayOutput
        var sampleRate: Double?
        var keepsSourceFormat: Bool
        var cache: DiskCache?
        var loop: LoopMode
        /// The part of each input that is repeated until the input is left.
        var repeatedPart: RepeatedPart?
        var crossfade: Crossfade
        /// Whether the inputs are played in an order by chance.
        var shuffles: Bool
        /// Whether the desktop shows what plays, and its media keys control it.
        var desktop: DesktopUse
        var writesJSON: Bool
        var readsControl: Bool
        /// Whether folders in folders are played too.
        var listsRecursively: Bool
        /// The way to tell on a terminal what plays.
        var display: PlayDisplay
        /// Told of all events.
        var listener: ListeningRecord?
        /// The wishes of a listener.
        var listening = ListeningPlan()
        /// Whether nothing is opened by itself, and the listener is waited for at the end of the queue.
        var staysOpen = false
        /// Whether playing waits for a sound output when the last one goes; else that is a failure.
        var waitsForOutput = false

        /// Whether keys may be read: a program that sends commands has the terminal's keys for itself, and a terminal that is
        /// the input is not read twice.
        var readsKeys: Bool {
            let playsTerminal = inputs.contains(where: \.isStandardInput) && isatty(STDIN_FILENO) == 1
            return display == .screen || display == .drawn && !readsControl && !playsTerminal
        }
    }

    /// The shortest time between two drawings of the terminal's line, and between two checks of timers, in seconds.
    private static let drawInterval = 0.1
    /// The same while nothing moves: a player in a pause lets the machine sleep.
    private static let restInterval = 1.0

    let plan: Plan
    let context: CommandContext
    let mailbox = Mailbox<PlayEvent>()
    let streamer: PlayStreamer
    let expansion: PlaylistExpansion
    let terminal: Terminal
    var session: ListeningSession
    var desktop: DesktopPresence?
    let screen: FullScreen?
    /// The settings of the user's file, where keys are read.
    let config: PlayerConfig
    let silence = SuspensionBarrier()
    var result: ExitStatus?
    var spoken = SpokenLines()
    /// The places in inputs at which they begin when they are next opened, in seconds, by their names.
    var startTimes: [String: Double] = [:]
    /// The records of the episodes among the inputs, by their names.
    var records: [String: EpisodeRecord] = [:]
    /// Reads the tags of files in the queue, for the full screen and other processes.
    private let tags: TagReader<Never>
    /// The visible rows and the revision of the queue for which tags were last requested.
    private var read: (shown: [Int], revision: Int) = ([], -1)
    /// The pictures of episodes among the inputs, by the names of these.
    var pictures: [String: MediaPicture] = [:]
    /// The units of mono, balance and the equalizer; `nil` where none of them is used or can come to be.
    let tone: ToneUnits?

    /// A runner that has not begun.
    init(_ plan: Plan, context: CommandContext) {
        self.plan = plan
        self.context = context
        streamer = PlayStreamer(
            device: plan.output.device,
            sampleRate: plan.sampleRate,
            keepsSourceFormat: plan.keepsSourceFormat
        )
        streamer.waitsForOutput = plan.waitsForOutput
        let mailbox = mailbox
        expansion = PlaylistExpansion(listsRecursively: plan.listsRecursively, network: plan.network) {
            mailbox.post(.session($0))
        }
        tags = TagReader(makeCover: { _ in nil }) { found in
            mailbox.post(.session(.tags(Dictionary(found.map { ($0.path, $0.tags) }) { $1 })))
        }
        terminal = Terminal(readsKeys: plan.readsKeys, isFullScreen: plan.display == .screen)
        let (config, problems) =
            plan.readsKeys
            ? UserConfig.read(environment: ProcessInfo.processInfo.environment) : (PlayerConfig(), [])
        self.config = config
        screen = plan.display == .screen ? FullScreen(streamer: streamer, config) { mailbox.post($0) } : nil
        for problem in problems { mailbox.post(.report(problem, isFailure: true)) }
        session = ListeningSession(
            inputs: plan.inputs,
            from: plan.listening.firstIndex,
            settings: SoundSettings(
                rate: plan.sound.rate,
                pitch: plan.sound.pitch,
                volume: plan.sound.volume,
                loop: plan.loop,
                effects: plan.effects,
                adaptive: plan.adaptive,
                tone: plan.tone,
                languages: plan.languages
            ),
            repeatedPart: plan.repeatedPart,
            shuffling: plan.shuffles ? SystemRandomNumberGenerator() : nil,
            deviceWarning: plan.output.warning,
            staysOpen: plan.staysOpen
        )
        var wishes = plan.listening
        wishes.general.skipForward = config.skipForward
        wishes.general.skipBack = config.skipBack
        session.prepare(
            sleep: wishes.sleep?.goal,
            isPlaced: wishes.isPlaced,
            given: wishes.given,
            general: wishes.general
        )
        if let episode = wishes.episode { session.note(episode.facts, of: episode.input) }
        let mayChange = plan.readsControl || plan.display == .screen || plan.desktop != .none
        tone = mayChange || session.mayHaveTone ? ToneUnits(plan.tone) : nil
    }

    /// Plays everything.
    func run() -> ExitStatus {
        prepare()
        if let episode = plan.listening.episode { note(episode, startingAt: plan.listening.startTime) }
        for action in session.begin() { perform(action) }
        tellOffer()
        var lastDraw = -Double.infinity
        var lastWholeDraw = -Double.infinity
        var lastShown = -Double.infinity
        var hasNews = true
        while result == nil {
            let isMoving = session.awaitsTick || isDrawn && (hasNews || session.item.progress.state == .playing)
            let interval = isMoving ? drawInterval : Self.restInterval
            let wait =
                hasNews || session.awaitsTick
                ? interval : screen?.timeToChange(session, now: context.clock.now) ?? interval
            let nextDraw = lastDraw + max(min(wait, Self.restInterval), drawInterval)
            let count = session.queue.count
            let hasHappened = handleNext(until: Date(timeIntervalSinceNow: max(0, nextDraw - context.clock.now)))
            if hasHappened { hasNews = true }
            // Reading a long list takes as much memory again as its entries.
            if session.queue.count > count + Self.longList { Heap.returnUnusedMemory() }
            if hasHappened || context.clock.now >= lastShown + Self.drawInterval {
                showToDesktop(desktop)
                lastShown = context.clock.now
            }
            if context.console.isOutputClosed { handle(.outputClosed) }
            guard context.clock.now >= lastDraw + drawInterval else { continue }
            let isWhole = hasNews || session.awaitsTick || context.clock.now >= lastWholeDraw + Self.drawInterval
            if isWhole || !drawMeters() {
                handle(.tick)
                if hasNews { readTags() }
                draw()
                lastWholeDraw = context.clock.now
            }
            lastDraw = context.clock.now
            hasNews = false
        }
        desktop?.stop()
        streamer.stop()
        plan.output.finish()
        plan.cache?.flush()
        terminal.leave()
        context.console.show(status: [])
        screen?.finish()
        for record in records.values { record.finish(in: context.console) }
        for line in screen?.lines ?? [] { context.console.say(line) }
        return result ?? .success
    }

    /// Handles the next event.
    /// - Returns: Whether there was one; else it is time for a tick.
    private func handleNext(until date: Date) -> Bool {
        guard let happening = mailbox.next(until: date) else { return false }
        switch happening {
        case .session(let event):
            if let screen { show(event, on: screen) }
            if case .streaming(.ended, _) = event, session.settings.adaptive.smartSpeed != .off {
                session.update(time: nil, timeSaved: streamer.timeSaved(in: session.queue.currentTurnID))
            }
            handle(event)
        case .key(.command(let command)): handle(.request(.command(command)))
        case .key(.quit): handle(.request(.command(.stop)))
        case .key(.help):
            tellKeys()
            handle(.activity)
        case .terminal(let event): if let screen { handle(event, on: screen) }
        case .report(let text, let isFailure):
            if let screen {
                screen.show(text, isFailure: isFailure, now: context.clock.now)
            } else {
                context.console.say("syrinx: \(text)")
            }
        case .episode(let item, let isNow):
            note(item, startingAt: item.startTime)
            handle(.episode(item.input, item.facts, isNow: isNow))
        case .queueAsked(let answer): answer(RemoteQueueEntry.all(of: session.queue))
        case .artwork(let picture, let input): pictures[input.name] = picture
        case .screenChanged: break
        }
        return true
    }

    /// Reports what plays to panels and other processes.
    private func showToDesktop(_ desktop: DesktopPresence?) {
        guard let desktop else { return }
        let position = streamer.currentTime ?? session.item.progress.time
        let state = DesktopPlayerState(session)
        var status = RemoteStatus(session, state)
        status.languages = streamer.info.map { _ in streamer.languages }
        desktop.update(state, status, position: position, picture: picture)
    }

    /// The picture of what plays: that in the input, else the one that a feed has.
    private var picture: MediaPicture? { streamer.artwork ?? pictures[session.queue.current.name] }

    /// Handles an event of the terminal that the full screen reads.
    private func handle(_ event: TerminalEvent, on screen: FullScreen) {
        for wish in screen.handle(event, session, now: context.clock.now) {
            if let request = ListeningRequest(wish, session.settings) {
                handle(.request(request))
            } else if wish == .suspend {
                // To the whole group, as the terminal does at Ctrl-Z.
                kill(0, SIGTSTP)
            }
        }
        switch event {
        case .key, .mouse, .paste: handle(.activity)
        default: break
        }
    }

    /// Has the screen show what concerns it.
    private func show(_ event: SessionEvent, on screen: FullScreen) {
        switch event {
        case .resume: screen.redraw()
        case .chapters: screen.forgetDetails()
        case .tags: if session.isIdle { screen.forgetDetails() }
        default: break
        }
    }

    /// Seconds between two drawings while something moves.
    private var drawInterval: Double { screen == nil ? Self.drawInterval : FullScreen.interval }

    /// Entries of a list that take megabytes.
    private static let longList = 10_000

    /// Takes the lengths of inputs that have been found out, and has the tags of the others be read, those of rows that are shown first.
    private func readTags() {
        guard screen != nil || desktop != nil, session.queue.count > 1 || session.isIdle else { return }
        for (turn, length) in streamer.lengthsAhead { session.setDuration(length, of: turn) }
        let shown = screen?.shownQueueEntries ?? []
        guard read != (shown, session.queue.revision) else { return }
        read = (shown, session.queue.revision)
        let inputs = shown.lazy.filter { [count = session.queue.count] in $0 < count }.map(session.queue.input(at:))
        tags.readSeen(inputs.compactMap(\.file).filter { !session.queue.knows($0) })
        tags.readOthers(session.filesToRead())
    }

    var isDrawn: Bool { plan.display == .drawn || plan.display == .screen }

    func draw() {
        guard isDrawn, result == nil, !session.isEnding, terminal.enter() else { return }
        // As it is now, and not as it was when it was told.
        let isUnderWay = [.playing, .paused, .buffering].contains(session.item.progress.state)
        if isUnderWay { session.update(time: streamer.currentTime) }
        let (width, height) = Terminal.size
        if let screen {
            let name = session.queue.current.name
            screen.feed = FeedExtras(picture: pictures[name], transcripts: records[name]?.transcripts ?? [])
            let frame = screen.frame(session, columns: width, rows: height, now: context.clock.now)
            // It may have been left meanwhile, on the thread of signals.
            guard terminal.enter() else { return }
            Descriptor.writeAll(frame, to: STDERR_FILENO)
            return
        }
        let line = TerminalLine(progress: session.item.progress, settings: session.settings)
        context.console.show(status: [line.text(width: width - 1)])
    }

    /// Draws the meters of the full screen alone, which move between two whole frames.
    /// - Returns: Whether that was enough.
    private func drawMeters() -> Bool {
        guard let screen, !session.isEnding, let frame = screen.meterFrame(session, now: context.clock.now) else {
            return false
        }
        guard !frame.isEmpty, terminal.enter() else { return true }
        Descriptor.writeAll(frame, to: STDERR_FILENO)
        return true
    }
}
