import AudioDevice
import AudioStreaming
import ByteStream
import Foundation
import HTTPStream

/// Acts for a `PlaySession`: brings it what happens, on one thread, and does what it says.
final class PlayRunner {
    /// What the command line asks for.
    struct Plan {
        var inputs: [InputArgument]
        var network: HTTPByteStream.Options
        var sound: SoundOptions
        var output: PlayOutput
        var sampleRate: Double?
        var keepsSourceFormat: Bool
        var cache: DiskCache?
        var writesJSON: Bool
        var readsControl: Bool
        var drawsLine: Bool

        /// Whether standard input is free to be read for keys.
        var leavesStandardInput: Bool { !readsControl && !inputs.contains(where: \.isStandardInput) }
    }

    /// How often the terminal's line is drawn at the most, in seconds, and how often what waits for a time is looked at.
    private static let drawInterval = 0.1
    /// The same while nothing moves: a player in a pause lets the machine sleep.
    private static let restInterval = 1.0

    private let plan: Plan
    private let context: CommandContext
    private let mailbox = Mailbox<PlaySession.Happening>()
    private let streamer: PlayStreamer
    private let expansion: PlaylistExpansion
    private let terminal: Terminal
    private var session: PlaySession
    private var result: ExitStatus?
    /// Brings what the streamer tells of the input that was opened last.
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
        expansion = PlaylistExpansion(network: plan.network) { mailbox.post($0) }
        terminal = Terminal(readsKeys: plan.drawsLine && plan.leavesStandardInput)
        session = PlaySession(
            inputs: plan.inputs,
            rate: plan.sound.rate,
            pitch: plan.sound.pitch,
            volume: plan.sound.volume,
            deviceWarning: plan.output.warning
        )
    }

    /// Plays everything.
    func run() -> ExitStatus {
        prepare()
        perform(session.begin())
        var lastDraw = -Double.infinity
        var hasNews = true
        while result == nil {
            let isMoving = session.awaitsTick || plan.drawsLine && (hasNews || session.line.state == .playing)
            let nextDraw = lastDraw + (isMoving ? Self.drawInterval : Self.restInterval)
            let happening = mailbox.next(until: Date(timeIntervalSinceNow: max(0, nextDraw - context.clock.now)))
            if happening != nil { hasNews = true }
            perform(session.handle(happening ?? .tick, at: context.clock.now))
            if context.console.isOutputClosed { perform(session.handle(.outputClosed, at: context.clock.now)) }
            if context.clock.now >= lastDraw + Self.drawInterval {
                perform(session.handle(.tick, at: context.clock.now))
                draw()
                lastDraw = context.clock.now
                hasNews = false
            }
        }
        streamer.stop()
        plan.output.finish()
        plan.cache?.flush()
        context.console.show(status: nil)
        terminal.leave()
        return result ?? .success
    }

    private func prepare() {
        streamer.rate = Float(plan.sound.rate)
        streamer.pitch = Float(plan.sound.pitch)
        streamer.algorithm = plan.sound.algorithm.method
        streamer.volume = Float(plan.sound.volume)
        streamer.network = plan.network
        streamer.cache = plan.cache
        let mailbox = mailbox
        context.interruption.onRequest { mailbox.post(.interrupt) }
        if plan.readsControl { ControlReader.start { mailbox.post(.control($0)) } }
        guard plan.drawsLine else { return }
        let terminal = terminal
        let console = context.console
        context.terminalRequests.onRequest {
            TerminalEtiquette.handle($0, terminal: terminal, console: console)
            mailbox.post(.tick)
        }
        KeyReader.start(on: terminal) { mailbox.post(.key($0)) }
    }

    private func draw() {
        guard plan.drawsLine, result == nil, !session.isEnding, terminal.enter() else { return }
        // As it is now, and not as it was when it was told.
        let isUnderWay = [.playing, .paused, .buffering].contains(session.line.state)
        if isUnderWay { session.update(time: streamer.currentTime) }
        context.console.show(status: session.line.text(width: Terminal.width - 1))
    }
}

// MARK: - Actions

extension PlayRunner {
    private func perform(_ actions: [PlaySession.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: PlaySession.Action) {
        switch action {
        case .emit(let event): if plan.writesJSON { context.console.write(event) }
        case .say(let failure): context.console.say(failure)
        case .warn(let failure): context.console.say(failure.warningLine)
        case .open: openCurrent()
        case .follow(let entries): streamer.upcoming = entries.map(item)
        case .expand(let input): expansion.begin(input)
        case .play: streamer.play()
        case .pause: streamer.pause()
        case .stop:
            expansion.cancel()
            streamer.stop()
        case .seek(let time): seek(to: time)
        case .skip(let seconds): seek(to: (streamer.currentTime ?? session.line.time) + seconds)
        case .setRate(let rate): streamer.rate = Float(rate)
        case .setPitch(let cents): streamer.pitch = Float(cents)
        case .setVolume(let volume): streamer.volume = Float(volume)
        case .finish(let status): result = status
        }
    }

    private func openCurrent() {
        // So that the engine begins afresh, and takes nothing of the input before with it.
        streamer.stop()
        listen()
        streamer.open(item(session.currentEntry), andPlay: true, followedBy: session.upcoming.map(item))
    }

    /// An entry of the queue as the streamer takes it.
    private func item(_ entry: PlayQueue.Entry) -> StreamingItem {
        let input: StreamingInput =
            switch entry.input.location {
            case .file(let path): .url(URL(fileURLWithPath: path))
            case .web(let url): .url(url)
            case .standardInput: .standardInput
            }
        let span = plan.sound.span
        return StreamingItem(input, startTime: span.start, endTime: span.end, id: entry.id)
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
        let end = plan.sound.span.end ?? streamer.duration ?? .infinity
        let target = min(max(time, plan.sound.span.start), max(end, plan.sound.span.start))
        do {
            try streamer.seek(to: target)
        } catch {
            let failure = Failure(StreamingError(error, name: "seek"), input: "seek")
            perform(session.handle(.warning(failure), at: context.clock.now))
        }
    }
}
