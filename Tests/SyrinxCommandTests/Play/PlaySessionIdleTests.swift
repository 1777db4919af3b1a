import MediaPlayer
import SyrinxByteStream
import SyrinxListening
import SyrinxPlayerUI
import SyrinxStreaming
import Testing

@testable import syrinx

@Suite("A play session that waits for the listener")
struct PlaySessionIdleTests {
    private func session(_ names: String..., from first: Int? = nil) -> PlaySession {
        let inputs = names.compactMap { ListeningInput(argument: $0) }
        return PlaySession(inputs: inputs, from: first, staysOpen: true)
    }

    private func input(_ name: String) throws -> ListeningInput { try #require(ListeningInput(argument: name)) }

    private func run(_ session: inout PlaySession, _ events: StreamingEvent...) -> [PlaySession.Action] {
        events.flatMap { session.handle(.streaming($0, of: session.openingCount), at: 1) }
    }

    private func end(_ session: inout PlaySession) -> [PlaySession.Action] {
        let ended = StreamingEvent.ended(frameCount: 1, underrunCount: 0, receivedByteCount: 0)
        return run(&session, .status(.opening, time: 0), .status(.playing, time: 0), ended, .status(.ended, time: 1))
    }

    @Test("It opens nothing by itself, plays what it is given, and waits again at its end")
    func emptyQueue() throws {
        var session = session()
        #expect(session.begin().isEmpty && session.isIdle && session.progress.state == .stopped)
        for key in [
            .toggle, .seek(.by(5)), .seek(.to(0)), .next(isWeak: true), .previous(isWeak: true), .last, .nextChapter,
        ] as [ListeningCommand] {
            #expect(session.handle(.key(.command(key)), at: 0).isEmpty)
        }
        #expect(session.desktopState.track == nil && session.desktopState.status == .stopped)
        #expect(session.remoteStatus.count == 0 && session.remoteQueue.isEmpty)
        #expect(try session.handle(.playInput("a"), at: 0) == [.open(input("a"))])
        #expect(!session.isIdle)
        #expect(end(&session).contains(.emit(.state(.ended, time: 1))))
        #expect(session.isIdle && session.queue.count == 1)
        // The streamer's last words are about what is over.
        #expect(run(&session, .status(.stopped, time: 0)).isEmpty)
        #expect(try session.handle(.key(.command(.toggle)), at: 1) == [.open(input("a"))])
        _ = end(&session)
        #expect(session.handle(.key(.quit), at: 1) == [.finish(.success)])
    }

    @Test("What is appended waits for the listener, and can be removed to the last")
    func appended() throws {
        var session = session()
        #expect(session.handle(.command(.enqueue("a")), at: 0) == [.answer("Appended to the queue: a.")])
        #expect(session.handle(.command(.enqueue("b")), at: 0) == [.answer("Appended to the queue: b.")])
        #expect(session.isIdle && session.queue.count == 2)
        #expect(session.handle(.command(.remove(0)), at: 0) == [])
        #expect(session.handle(.command(.remove(0)), at: 0) == [])
        #expect(session.queue.isEmpty && session.queue.current == .nothing)
        #expect(session.handle(.command(.enqueue("c")), at: 0) == [.answer("Appended to the queue: c.")])
        #expect(try session.handle(.command(.goTo(0)), at: 0) == [.open(input("c"))])
    }

    @Test("An earlier queue is offered: it goes on where it was, or makes room for what is opened instead")
    func offer() throws {
        var offered = session("a", "b", "c", from: 1)
        #expect(offered.begin().isEmpty && offered.queue.index == 1)
        #expect(try offered.handle(.key(.command(.toggle)), at: 0).first == .open(input("b")))
        offered = session("a", "b", "c", from: 1)
        #expect(try offered.handle(.playInput("x"), at: 0) == [.open(input("x"))])
        #expect(offered.queue.count == 1)
        // Once something has been opened the queue is the listener's own.
        _ = end(&offered)
        #expect(try offered.handle(.playInput("y"), at: 0) == [.open(input("y"))])
        #expect(offered.queue.count == 2)
    }

    @Test("What is offered is told by its title, its length and the place at which it goes on")
    func offeredTexts() throws {
        let input = try input("a").titled("Name", duration: 60)
        var session = PlaySession(inputs: [input], from: 0, staysOpen: true)
        #expect(session.nowPlaying.headline == "Name" && session.progress.duration == 60)
        session.rest(at: 12)
        #expect(session.progress == PlaybackProgress(state: .stopped, time: 12, duration: 60))
        #expect(session.desktopState.status == .stopped && session.desktopState.track?.title == "Name")
    }

    @Test("A failure is told, and is none of the process")
    func failure() {
        var session = session()
        _ = session.handle(.playInput("a"), at: 0)
        let error = SyrinxError(.init(rawValue: "http.404"), "There is nothing there.", name: "a")
        let actions = run(&session, .status(.opening, time: 0), .failed(error), .status(.failed, time: 0))
        #expect(actions.contains { if case .say = $0 { true } else { false } })
        #expect(session.isIdle)
        #expect(session.handle(.interrupt, at: 1) == [.finish(.interrupted)])
    }

    @Test("An order by chance begins with the input that goes on")
    func shuffled() throws {
        for _ in 0..<20 {
            let inputs = (0..<30).compactMap { ListeningInput(argument: "\($0)") }
            var session = PlaySession(inputs: inputs, from: 7, shuffling: SystemRandomNumberGenerator())
            #expect(try session.begin().first == .open(input("7")))
            #expect(session.queue.inputs != inputs && Set(session.queue.inputs.map(\.name)).count == 30)
        }
    }
}
