import SyrinxByteStream
import SyrinxPlayback
import SyrinxStreaming
import Testing

@testable import SyrinxListening

@Suite("A session that waits for the listener")
struct ListeningSessionIdleTests {
    private func session(_ names: String..., from first: Int? = nil) -> ListeningSession {
        let inputs = names.compactMap { ListeningInput(argument: $0) }
        return ListeningSession(inputs: inputs, from: first, lifetime: .listener)
    }

    private func input(_ name: String) throws -> ListeningInput { try #require(ListeningInput(argument: name)) }

    private func run(_ session: inout ListeningSession, _ events: StreamingEvent...) -> [SessionAction] {
        events.flatMap { session.handle(.streaming($0, of: session.openingCount), at: 1) }
    }

    private func end(_ session: inout ListeningSession) -> [SessionAction] {
        let ended = StreamingEvent.ended(frameCount: 1, underrunCount: 0, receivedByteCount: 0)
        return run(&session, .status(.opening, time: 0), .status(.playing, time: 0), ended, .status(.ended, time: 1))
    }

    @Test("It opens nothing by itself, plays what it is given, and waits again at its end")
    func emptyQueue() throws {
        var session = session()
        #expect(session.begin().isEmpty && session.isIdle && session.item.progress.state == .stopped)
        for key in [
            .toggle, .seek(.by(5)), .seek(.to(0)), .next(isWeak: true), .previous(isWeak: true), .last, .nextChapter,
        ] as [ListeningCommand] {
            #expect(session.handle(.request(.command(key)), at: 0).isEmpty)
        }
        #expect(session.queue.isEmpty && session.item.tags.isEmpty)
        #expect(try session.handle(.request(.play("a")), at: 0) == [.open(input("a"))])
        #expect(!session.isIdle)
        #expect(end(&session).contains(.emit(.state(.ended, time: 1))))
        #expect(session.isIdle && session.queue.count == 1)
        // The streamer's last words are about what is over.
        #expect(run(&session, .status(.stopped, time: 0)).isEmpty)
        // The streamer still has the input, at its end.
        #expect(session.handle(.request(.command(.toggle)), at: 1) == [.play])
        #expect(!session.isIdle)
        let playing = run(&session, .status(.playing, time: 0))
        #expect(playing.contains(.emit(.state(.playing, time: 0))))
        _ = end(&session)
        #expect(session.handle(.request(.command(.stop)), at: 1) == [.finish(.success)])
    }

    @Test("What is appended waits for the listener, and can be removed to the last")
    func appended() throws {
        var session = session()
        #expect(session.handle(.request(.command(.enqueue("a"))), at: 0) == [.answer("Appended to the queue: a.")])
        #expect(session.handle(.request(.command(.enqueue("b"))), at: 0) == [.answer("Appended to the queue: b.")])
        #expect(session.isIdle && session.queue.count == 2)
        #expect(session.handle(.request(.command(.remove(0))), at: 0) == [])
        #expect(session.handle(.request(.command(.remove(0))), at: 0) == [])
        #expect(session.queue.isEmpty && session.queue.current == .nothing)
        #expect(session.handle(.request(.command(.enqueue("c"))), at: 0) == [.answer("Appended to the queue: c.")])
        #expect(try session.handle(.request(.command(.goTo(0))), at: 0) == [.open(input("c"))])
    }

    @Test("An earlier queue is offered: it goes on where it was, or makes room for what is opened instead")
    func offer() throws {
        var offered = session("a", "b", "c", from: 1)
        #expect(offered.begin().isEmpty && offered.queue.index == 1)
        #expect(try offered.handle(.request(.command(.toggle)), at: 0).first == .open(input("b")))
        offered = session("a", "b", "c", from: 1)
        #expect(try offered.handle(.request(.play("x")), at: 0) == [.open(input("x"))])
        #expect(offered.queue.count == 1)
        // Once something has been opened the queue is the listener's own.
        _ = end(&offered)
        #expect(try offered.handle(.request(.play("y")), at: 0) == [.open(input("y"))])
        #expect(offered.queue.count == 2)
    }

    @Test("What is offered is told by its title, its length and the place at which it goes on")
    func offeredTexts() throws {
        let input = try input("a").titled("Name", duration: 60)
        var session = ListeningSession(inputs: [input], from: 0, lifetime: .listener)
        #expect(session.item.tags == ["title": "Name"] && session.item.progress.duration == 60)
        session.rest(at: 12)
        #expect(session.item.progress == PlaybackProgress(state: .stopped, time: 12, duration: 60))
    }

    @Test("A failure is told, and is none of the process")
    func failure() {
        var session = session()
        _ = session.handle(.request(.play("a")), at: 0)
        let error = SyrinxError(.init(rawValue: "http.404"), "There is nothing there.", name: "a")
        let actions = run(&session, .status(.opening, time: 0), .failed(error), .status(.failed, time: 0))
        #expect(actions.contains(.say(Failure(error, input: "a"))))
        #expect(session.isIdle)
        #expect(session.handle(.interrupt, at: 1) == [.finish(.interrupted)])
    }

    @Test("A seek after the end continues the input that is open")
    func seekAfterTheEnd() throws {
        var session = session()
        _ = session.handle(.request(.play("a")), at: 0)
        _ = end(&session)
        #expect(session.isIdle && session.item.progress.state == .ended)
        #expect(session.handle(.request(.command(.seek(.to(3)))), at: 1) == [.seek(3)])
        #expect(!session.isIdle)
        // An input that was taken out of the queue meanwhile is opened anew.
        _ = end(&session)
        _ = session.handle(.request(.command(.enqueue("b"))), at: 1)
        _ = session.handle(.request(.command(.remove(0))), at: 1)
        #expect(try session.handle(.request(.command(.toggle)), at: 1) == [.open(input("b"))])
    }

    @Test("A failure that the next input would meet too stops the queue at the input, and a damaged file does not")
    func failuresInAQueue() throws {
        func fail(_ code: ErrorCode, afterSound: Bool = false) throws -> ListeningSession {
            var session = session("a", "b", from: 0)
            _ = session.handle(.request(.command(.resume)), at: 0)
            let events: [StreamingEvent] =
                [.status(.opening, time: 0)] + (afterSound ? [.status(.playing, time: 2)] : [])
            for event in events { _ = run(&session, event) }
            let error = SyrinxError(code, "It failed.", name: "a")
            _ = run(&session, .failed(error), .status(.failed, time: 2))
            return session
        }
        var lost = try fail(.init(rawValue: "network.lost"))
        #expect(lost.isIdle && lost.failure?.code.rawValue == "network.lost" && lost.queue.index == 0)
        #expect(lost.item.progress.state == .failed && !lost.wantsPlayback)
        #expect(try lost.handle(.request(.command(.toggle)), at: 1).first == .open(input("a")))
        #expect(lost.failure == nil)
        let damaged = try fail(.init(rawValue: "media.corrupt"))
        #expect(!damaged.isIdle && damaged.queue.index == 1)
        #expect(try fail(.init(rawValue: "media.corrupt"), afterSound: true).isIdle)
        // A session that ends with its queue tries every input.
        var ending = ListeningSession(inputs: [try input("a"), try input("b")])
        _ = ending.begin()
        _ = run(&ending, .status(.opening, time: 0))
        let error = SyrinxError(.init(rawValue: "network.lost"), "It failed.", name: "a")
        _ = run(&ending, .failed(error), .status(.failed, time: 0))
        #expect(ending.queue.index == 1 && !ending.isIdle)
    }

    @Test("A queue is opened in place of another, and undo brings the other back where it was")
    func replacing() throws {
        var session = session("a", "b", from: 1)
        _ = session.handle(.request(.command(.resume)), at: 0)
        _ = run(&session, .status(.opening, time: 0), .status(.playing, time: 7))
        let new = [try input("x"), try input("y")]
        #expect(session.handle(.request(.add(new, .replacing(at: 1, isChosen: true))), at: 1) == [.stop])
        let former = try input("b")
        #expect(session.queue.inputs == new && session.queue.opened == former)
        #expect(run(&session, .status(.stopped, time: 8)).contains(.open(new[1])))
        #expect(session.canUndoQueueChange)
        _ = run(&session, .status(.opening, time: 0))
        #expect(session.handle(.request(.undoQueueChange), at: 2) == [.stop])
        let back = run(&session, .status(.stopped, time: 0))
        #expect(back.contains(.open(try input("b"))) && back.contains(.seek(7)), "\(back)")
        #expect(session.queue.inputs == [try input("a"), try input("b")] && !session.canUndoQueueChange)
    }

    @Test("Undo puts inputs back that were taken out, while the current input plays on")
    func undoRemoval() throws {
        var session = session("a", "b", "c", from: 1)
        _ = session.handle(.request(.command(.resume)), at: 0)
        _ = run(&session, .status(.opening, time: 0), .status(.playing, time: 7))
        _ = session.handle(.request(.command(.clear)), at: 1)
        #expect(session.queue.count == 1)
        // A change that takes nothing out leaves the undo, and inputs that came meanwhile stay.
        _ = session.handle(.request(.command(.clear)), at: 1)
        _ = session.handle(.request(.command(.enqueue("d"))), at: 1)
        let turn = session.queue.currentTurnID
        let actions = session.handle(.request(.undoQueueChange), at: 1)
        #expect(!actions.contains(.stop) && session.queue.inputs.map(\.name) == ["a", "b", "c", "d"])
        #expect(session.queue.index == 1 && session.queue.currentTurnID == turn)
        #expect(session.handle(.request(.undoQueueChange), at: 1).count == 1, "there is nothing more to undo")
    }

    @Test("In a window a stop empties the queue, sleep pauses, and a pause counts before the input is open")
    func window() throws {
        var session = ListeningSession(inputs: [], lifetime: .window)
        _ = session.handle(.request(.add([try input("a")], .last)), at: 0)
        #expect(try session.handle(.request(.command(.toggle)), at: 0) == [.open(input("a"))])
        #expect(session.handle(.request(.command(.toggle)), at: 0) == [.pause] && !session.wantsPlayback)
        #expect(session.handle(.request(.command(.toggle)), at: 0) == [.play] && session.wantsPlayback)
        _ = run(&session, .status(.opening, time: 0), .status(.playing, time: 0))
        _ = session.handle(.request(.setSleep(.time(10))), at: 1)
        var actions: [SessionAction] = []
        for second in 2...13 {
            actions += session.handle(
                .streaming(.position(Double(second)), of: session.openingCount),
                at: Double(second)
            )
        }
        #expect(actions.contains(.pause) && !actions.contains(.stop))
        _ = run(&session, .status(.paused, time: 13))
        #expect(session.handle(.request(.command(.stop)), at: 14) == [.stop])
        _ = run(&session, .status(.stopped, time: 13))
        #expect(session.isIdle && session.queue.isEmpty && session.canUndoQueueChange)
    }

    @Test("A window that falls asleep at the end of an input waits there, and plays on at a key")
    func windowAsleep() throws {
        var session = ListeningSession(inputs: [try input("a"), try input("b")], lifetime: .window)
        _ = session.handle(.request(.command(.resume)), at: 0)
        _ = run(&session, .status(.opening, time: 0), .status(.playing, time: 0))
        _ = session.handle(.request(.setSleep(.endOfItem)), at: 1)
        let ended = StreamingEvent.ended(frameCount: 1, underrunCount: 0, receivedByteCount: 0)
        _ = run(&session, ended, .status(.ended, time: 1))
        #expect(session.isIdle && session.queue.index == 0 && session.sleepGoal == nil)
        #expect(session.handle(.request(.command(.toggle)), at: 2).first == .play)
    }

    @Test("An input that follows by itself begins at its start, and one that the listener opens where it was left")
    func opensByItself() throws {
        var session = session("a", "b", from: 0)
        _ = session.handle(.request(.command(.resume)), at: 0)
        #expect(!session.opensByItself)
        let error = SyrinxError(.init(rawValue: "media.corrupt"), "It failed.", name: "a")
        _ = run(&session, .status(.opening, time: 0), .failed(error), .status(.failed, time: 0))
        #expect(session.queue.index == 1 && session.opensByItself)
        _ = run(&session, .status(.opening, time: 0))
        _ = session.handle(.request(.command(.goTo(0))), at: 1)
        _ = run(&session, .status(.stopped, time: 0))
        #expect(session.queue.index == 0 && !session.opensByItself)
    }

    @Test("A seek after the end does not count as playing before the input has paused")
    func seekIsNoPlaying() throws {
        var session = session()
        _ = session.handle(.request(.play("a")), at: 0)
        _ = end(&session)
        _ = session.handle(.request(.command(.seek(.to(3)))), at: 1)
        _ = run(&session, .status(.opening, time: 3))
        #expect(!session.wantsPlayback)
        _ = run(&session, .status(.paused, time: 3))
        #expect(session.handle(.request(.command(.toggle)), at: 2) == [.play])
    }

    @Test("An order by chance begins with the input that goes on")
    func shuffled() throws {
        for _ in 0..<20 {
            let inputs = (0..<30).compactMap { ListeningInput(argument: "\($0)") }
            var session = ListeningSession(inputs: inputs, from: 7, shuffling: SystemRandomNumberGenerator())
            #expect(try session.begin().first == .open(input("7")))
            #expect(session.queue.inputs != inputs && Set(session.queue.inputs.map(\.name)).count == 30)
        }
    }
}
