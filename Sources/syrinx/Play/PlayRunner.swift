import AVFAudio
import AudioDevice
import AudioStreaming
import ByteStream
import Foundation
import HTTPStream
import MediaPlayer
import Playback
import PlayerUI
import PodcastLibrary
import Terminal

/// A listener to the events of playing, on the thread that plays.
protocol PlayListener: AnyObject {
    /// Handles an event about the current input of `session`, at `now` seconds since the process started.
    func handle(_ event: CommandEvent, of session: PlaySession, at now: Double)
}

/// Acts for a `PlaySession`: brings it what happens, on one thread, and does what it says.
final class PlayRunner {
    /// The task that the command line gives.
    struct Plan {
        var inputs: [InputArgument]
        var network: HTTPByteStream.Options
        var sound: SoundOptions
        var effects: [EffectArgument]
        var adaptive: AdaptiveSound
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
        var listener: (any PlayListener)?
        /// The wishes of a listener.
        var listening = ListeningPlan()

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

    private let plan: Plan
    private let context: CommandContext
    private let mailbox = Mailbox<PlaySession.Event>()
    private let streamer: PlayStreamer
    private let expansion: PlaylistExpansion
    private let terminal: Terminal
    private var session: PlaySession
    private var desktop: DesktopPresence?
    private let screen: FullScreen?
    private let silence = SuspensionBarrier()
    private var result: ExitStatus?
    /// The places in inputs at which they begin when they are next opened, in seconds, by their names.
    private var startTimes: [String: Double] = [:]
    /// Passes on the streamer's events about the input that was opened last.
    private var listening: Task<Void, Never>?

    /// A runner that has not begun.
    init(_ plan: Plan, context: CommandContext) {
        self.plan = plan
        self.context = context
        streamer = PlayStreamer(
            device: plan.output.device,
            sampleRate: plan.sampleRate,
            keepsSourceFormat: plan.keepsSourceFormat
        )
        let mailbox = mailbox
        expansion = PlaylistExpansion(listsRecursively: plan.listsRecursively, network: plan.network) {
            mailbox.post($0)
        }
        terminal = Terminal(readsKeys: plan.readsKeys, isFullScreen: plan.display == .screen)
        screen = plan.display == .screen ? FullScreen(streamer: streamer) { mailbox.post($0) } : nil
        session = PlaySession(
            inputs: plan.inputs,
            settings: PlaybackSettings(
                rate: plan.sound.rate,
                pitch: plan.sound.pitch,
                volume: plan.sound.volume,
                loop: plan.loop,
                effects: plan.effects,
                adaptive: plan.adaptive
            ),
            shuffling: plan.shuffles ? SystemRandomNumberGenerator() : nil,
            deviceWarning: plan.output.warning
        )
        session.begin(plan.listening)
    }

    /// Plays everything.
    func run() -> ExitStatus {
        prepare()
        if let place = plan.listening.startTime, let first = plan.inputs.first { startTimes[first.name] = place }
        perform(session.begin())
        var lastDraw = -Double.infinity
        var lastShown = -Double.infinity
        var hasNews = true
        while result == nil {
            let isMoving = session.awaitsTick || isDrawn && (hasNews || session.progress.state == .playing)
            let interval = isMoving ? drawInterval : Self.restInterval
            let wait = screen?.timeToChange(session, now: context.clock.now) ?? interval
            let nextDraw = lastDraw + max(min(wait, interval), drawInterval)
            let count = session.queue.count
            let hasHappened = handleNext(until: Date(timeIntervalSinceNow: max(0, nextDraw - context.clock.now)))
            if hasHappened { hasNews = true }
            // Reading a long list takes as much memory again as its entries.
            if session.queue.count > count + Self.longList { Heap.returnUnusedMemory() }
            if hasHappened || context.clock.now >= lastShown + Self.drawInterval {
                desktop?.update(session, time: streamer.currentTime, picture: streamer.artwork)
                lastShown = context.clock.now
            }
            if context.console.isOutputClosed { perform(session.handle(.outputClosed, at: context.clock.now)) }
            if context.clock.now >= lastDraw + drawInterval {
                perform(session.handle(.tick, at: context.clock.now))
                draw()
                lastDraw = context.clock.now
                hasNews = false
            }
        }
        desktop?.stop()
        streamer.stop()
        plan.output.finish()
        plan.cache?.flush()
        terminal.leave()
        context.console.show(status: [])
        screen?.finish(in: context.console)
        for line in screen?.lines ?? [] { context.console.say(line) }
        return result ?? .success
    }

    /// Handles the next event, or else a tick.
    /// - Returns: Whether there was an event.
    private func handleNext(until date: Date) -> Bool {
        let happening = mailbox.next(until: date)
        if let screen, let happening { show(happening, on: screen) }
        if case .streaming(.ended, _) = happening, session.settings.adaptive.smartSpeed != .off {
            session.timeSaved = streamer.timeSaved(in: session.currentTurn.id)
        }
        perform(session.handle(happening ?? .tick, at: context.clock.now))
        return happening != nil
    }

    /// Has the screen handle what concerns it.
    private func show(_ happening: PlaySession.Event, on screen: FullScreen) {
        let now = context.clock.now
        switch happening {
        case .terminal(let event):
            for wish in screen.handle(event, session, now: now) {
                if let actions = session.handle(wish, at: now) {
                    perform(actions)
                } else if wish == .suspend {
                    // To the whole group, as the terminal does at Ctrl-Z.
                    kill(0, SIGTSTP)
                }
            }
        case .report(let text, let isFailure): screen.show(text, isFailure: isFailure, now: now)
        case .episode(let episode, let input, let library, _):
            screen.note(EpisodeRecord(episode.id, in: library, of: input), of: input)
            if episode.position > 0 {
                let pause = episode.playedAt.map { -$0.timeIntervalSinceNow } ?? 0
                startTimes[input.name] = ResumeRule().position(resuming: episode.position, afterPause: pause)
            }
        case .resume: screen.redraw()
        case .chapters: screen.forgetDetails()
        default: break
        }
    }

    /// Seconds between two drawings while something moves.
    private var drawInterval: Double { screen == nil ? Self.drawInterval : FullScreen.interval }

    /// Entries of a list that take megabytes.
    private static let longList = 10_000

    private func prepare() {
        streamer.crossfade = plan.crossfade
        streamer.rate = Float(plan.sound.rate)
        streamer.pitch = Float(plan.sound.pitch)
        streamer.algorithm = plan.sound.algorithm.method
        streamer.volume = Float(plan.sound.volume)
        streamer.effects = plan.effects.compactMap { $0.makeUnit() }
        plan.adaptive.apply(to: streamer)
        streamer.network = plan.network
        streamer.cache = plan.cache
        let mailbox = mailbox
        context.interruption.onRequest { mailbox.post(.interrupt) }
        if plan.readsControl { ControlReader.start { mailbox.post(.control($0)) } }
        let terminal = terminal
        let silence = silence
        context.terminalRequests.onRequest { request in
            switch request {
            case .leave: terminal.leave()
            case .suspend:
                silence.await { mailbox.post(.suspend) }
                terminal.leave()
            case .resume:
                terminal.allow()
                mailbox.post(.resume)
            case .resized: mailbox.post(.tick)
            }
        }
        readFeedChapters()
        showToDesktop()
        let isPlain = screen == nil
        TerminalReader.start(on: terminal) { event in
            guard isPlain else { return mailbox.post(.terminal(event)) }
            if case .key(let press) = event, let key = Key(press) { mailbox.post(.key(key)) }
        }
    }

    /// Reads a feed's document of chapters, which playback does not wait for.
    private func readFeedChapters() {
        guard let feed = plan.listening.feedChapters, let document = feed.document else { return }
        let (mailbox, network) = (mailbox, plan.network)
        Thread.detachNewThread {
            do throws(Failure) {
                let chapters = try feed.read(document, network: network)
                mailbox.post(.chapters(chapters, from: .podcastDocument))
            } catch {
                mailbox.post(.warning(error))
            }
        }
    }

    private func tellResumption(at time: Double) {
        guard plan.display != .silent else { return }
        let line =
            "syrinx: \(session.queue.current.shortName): goes on at \(ClockText.text(time)); --no-resume begins at the start"
        if let screen {
            screen.show(line, isFailure: false, now: context.clock.now)
        } else {
            context.console.say(line)
        }
    }

    private func showToDesktop() {
        guard plan.desktop != .none else { return }
        let mailbox = mailbox
        do throws(BusError) {
            desktop = try DesktopPresence { mailbox.post($0) }
        } catch {
            guard plan.desktop == .required else { return }
            mailbox.post(.warning(Failure(code: .deviceUnavailable, message: error.message, name: "--mpris")))
        }
    }

    private var isDrawn: Bool { plan.display == .drawn || plan.display == .screen }

    private func draw() {
        guard isDrawn, result == nil, !session.isEnding, terminal.enter() else { return }
        // As it is now, and not as it was when it was told.
        let isUnderWay = [.playing, .paused, .buffering].contains(session.progress.state)
        if isUnderWay { session.update(time: streamer.currentTime) }
        if let start = screen?.loopStart(at: session.progress.time) { seek(to: start) }
        let (width, height) = Terminal.size
        if let screen {
            let frame = screen.frame(session, columns: width, rows: height, now: context.clock.now)
            // It may have been left meanwhile, on the thread of signals.
            guard terminal.enter() else { return }
            frame.withUnsafeBytes { try? Descriptor.write($0, to: STDERR_FILENO) }
            return
        }
        context.console.show(status: session.view.lines(width: width - 1, height: height))
    }
}

// MARK: - Actions

extension PlayRunner {
    private func perform(_ actions: [PlaySession.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: PlaySession.Action) {
        switch action {
        case .emit(let event):
            if plan.writesJSON { context.console.write(event) }
            plan.listener?.handle(event, of: session, at: context.clock.now)
            if case .opened = event {
                plan.listening.resumption?.end()
                startTimes[session.queue.current.name] = nil
            }
            screen?.note(event, of: session, at: context.clock.now)
        case .say(let failure):
            if let screen {
                screen.show(failure, isWarning: false, now: context.clock.now)
            } else {
                context.console.say(failure)
            }
        case .warn(let failure):
            if let screen {
                screen.show(failure, isWarning: true, now: context.clock.now)
            } else {
                context.console.say(failure.warningLine)
            }
        case .announce(let line): if plan.display == .printed { context.console.say(line) }
        case .showHelp: for line in KeyHelp.lines(width: Terminal.size.width - 1) { context.console.say(line) }
        case .open: openCurrent()
        case .follow(let turns): streamer.upcoming = turns.map(item)
        case .expand(let input): expansion.begin(input)
        case .play: streamer.play()
        case .pause: streamer.pause()
        case .stop:
            expansion.cancel()
            streamer.stop()
        case .seek(let time): seek(to: time)
        case .skip(let seconds): seek(to: (streamer.currentTime ?? session.progress.time) + seconds)
        case .setRate(let rate): streamer.rate = Float(rate)
        case .setPitch(let cents): streamer.pitch = Float(cents)
        case .setVolume(let volume): streamer.volume = Float(volume)
        case .setEffect(let index, let effect, let keys): effect.apply(to: streamer.effects[index], changing: keys)
        case .setAdaptive(let new, let old): new.apply(to: streamer, replacing: old)
        case .setBypass(let index, let isBypassed): streamer.effects[index].bypass = isBypassed
        case .confirmSuspension: confirmSuspension()
        case .finish(let status): result = status
        }
    }

    /// Lets the process be stopped once the fade of a pause has been rendered.
    private func confirmSuspension() {
        let deadline = context.clock.now + SuspensionBarrier.patience
        while !streamer.engine.isHeld, context.clock.now < deadline { usleep(2000) }
        // What stays on the terminal is to say that it is paused.
        draw()
        silence.open()
    }

    private func openCurrent() {
        // So that the engine begins afresh, and takes nothing of the input before with it.
        streamer.stop()
        listen()
        var item = item(session.currentTurn)
        if let place = plan.listening.resumption?.place(in: session.queue.current) {
            item.startTime = place
            tellResumption(at: place)
        }
        streamer.open(item, andPlay: true, followedBy: session.upcoming.map(self.item))
    }

    /// A turn of the queue as the streamer takes it.
    private func item(_ turn: PlayQueue.Turn) -> StreamingItem {
        var (start, end) = (plan.sound.span.start, plan.sound.span.end)
        if let part = plan.repeatedPart {
            // The first time it may begin elsewhere.
            if turn.isRepetition || plan.sound.start == nil { start = part.start }
            end = part.end
        }
        if let place = startTimes[turn.input.name], !turn.isRepetition { start = place }
        return StreamingItem(turn.input.streamingInput, startTime: start, endTime: end, id: turn.id)
    }

    /// Listens anew: what comes from now on is about the next input, and what is still on its way is not.
    private func listen() {
        listening?.cancel()
        let mailbox = mailbox
        let events = streamer.events
        let opening = session.openingCount
        listening = Task.detached { for await event in events { mailbox.post(.streaming(event, of: opening)) } }
    }

    private func seek(to time: Double) {
        let end = plan.repeatedPart?.end ?? plan.sound.span.end ?? streamer.duration ?? .infinity
        let target = min(max(time, plan.sound.span.start), max(end, plan.sound.span.start))
        do {
            try streamer.seek(to: target)
        } catch {
            let failure = Failure(StreamingError(error, name: "seek"), input: "seek")
            perform(session.handle(.warning(failure), at: context.clock.now))
        }
    }
}
