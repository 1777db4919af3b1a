import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxPlayerUI
import SyrinxTerminal

/// Runs the full screen of a player in another process: passes messages of the player to the screen, and requests to the player.
///
/// One thread.
final class AttachRunner {
    /// An event that the thread of the screen handles.
    private enum Event: Sendable {
        /// A message of the player; `nil` is the end of the connection.
        case message(AttachMessage?)
        /// An event of the terminal.
        case terminal(TerminalEvent)
        /// The screen has something new to show.
        case changed
        /// Work for the screen has been done, or has failed.
        case report(String, isFailure: Bool)
        /// The process runs again, after it was suspended.
        case resumed
        /// The process is asked to end.
        case interrupted
    }

    /// The end of the screen.
    private enum Ending {
        case left
        case playerEnded
        case interrupted
        case failed(Failure)
    }

    private let connection: AttachConnection
    private let context: CommandContext
    private let mailbox = Mailbox<Event>()
    private let source: RemoteScreenSource
    private let screen: FullScreen
    private let config: PlayerConfig
    private let terminal: Terminal
    private var lastState = PlayState.stopped
    private var isQuitting = false
    private var ending: Ending?

    /// The line for a listener who leaves a player running.
    static let farewell =
        "syrinx: the player is still running; syrinx attach reopens its screen, syrinx control stop quits it"

    /// The messages of a screen that is shown, and of one that is suspended: its rows have to stay complete.
    private static let shownWatch = AttachWatch(levels: true, peaks: true, queue: true)
    private static let suspendedWatch = AttachWatch(levels: false, peaks: false, queue: true)
    /// Seconds within which a player has to describe itself.
    private static let patience = 5.0
    /// Seconds between two whole frames while something plays, and while nothing does.
    private static let wholeInterval = 0.1, restInterval = 1.0

    /// Creates a runner of a connection.
    init(_ connection: AttachConnection, context: CommandContext) {
        (self.connection, self.context) = (connection, context)
        let (config, problems) = UserConfig.read(environment: ProcessInfo.processInfo.environment)
        self.config = config
        source = RemoteScreenSource(connection)
        screen = FullScreen(source, config) { [mailbox] event in
            switch event {
            case .report(let text, let isFailure): mailbox.post(.report(text, isFailure: isFailure))
            default: mailbox.post(.changed)
            }
        }
        terminal = Terminal(readsKeys: true, isFullScreen: true)
        for problem in problems { mailbox.post(.report(problem, isFailure: true)) }
    }

    /// Shows the player until the listener leaves, or the player ends.
    /// - Throws: If the player is lost or has another version, or if it has failed.
    func run() throws(Failure) -> ExitStatus {
        let mailbox = mailbox
        context.interruption.onRequest { mailbox.post(.interrupted) }
        try connection.start { mailbox.post(.message($0)) }
        connection.send(.watch(Self.shownWatch))
        connection.send(.hangUp(config.hangUp))
        try awaitState()
        try readTerminal()
        while ending == nil { step() }
        terminal.leave()
        screen.finish()
        for line in screen.lines { context.console.say(line) }
        switch ending {
        case .failed(let failure): throw failure
        case .left:
            context.console.say(Self.farewell)
            return .success
        case .interrupted: return .interrupted
        case .playerEnded, nil: return .success
        }
    }

    private func awaitState() throws(Failure) {
        let deadline = context.clock.now + Self.patience
        while !source.isReady, ending == nil {
            let rest = deadline - context.clock.now
            guard rest > 0 else {
                let message = "the player does not respond; try again, or end it with kill"
                throw Failure(code: .noPlayer, message: message, name: "attach")
            }
            _ = handleNext(until: Date(timeIntervalSinceNow: rest))
        }
        if case .failed(let failure) = ending { throw failure }
    }

    private func readTerminal() throws(Failure) {
        let (mailbox, terminal, connection) = (mailbox, terminal, connection)
        context.terminalRequests.onRequest { request in
            switch request {
            case .leave: terminal.leave()
            // The player continues, and sends as little as possible to a process that reads nothing.
            case .suspend:
                connection.send(.watch(Self.suspendedWatch))
                terminal.leave()
            case .resume:
                terminal.allow()
                connection.send(.watch(Self.shownWatch))
                mailbox.post(.resumed)
            case .resized: mailbox.post(.changed)
            }
        }
        try TerminalReader.start(on: terminal) { mailbox.post(.terminal($0)) }
    }

    // MARK: The loop

    private var hasNews = true
    private var lastDraw = -Double.infinity, lastWholeDraw = -Double.infinity

    /// Waits for an event or the next frame.
    private func step() {
        let wait = hasNews ? FullScreen.interval : screen.timeToChange(now: context.clock.now) ?? Self.restInterval
        let nextDraw = lastDraw + max(min(wait, Self.restInterval), FullScreen.interval)
        if handleNext(until: Date(timeIntervalSinceNow: max(0, nextDraw - context.clock.now))) { hasNews = true }
        let now = context.clock.now
        guard ending == nil, now >= lastDraw + FullScreen.interval else { return }
        if hasNews || now >= lastWholeDraw + Self.wholeInterval || !drawMeters() {
            draw()
            lastWholeDraw = now
        }
        (lastDraw, hasNews) = (now, false)
    }

    private func draw() {
        guard terminal.enter() else { return }
        let (width, height) = Terminal.size
        let frame = screen.frame(columns: width, rows: height, now: context.clock.now)
        // It may have been left meanwhile, on the thread of signals.
        guard terminal.enter() else { return }
        Descriptor.writeAll(frame, to: STDERR_FILENO)
    }

    private func drawMeters() -> Bool {
        guard let frame = screen.meterFrame(now: context.clock.now) else { return false }
        if !frame.isEmpty, terminal.enter() { Descriptor.writeAll(frame, to: STDERR_FILENO) }
        return true
    }

    /// Handles the next event.
    /// - Returns: Whether more than the level meters may have changed.
    private func handleNext(until date: Date) -> Bool {
        guard let event = mailbox.next(until: date) else { return false }
        switch event {
        case .message(let message?): return take(message)
        case .message(nil):
            if ending == nil { ending = isQuitting ? .playerEnded : .failed(Self.lostPlayer) }
        case .terminal(let event): for wish in screen.handle(event, now: context.clock.now) { grant(wish) }
        case .report(let text, let isFailure): screen.show(text, isFailure: isFailure, now: context.clock.now)
        case .resumed: screen.redraw()
        case .interrupted: interrupt()
        case .changed: break
        }
        return true
    }

    /// Ends the screen after a signal: Ctrl-C ends the player too, as `q` does.
    private func interrupt() {
        if context.interruption.status == .interrupted { connection.send(.wish(.command(.stop))) }
        // Of a terminal that has closed the player gets no word, so that the rule for that holds.
        if context.interruption.status != .hungUp { connection.send(.leave) }
        ending = .interrupted
    }

    private func grant(_ wish: PlayerAction) {
        switch wish {
        case .suspend:
            // To the whole group, as the terminal does at Ctrl-Z.
            kill(0, SIGTSTP)
        case .detach:
            connection.send(.leave)
            ending = .left
        default:
            guard let request = ListeningRequest(wish, source.state.sound.settings) else { return }
            if wish == .quit { isQuitting = true }
            guard connection.send(.wish(Self.absolute(request))) != nil else {
                ending = isQuitting ? .playerEnded : .failed(Self.lostPlayer)
                return
            }
        }
    }

    /// Returns the request with a path as the player, in another folder, finds it.
    private static func absolute(_ request: ListeningRequest) -> ListeningRequest {
        let directory = FileManager.default.currentDirectoryPath
        return switch request {
        case .play(let text): .play(ControlWords.absolute(text, directory))
        case .command(.enqueue(let text)): .command(.enqueue(ControlWords.absolute(text, directory)))
        default: request
        }
    }

    // MARK: Messages

    private func take(_ message: AttachMessage) -> Bool {
        if let hello = message.hello, hello.protocol != AttachProtocol.version {
            let text =
                "the player is of another version (\(hello.version)); end it with kill \(hello.process)"
            ending = .failed(Failure(code: .playerVersion, message: text, name: "attach"))
        }
        if let end = message.end { ending = Self.ending(end) }
        if let notice = message.notice { show(notice) }
        if let event = message.event { show(event) }
        if let problem = message.answer?.error { screen.show(problem.message.asSentence, isFailure: true, now: now) }
        let hasNews = source.take(message)
        if source.state.state != lastState {
            lastState = source.state.state
            screen.note(.state(lastState, time: source.state.time))
        }
        if message.state != nil || message.change != nil, !(message.change?.onlyMoves ?? false) {
            screen.forgetDetails()
        }
        return hasNews
    }

    private var now: Double { context.clock.now }

    private static let lostPlayer = Failure(
        code: .playerLost,
        message: "the connection to the player was lost; it may have crashed",
        name: "attach"
    )

    private static func ending(_ end: AttachMessage.End) -> Ending {
        guard let code = end.code, let message = end.message else { return .playerEnded }
        // A player that was asked to end has not failed.
        guard code != ErrorCode.cancelled.rawValue else { return .playerEnded }
        return .failed(Failure(code: ErrorCode(rawValue: code), message: message, name: end.name ?? "attach"))
    }

    private func show(_ notice: AttachMessage.Notice) {
        switch notice.kind {
        case .failure:
            let failure = Failure(code: .noRecordingPlays, message: notice.text, name: notice.name ?? "attach")
            screen.show(failure, isWarning: false, now: now)
        case .warning: screen.show(notice.text, isFailure: true, now: now)
        case .note, .answer: screen.show(notice.text, isFailure: false, now: now)
        }
    }

    private func show(_ event: JSONTree) {
        guard case .object(let fields) = event, case .text(let name) = fields["event"] else { return }
        switch name {
        case "retry":
            guard case .number(let attempt) = fields["attempt"], case .number(let delay) = fields["delay"] else {
                return
            }
            screen.note(.retry(attempt: Int(clamped: attempt), delay: delay, code: ""))
        case "opened": screen.noteOpening()
        case "warning":
            guard case .text(let code) = fields["code"], case .text(let text) = fields["message"] else { return }
            let input = if case .text(let input) = fields["url"] { input } else { "attach" }
            let failure = Failure(code: ErrorCode(rawValue: code), message: text, name: input)
            screen.show(failure, isWarning: true, now: now)
        default: break
        }
    }
}

extension JSONTree {
    /// Whether a change of the state concerns nothing but the position.
    fileprivate var onlyMoves: Bool {
        if case .object(let fields) = self {
            fields.keys.allSatisfy { $0 == "time" || $0 == "sleepRemaining" }
        } else {
            false
        }
    }
}

extension ErrorCode {
    /// The connection to a player in another process was lost.
    static let playerLost = ErrorCode(rawValue: "device.playerLost")
    /// A player in another process has another version of the protocol.
    static let playerVersion = ErrorCode(rawValue: "device.playerVersion")
    /// An input of a player in another process failed.
    static let noRecordingPlays = ErrorCode(rawValue: "media.failed")
}
