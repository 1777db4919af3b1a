import SyrinxByteStream
import SyrinxStreaming
import Testing

@testable import SyrinxListening

@Suite("Listening session")
struct ListeningSessionTests {
    private func session(_ names: String..., warning: Failure? = nil) -> ListeningSession {
        let inputs = names.compactMap { ListeningInput(argument: $0) }
        return ListeningSession(inputs: inputs, deviceWarning: warning)
    }

    private func input(_ name: String) throws -> ListeningInput { try #require(ListeningInput(argument: name)) }

    private func states(_ actions: [SessionAction]) -> [PlayState] {
        actions.compactMap { if case .emit(.state(let state, _)) = $0 { state } else { nil } }
    }

    private let failure = SyrinxError(.init(rawValue: "http.404"), "There is nothing there.", name: "elsewhere")

    /// Brings the session a run of streaming events, and gives all that it answers.
    private func run(_ session: inout ListeningSession, _ events: StreamingEvent...) -> [SessionAction] {
        events.flatMap { session.handle(.streaming($0, of: session.openingCount), at: 1) }
    }

    @Test("Inputs are played in turn, and the end of the last one ends it all")
    func inTurn() throws {
        var session = session("a", "b")
        #expect(try session.begin() == [.open(input("a"))])
        let ended = StreamingEvent.ended(frameCount: 10, underrunCount: 0, receivedByteCount: 5)
        let first = run(
            &session,
            .status(.opening, time: 0),
            .status(.playing, time: 0),
            ended,
            .status(.ended, time: 1)
        )
        #expect(states(first) == [.opening, .playing, .ended])
        #expect(try first.last == .open(input("b")))
        // What the first input still has to say no longer counts.
        #expect(run(&session, .position(9), .status(.stopped, time: 0)).isEmpty)
        // Nor if somebody made it begin again: its `opening` is not that of the second.
        #expect(session.handle(.streaming(.status(.opening, time: 0), of: 1), at: 1).isEmpty)
        #expect(session.handle(.streaming(.status(.stopped, time: 0), of: 1), at: 1).isEmpty)
        let second = run(&session, .status(.opening, time: 0), .status(.ended, time: 1), ended)
        #expect(states(second) == [.opening, .ended])
        #expect(second.last == .finish(.success))
        #expect(session.handle(.request(.command(.rate(.by(0.1)))), at: 2).isEmpty)
    }

    @Test("A lost output is a warning, and the queue waits where it is")
    func lostOutput() {
        var session = session("a", "b")
        _ = session.begin()
        _ = run(&session, .status(.opening, time: 0), .status(.playing, time: 0))
        let loss = SyrinxError(.init(rawValue: "device.lost"), "The sound output has gone.", name: "pulse")
        let lost = run(&session, .outputLost(loss), .status(.buffering, time: 7))
        let warning = Failure(loss, input: "a")
        #expect(lost == [.emit(.warning(warning)), .emit(.state(.buffering, time: 7))])
        #expect(session.item.progress.lacksOutput && session.item.progress.time == 7)
        // Space is a pause, which lasts.
        #expect(session.handle(.request(.command(.toggle)), at: 2) == [.pause])
        let found = run(&session, .outputFound("Headphones"), .status(.playing, time: 7))
        #expect(found.first == .note("Playback continues on “Headphones”"))
        #expect(!session.item.progress.lacksOutput)
        #expect(session.queue.index == 0)
    }

    @Test("A change of the output concerns no input, and is done at once")
    func changedOutput() {
        let wish = SessionEvent.request(.command(.output("pulse:out")))
        var idle = ListeningSession(inputs: [], lifetime: .listener)
        #expect(idle.handle(wish, at: 1) == [.setOutput("pulse:out")])
        var session = session("a", "b")
        _ = session.begin()
        // Before anything is open, a pause would wait.
        #expect(session.handle(wish, at: 1) == [.setOutput("pulse:out")])
        _ = run(&session, .status(.opening, time: 0), .status(.playing, time: 0))
        #expect(session.handle(wish, at: 2) == [.setOutput("pulse:out")])
        #expect(session.item.progress.state == .playing)
        _ = run(&session, .status(.paused, time: 3))
        #expect(session.handle(wish, at: 4) == [.setOutput("pulse:out")])
        #expect(session.item.progress.state == .paused)
    }

    @Test("An input that is no audio is tried as a playlist, and fails as no audio otherwise")
    func namelessPlaylists() throws {
        var session = session("a", "b")
        _ = session.begin()
        let refused = SyrinxError(.init(rawValue: "media.notAudio"), "That is no audio.", name: "a")
        let first = run(&session, .status(.opening, time: 0), .failed(refused), .status(.failed, time: 0))
        let list = try input("a")
        #expect(first == [.emit(.state(.opening, time: 0)), .expand(list)])
        let none = Failure(code: ErrorCode(rawValue: "media.empty"), message: "It names nothing.", name: "a")
        let told = Failure(code: ErrorCode(rawValue: "media.notAudio"), message: "That is no audio.", name: "a")
        let failed = session.handle(.expanded(list, .failure(none)), at: 0)
        let next = try input("b")
        #expect(failed == [.emit(.error(told)), .say(told), .emit(.state(.failed, time: 0)), .open(next)])
    }

    @Test("A failure is reported once, playback continues, and the first failure sets the exit code")
    func failures() throws {
        var session = session("a", "b", "c")
        _ = session.begin()
        let other = SyrinxError(.init(rawValue: "media.corrupt"), "That cannot be decoded.", name: "x")
        let first = run(&session, .status(.opening, time: 0), .failed(failure), .status(.failed, time: 0))
        let told = Failure(code: ErrorCode(rawValue: "http.404"), message: "there is nothing there", name: "a")
        #expect(first.contains(.emit(.error(told))) && first.contains(.say(told)))
        #expect(try first.last == .open(input("b")))
        let second = run(
            &session,
            .status(.opening, time: 0),
            .failed(other),
            .failed(failure),
            .status(.failed, time: 0)
        )
        #expect(second.count { if case .say = $0 { true } else { false } } == 1)
        #expect(try second.last == .open(input("c")))
        let last = StreamingEvent.ended(frameCount: 1, underrunCount: 0, receivedByteCount: 1)
        let third = run(&session, .status(.opening, time: 0), last, .status(.ended, time: 0))
        #expect(third.last == .finish(.failure(told)))
    }

    @Test("An interruption stops at once and decides the exit code, in every state")
    func interruption() {
        for status in [.opening, .buffering, .playing, .paused] as [PlaybackStatus] {
            var session = session("a", "b")
            _ = session.begin()
            _ = run(&session, .status(.opening, time: 0), .status(status, time: 3))
            #expect(session.handle(.interrupt, at: 1) == [.stop])
            let actions = run(&session, .status(.stopped, time: 3))
            #expect(states(actions) == [.stopped])
            #expect(actions.last == .finish(.interrupted))
        }
    }

    @Test("A streamer that says nothing more is not waited for")
    func patience() {
        var session = session("a")
        _ = session.begin()
        #expect(session.handle(.interrupt, at: 1) == [.stop])
        #expect(session.handle(.tick, at: 1.1).isEmpty)
        let actions = session.handle(.tick, at: 1.5)
        #expect(states(actions) == [.opening, .stopped])
        #expect(actions.last == .finish(.interrupted))
    }

    @Test("next leaves one input, stop leaves all")
    func nextAndStop() throws {
        var session = session("a", "b", "c")
        _ = session.begin()
        _ = run(&session, .status(.opening, time: 0), .status(.playing, time: 0))
        #expect(session.handle(.request(.command(.next(isWeak: false))), at: 1) == [.stop])
        #expect(try run(&session, .status(.stopped, time: 1)).last == .open(input("b")))
        _ = run(&session, .status(.opening, time: 0), .status(.playing, time: 0))
        #expect(session.handle(.request(.command(.stop)), at: 1) == [.stop])
        #expect(run(&session, .status(.stopped, time: 1)).last == .finish(.success))
    }

    @Test("Keys and commands become actions within their ranges")
    func keys() {
        var session = session("a")
        _ = session.begin()
        _ = run(&session, .status(.opening, time: 0), .status(.playing, time: 0))
        #expect(session.handle(.request(.command(.toggle)), at: 1) == [.pause])
        _ = run(&session, .status(.paused, time: 0))
        #expect(session.handle(.request(.command(.toggle)), at: 1) == [.play])
        #expect(session.handle(.request(.command(.seek(.by(-60)))), at: 1) == [.skip(-60)])
        for _ in 0..<3 { _ = session.handle(.request(.command(.rate(.by(0.1)))), at: 1) }
        #expect(session.settings.rate == 1.3)
        for _ in 0..<10 { _ = session.handle(.request(.command(.multiplyRate(2))), at: 1) }
        #expect(session.settings.rate == 32)
        for _ in 0..<20 { _ = session.handle(.request(.command(.multiplyRate(0.5))), at: 1) }
        #expect(session.settings.rate == 0.03125)
        #expect(session.handle(.request(.command(.rate(.by(-0.1)))), at: 1).first == .setRate(0.03125))
        #expect(session.handle(.request(.command(.rate(.to(1)))), at: 1).first == .setRate(1))
        #expect(session.handle(.request(.command(.rate(.by(10)))), at: 1).first == .setRate(4))
        #expect(session.handle(.request(.command(.rate(.by(-10)))), at: 1).first == .setRate(0.25))
        #expect(session.handle(.request(.command(.rate(.to(1)))), at: 1).first == .setRate(1))
        #expect(session.handle(.request(.command(.volume(.by(0.05)))), at: 1).first == .setVolume(1))
        for _ in 0..<30 { _ = session.handle(.request(.command(.volume(.by(-0.05)))), at: 1) }
        #expect(session.settings.volume == 0)
        #expect(session.handle(.request(.command(.pitch(.to(300)))), at: 1).first == .setPitch(300))
        #expect(session.handle(.request(.command(.stop)), at: 1) == [.stop])
    }

    @Test("A malformed command is a warning and changes nothing")
    func malformed() {
        var session = session("a")
        _ = session.begin()
        let before = (session.settings, session.item.progress)
        let actions = session.handle(.badCommand(CommandError("no")), at: 1)
        let warning = Failure(code: ErrorCode(rawValue: "usage.badCommand"), message: "no", name: "--control")
        #expect(actions == [.emit(.warning(warning))])
        #expect(session.settings == before.0 && session.item.progress == before.1)
    }

    @Test("Received bytes are drawn as fractions")
    func received() {
        var session = session("a")
        _ = session.begin()
        _ = run(&session, .status(.opening, time: 0), .download(received: 50, total: 200, ranges: [0..<50, 100..<200]))
        #expect(session.item.progress.received == [0..<0.25, 0.5..<1])
        _ = run(&session, .download(received: 50, total: nil, ranges: [0..<50]))
        #expect(session.item.progress.received.isEmpty)
    }

    @Test("A command at the end of an input applies to the next one; a second next skips another")
    func betweenInputs() throws {
        var session = session("a", "b", "c", "d")
        _ = session.begin()
        _ = run(&session, .status(.opening, time: 0), .status(.playing, time: 0))
        #expect(session.handle(.request(.command(.next(isWeak: false))), at: 1) == [.stop])
        #expect(session.handle(.request(.command(.seek(.to(30)))), at: 1).isEmpty)
        #expect(session.handle(.request(.command(.resume)), at: 1).isEmpty)
        #expect(session.handle(.request(.command(.rate(.to(2)))), at: 1).first == .setRate(2))
        #expect(session.handle(.request(.command(.toggle)), at: 1).isEmpty)
        #expect(session.handle(.request(.command(.toggle)), at: 1).isEmpty)
        let first = run(&session, .status(.stopped, time: 1))
        #expect(try first.suffix(5) == [.open(input("b")), .seek(30), .play, .pause, .play])
        // Twice at once: what was to be done to the one between is not done to the other, but for a pause.
        _ = run(&session, .status(.opening, time: 0), .status(.playing, time: 0))
        #expect(session.handle(.request(.command(.next(isWeak: false))), at: 1) == [.stop])
        for command in [.seek(.by(10)), .pause, .next(isWeak: false)] as [ListeningCommand] {
            #expect(session.handle(.request(.command(command)), at: 1).isEmpty)
        }
        #expect(try run(&session, .status(.stopped, time: 1)).suffix(2) == [.open(input("d")), .pause])
        // Beyond the last one is the end.
        _ = run(&session, .status(.opening, time: 0))
        for _ in 0..<3 { _ = session.handle(.request(.command(.next(isWeak: false))), at: 1) }
        #expect(run(&session, .status(.stopped, time: 1)).last == .finish(.success))
    }

    @Test("A paused player stays paused when it goes to another input, and plays the input that is chosen")
    func staysPaused() throws {
        for (command, isPaused) in [
            (ListeningCommand.next(isWeak: true), true), (.next(isWeak: false), true), (.last, true), (.goTo(1), false),
        ] {
            var session = session("a", "b")
            _ = session.begin()
            _ = run(&session, .status(.opening, time: 0), .status(.playing, time: 0), .status(.paused, time: 1))
            #expect(session.handle(.request(.command(command)), at: 1) == [.stop])
            let actions = run(&session, .status(.stopped, time: 1))
            #expect(actions.contains(.open(try input("b"))))
            #expect(actions.contains(.pause) == isPaused, "\(command)")
        }
    }

    @Test("A pause that came too late for one input is done to the next")
    func latePauses() throws {
        let ended = StreamingEvent.ended(frameCount: 10, underrunCount: 0, receivedByteCount: 5)
        for (command, isKept) in [(ListeningCommand.pause, true), (.resume, false)] {
            var session = session("a", "b", "c")
            _ = session.begin()
            _ = run(&session, .status(.opening, time: 0), .status(.playing, time: 0))
            #expect(session.handle(.request(.command(.pause)), at: 1) == [.pause])
            _ = session.handle(.request(.command(command)), at: 1)
            let first = run(&session, .status(.ended, time: 1), ended)
            #expect(try first.suffix(2).contains(.open(input("b"))))
            #expect((first.last == .pause) == isKept)
            // One that was heard concerns the input that heard it.
            _ = run(&session, .status(.opening, time: 0), .status(.paused, time: 0), .status(.playing, time: 0))
            #expect(try run(&session, .status(.ended, time: 1), ended).last == .open(input("c")))
        }
    }

    @Test("A playlist is replaced by what it names; what is pressed meanwhile is done to the first of that")
    func playlists() throws {
        var session = session("a.pls", "b")
        let list = try input("a.pls")
        #expect(session.begin() == [.expand(list)])
        #expect(session.handle(.request(.command(.toggle)), at: 0).isEmpty)
        #expect(session.handle(.request(.command(.seek(.to(3)))), at: 0).isEmpty)
        #expect(session.handle(.request(.command(.volume(.to(0.5)))), at: 0).first == .setVolume(0.5))
        let other = try input("x.pls")
        #expect(session.handle(.expanded(other, .success([other])), at: 0).isEmpty)
        let named = [try input("c"), try input("d")]
        #expect(session.handle(.expanded(list, .success(named)), at: 0) == [.open(named[0]), .pause, .seek(3)])
        let ended = StreamingEvent.ended(frameCount: 1, underrunCount: 0, receivedByteCount: 1)
        for next in [named[1], try input("b")] {
            #expect(run(&session, .status(.opening, time: 0), .status(.ended, time: 1), ended).last == .open(next))
        }
    }

    @Test("A playlist that cannot be read fails as an input does")
    func badPlaylists() throws {
        var session = session("a.m3u", "b.m3u")
        let (first, second) = (try input("a.m3u"), try input("b.m3u"))
        #expect(session.begin() == [.expand(first)])
        let failure = Failure(code: ErrorCode(rawValue: "media.empty"), message: "It names nothing.", name: "a.m3u")
        let failed = session.handle(.expanded(first, .failure(failure)), at: 0)
        #expect(states(failed) == [.opening, .failed])
        #expect(failed.contains(.emit(.error(failure))) && failed.last == .expand(second))
    }

    @Test("A playlist that is stopped while it is read reports stopped")
    func endedPlaylist() throws {
        var session = session("a.m3u", "b")
        _ = session.begin()
        #expect(session.handle(.request(.command(.next(isWeak: false))), at: 0) == [.stop])
        let cancelled = Failure(
            code: ErrorCode(rawValue: "usage.cancelled"),
            message: "It was cancelled.",
            name: "a.m3u"
        )
        let actions = session.handle(.expanded(try input("a.m3u"), .failure(cancelled)), at: 0)
        #expect(states(actions) == [.opening, .stopped] && actions.count == 4)
        #expect(actions.contains(.emit(.ended(frames: 0, underruns: 0, bytesReceived: 0))))
        #expect(try actions.last == .open(input("b")))
    }

    // MARK: A streamer that goes on by itself

    private let ended = StreamingEvent.ended(frameCount: 10, underrunCount: 0, receivedByteCount: 5)

    /// That the streamer plays the next of `session`'s inputs by itself.
    private func advancing(_ session: ListeningSession) throws -> StreamingEvent {
        let next = try #require(session.upcoming.first)
        return .advancing(to: StreamingItem(.standardInput, id: next.id))
    }

    @Test("An input that follows by itself is not opened again, and the streamer gets the next ones")
    func goesOnByItself() throws {
        var session = session("a", "b", "c", "d.m3u", "e")
        #expect(try session.begin() == [.open(input("a"))])
        // What a playlist names is not known before it is read.
        #expect(try session.upcoming.map(\.input) == [input("b"), input("c")])
        _ = run(&session, .status(.opening, time: 0), .status(.playing, time: 0))
        let first = run(&session, try advancing(session), ended, .status(.ended, time: 1))
        #expect(states(first) == [.ended])
        #expect(first.last == .follow(session.upcoming))
        #expect(try session.upcoming.map(\.input) == [input("c")])
        #expect(try session.queue.currentTurn.input == input("b"))
        let second = run(&session, .status(.opening, time: 0), .status(.playing, time: 0))
        #expect(states(second) == [.opening, .playing])
        _ = run(&session, try advancing(session), ended, .status(.ended, time: 1), .status(.opening, time: 0))
        // A playlist is read in its turn.
        #expect(try run(&session, ended, .status(.ended, time: 1)).last == .expand(input("d.m3u")))
    }

    @Test("An input that is stopped at the transition is left for the next one, which is opened anew")
    func isEndedAsItGoesOn() throws {
        for (command, last) in [
            (ListeningCommand.next(isWeak: false), SessionAction.open(try input("b"))), (.stop, .finish(.success)),
        ] {
            var session = session("a", "b", "c")
            _ = session.begin()
            _ = run(&session, .status(.opening, time: 0), .status(.playing, time: 0))
            let next = try advancing(session)
            #expect(session.handle(.request(.command(command)), at: 1) == [.stop])
            let actions = run(&session, next, ended, .status(.ended, time: 1), .status(.opening, time: 0))
            #expect(actions.contains(last), "\(actions)")
        }
    }

    @Test("A pause as it goes on is done already, and is not asked for again")
    func pausesAsItGoesOn() throws {
        var session = session("a", "b")
        _ = session.begin()
        _ = run(&session, .status(.opening, time: 0), .status(.playing, time: 0))
        let next = try advancing(session)
        #expect(session.handle(.request(.command(.pause)), at: 1) == [.pause])
        let actions = run(&session, next, ended, .status(.ended, time: 1), .status(.opening, time: 0))
        #expect(!actions.contains(.pause))
        #expect(states(run(&session, .status(.paused, time: 0))) == [.paused])
    }

    @Test("What was played before a stop is told before the state")
    func totalsOfAStop() {
        var session = session("a", "b")
        _ = session.begin()
        _ = run(&session, .status(.opening, time: 0), .status(.playing, time: 0))
        _ = session.handle(.request(.command(.stop)), at: 1)
        let actions = run(&session, ended, .status(.stopped, time: 1))
        #expect(
            actions == [
                .emit(.ended(frames: 10, underruns: 0, bytesReceived: 5)), .emit(.state(.stopped, time: 1)),
                .finish(.success),
            ]
        )
    }
}
