import SyrinxByteStream
import SyrinxStreaming
import Testing

@testable import SyrinxListening

@Suite("A session that waits for the listener")
struct ListeningSessionIdleTests {
    private func session(_ names: String..., from first: Int? = nil) -> ListeningSession {
        let inputs = names.compactMap { ListeningInput(argument: $0) }
        return ListeningSession(inputs: inputs, from: first, staysOpen: true)
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
        #expect(try session.handle(.request(.command(.toggle)), at: 1) == [.open(input("a"))])
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
        var session = ListeningSession(inputs: [input], from: 0, staysOpen: true)
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
