import SyrinxPlayerUI
import Testing

@testable import SyrinxListening
@testable import syrinx

@Suite("Rows of a queue in another process")
struct RemoteRowTests {
    @Test("They show what the player's own screen shows")
    func rows() throws {
        let inputs = ["/music/a/first.flac", "/second.wav", "https://example.org/live"]
        var session = ListeningSession(
            inputs: inputs.compactMap { ListeningInput(location: $0) },
            lifetime: .window
        )
        let facts = EpisodeFacts(podcast: 1, title: "A show")
        _ = session.handle(.episode(session.queue.input(at: 2), facts), at: 1)
        let own = QueueEntry.all(of: session, failures: ["/second.wav": "It failed."])
        let rows = (0..<3).map { AttachRow(session, at: $0) }
        #expect(rows.map { QueueEntry($0, failure: $0.name == "/second.wav" ? "It failed." : nil) } == own)
        #expect(own[0].detail == "/music/a" && own[1].failure == "It failed." && own[2].detail == "A show")
    }
}
