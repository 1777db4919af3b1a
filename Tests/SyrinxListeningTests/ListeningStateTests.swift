import Foundation
import MediaPlayer
import SyrinxByteStream
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxStreaming
import Testing

@testable import SyrinxListening

@Suite("The state that a face draws")
struct ListeningStateTests {
    /// A player without a streamer, whose face is another process: it sees encoded states alone, and sends commands as text.
    private struct Remote {
        var session: ListeningSession

        /// Sends a command as text.
        mutating func send(_ text: String) throws {
            _ = session.handle(.request(.command(try ListeningCommand(text: text))), at: 1)
        }

        mutating func happens(_ events: StreamingEvent...) {
            for event in events { _ = session.handle(.streaming(event, of: session.openingCount), at: 1) }
        }

        /// Returns the state as the other process decodes it.
        func state() throws -> ListeningState {
            let line = try JSONText.encode(ListeningState(session))
            return try JSONDecoder().decode(ListeningState.self, from: Data(line.utf8))
        }
    }

    private func inputs(_ names: String...) throws -> [ListeningInput] {
        try names.map { try #require(ListeningInput(argument: $0)) }
    }

    @Test("A face in another process sees what the session has, and its commands change the same things")
    func remote() throws {
        var remote = Remote(session: ListeningSession(inputs: try inputs("/a.flac", "/b.flac"), lifetime: .window))
        #expect(try remote.state().isIdle && remote.state().queue.count == 2)
        try remote.send("resume")
        #expect(try remote.state().state == .opening && remote.state().wantsPlayback)
        remote.happens(.status(.opening, time: 0), .status(.playing, time: 3))
        try remote.send("rate 1.5")
        try remote.send("volume 40")
        try remote.send("balance -0.5")
        try remote.send("mono on")
        try remote.send("loop-file")
        let state = try remote.state()
        #expect(state == ListeningState(remote.session), "nothing is lost on the way")
        #expect(state.state == .playing && state.time == 3 && state.item?.name == "/a.flac")
        #expect(
            state.sound.rate == 1.5 && state.sound.volume == 0.4 && state.sound.balance == -0.5 && state.sound.isMono
        )
        #expect(state.queue.loop == .one && state.queue.canGoNext)
        let revision = state.queue.revision
        try remote.send("remove 2")
        #expect(try remote.state().queue.revision != revision && remote.state().queue.canUndo)
        // The desktop's panels are such a face.
        #expect(DesktopPlayerState(state).status == .playing && DesktopPlayerState(state).track?.title == "a.flac")
    }

    @Test("A failure, a sleep timer and a part that is repeated are in the state")
    func rest() throws {
        var remote = Remote(session: ListeningSession(inputs: try inputs("/a.flac"), lifetime: .window))
        try remote.send("resume")
        remote.happens(.status(.opening, time: 0))
        _ = remote.session.handle(.request(.setSleep(.time(90))), at: 1)
        #expect(try remote.state().sleep == "time" && remote.state().sleepRemaining == 90)
        let error = SyrinxError(.init(rawValue: "network.lost"), "The connection was lost.", name: "/a.flac")
        remote.happens(.failed(error), .status(.failed, time: 2))
        let failure = try remote.state().failure
        #expect(failure?.code == "network.lost" && failure?.message == "the connection was lost")
        #expect(try DesktopPlayerState(remote.state()).status == .stopped)
    }

    @Test("A state is as small for a queue of thousands as for one input")
    func size() throws {
        func length(_ count: Int) throws -> Int {
            let all = (0..<count).compactMap { ListeningInput(argument: "/recordings/\($0).flac") }
            return try JSONText.encode(ListeningState(ListeningSession(inputs: all))).utf8.count
        }
        #expect(try length(3_000) - length(1) < 100)
    }
}
