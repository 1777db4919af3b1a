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

/// Runs a `ListeningPlayer` for a terminal, `--json`, `--control` and desktop panels: passes it events, and shows its
/// reports.
///
/// One thread.
final class PlayRunner {
    /// The shortest time between two drawings of the terminal's line, and between two checks of timers, in seconds.
    private static let drawInterval = 0.1
    /// The same while nothing moves: a player in a pause lets the machine sleep.
    private static let restInterval = 1.0

    let plan: PlayPlan
    let context: CommandContext
    let mailbox: Mailbox<PlayEvent>
    let player: ListeningPlayer
    let terminal: Terminal
    var desktop: DesktopPresence?
    /// The socket for faces in other processes, if the player is a detached one.
    var host: AttachHost?
    /// Hands the queue over to a detached player.
    let handover: HandoverSender
    let screen: FullScreen?
    /// The settings of the user's file, where keys are read.
    let config: PlayerConfig
    let silence = SuspensionBarrier()
    var result: ExitStatus?
    var spoken = SpokenLines()
    var session: ListeningSession { player.session }

    /// A runner that has not begun.
    init(_ plan: PlayPlan, context: CommandContext) {
        let mailbox = Mailbox<PlayEvent>()
        (self.context, self.mailbox) = (context, mailbox)
        let (config, problems) =
            plan.readsKeys || plan.isDetached
            ? UserConfig.read(environment: ProcessInfo.processInfo.environment) : (PlayerConfig(), [])
        self.config = config
        var plan = plan
        plan.setup.general.skipForward = config.skipForward
        plan.setup.general.skipBack = config.skipBack
        plan.setup.mayChangeSound =
            plan.readsControl || plan.display == .screen || plan.desktop != .none || plan.isDetached
        plan.setup.output.warning = plan.output.warning
        self.plan = plan
        let streamer = PlayStreamer(
            device: plan.output.device,
            sampleRate: plan.sampleRate,
            keepsSourceFormat: plan.keepsSourceFormat
        )
        streamer.waitsForOutput = plan.waitsForOutput
        let findsPictures = plan.display == .screen || plan.desktop != .none || plan.isDetached
        player = ListeningPlayer(plan.setup, on: streamer, findsPictures: findsPictures) { event, isUrgent in
            mailbox.post(.player(event), wakes: isUrgent)
        }
        handover = HandoverSender(
            player,
            options: plan.display == .screen ? plan.detachOptions : nil,
            rule: config.hangUp,
            clock: context.clock
        ) { mailbox.post($0) }
        terminal = Terminal(readsKeys: plan.readsKeys, isFullScreen: plan.display == .screen)
        screen =
            plan.display == .screen
            ? FullScreen(LocalScreenSource(player) { mailbox.post($0) }, config) { mailbox.post($0) } : nil
        for problem in problems { mailbox.post(.report(problem, isFailure: true)) }
        player.reportsPositionsAtOnce = !isDrawn && !plan.isDetached || plan.writesJSON
        player.onNotice = { [unowned self] in show($0) }
    }

    /// Plays everything.
    func run() -> ExitStatus {
        let sources = EventSources(plan, config, context, mailbox, terminal, silence)
        sources.start(outlivesTerminal: handover.outlivesTerminal)
        desktop = sources.makeDesktop()
        takeOver()
        player.begin()
        openTakenOver()
        showOffer()
        var lastDraw = -Double.infinity
        var lastWholeDraw = -Double.infinity
        var lastShown = -Double.infinity
        var hasNews = true
        while result == nil {
            let isShown = isDrawn || host?.hasFaces ?? false
            let isMoving = session.awaitsTick || isShown && (hasNews || session.item.progress.state == .playing)
            let interval = isMoving ? drawInterval : Self.restInterval
            let wait =
                hasNews || session.awaitsTick
                ? interval : screen?.timeToChange(now: context.clock.now) ?? interval
            let nextDraw = lastDraw + max(min(wait, Self.restInterval), drawInterval)
            let count = session.queue.count
            let hasHappened = handleNext(until: Date(timeIntervalSinceNow: max(0, nextDraw - context.clock.now)))
            if hasHappened { hasNews = true }
            // Reading a long list takes as much memory again as its entries.
            if session.queue.count > count + Self.longList { Heap.returnUnusedMemory() }
            if hasHappened || context.clock.now >= lastShown + Self.drawInterval {
                if let desktop { player.report(to: desktop) }
                lastShown = context.clock.now
                host?.publish()
            } else if host?.sendsLevels ?? false {
                host?.publish()
            }
            if context.console.isOutputClosed { player.handle(.outputClosed) }
            guard context.clock.now >= lastDraw + drawInterval else { continue }
            let isWhole = hasNews || session.awaitsTick || context.clock.now >= lastWholeDraw + Self.drawInterval
            if isWhole || !drawMeters() {
                player.handle(.tick)
                if hasNews, screen != nil || desktop != nil || host != nil {
                    player.readTags(shown: screen?.shownQueueEntries ?? [])
                }
                draw()
                lastWholeDraw = context.clock.now
            }
            lastDraw = context.clock.now
            hasNews = false
        }
        desktop?.stop()
        player.stop()
        plan.output.finish()
        plan.setup.cache?.flush()
        terminal.leave()
        context.console.show(status: [])
        screen?.finish()
        for failure in plan.setup.keeper.drain() { context.console.say(failure.warningLine) }
        host?.stop()
        for line in screen?.lines ?? [] { context.console.say(line) }
        if handover.isDone { context.console.say(AttachRunner.farewell) }
        return result ?? .success
    }

    /// Handles the next event.
    /// - Returns: Whether there was one; else it is time for a tick.
    private func handleNext(until date: Date) -> Bool {
        guard let happening = mailbox.next(until: date) else { return false }
        switch happening {
        case .player(let event):
            if let screen, case .session(let event) = event { show(event, on: screen) }
            player.handle(event)
        case .key(.command(let command)): player.carryOut(command)
        case .key(.quit): player.carryOut(.stop)
        case .key(.help):
            tellKeys()
            player.handle(.activity)
        case .terminal(let event): if let screen { handle(event, on: screen) }
        case .report(let text, let isFailure):
            if let screen {
                screen.show(text, isFailure: isFailure, now: context.clock.now)
            } else {
                context.console.say("syrinx: \(text)")
            }
        case .queueAsked(let answer): answer(RemoteQueueEntry.all(of: session.queue))
        case .attach(let event): host?.handle(event)
        case .episodeFound(let found): host?.take(found)
        case .handedOver(let result): take(handover.finish(result))
        case .hungUp: take(handover.hangUp())
        case .screenChanged: break
        }
        return true
    }

    /// Handles an event of the terminal that the full screen reads.
    private func handle(_ event: TerminalEvent, on screen: FullScreen) {
        for wish in screen.handle(event, now: context.clock.now) {
            if let request = ListeningRequest(wish, session.settings) {
                player.request(request)
            } else if wish == .suspend {
                // To the whole group, as the terminal does at Ctrl-Z.
                kill(0, SIGTSTP)
            } else if wish == .detach {
                take(handover.begin())
            }
        }
        switch event {
        case .key, .mouse, .paste: player.handle(.activity)
        default: break
        }
    }

    private func take(_ step: HandoverSender.Step) {
        switch step {
        case .waits: break
        case .ends(let status): result = status
        case .refused(_, hasHungUp: true): player.handle(.interrupt)
        case .refused(let failure, hasHungUp: false):
            screen?.show(failure.message.asSentence, isFailure: true, now: context.clock.now)
        }
    }

    /// Shows on the full screen that the last queue can be continued, while nothing is open.
    private func showOffer() {
        guard session.isIdle, !session.queue.isEmpty, screen != nil || host != nil else { return }
        player.showRestingPlace()
        guard let screen else { return }
        let text = "Space continues the last recording; o, 6 and 7 open something else"
        screen.show(text, isFailure: false, now: context.clock.now)
    }

    /// Passes a notice to the screen.
    private func show(_ event: SessionEvent, on screen: FullScreen) {
        switch event {
        case .resume: screen.redraw()
        case .chapters: screen.forgetDetails()
        case .tags: if session.isIdle { screen.forgetDetails() }
        default: break
        }
    }

    /// Seconds between two drawings while something moves.
    private var drawInterval: Double {
        if host?.sendsLevels ?? false { return AttachHost.levelInterval }
        return screen == nil ? Self.drawInterval : FullScreen.interval
    }

    /// Entries of a list that take megabytes.
    private static let longList = 10_000

    var isDrawn: Bool { plan.display == .drawn || plan.display == .screen }

    func draw() {
        guard isDrawn, result == nil, !session.isEnding, terminal.enter() else { return }
        player.updateTime()
        let (width, height) = Terminal.size
        if let screen {
            let frame = screen.frame(columns: width, rows: height, now: context.clock.now)
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
        guard let screen, !session.isEnding, let frame = screen.meterFrame(now: context.clock.now) else {
            return false
        }
        guard !frame.isEmpty, terminal.enter() else { return true }
        Descriptor.writeAll(frame, to: STDERR_FILENO)
        return true
    }
}
