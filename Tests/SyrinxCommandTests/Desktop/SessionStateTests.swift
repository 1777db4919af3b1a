import MediaPlayer
import SyrinxByteStream
import SyrinxListening
import Testing

@testable import syrinx

@Suite("What panels and other processes get of a session")
struct SessionStateTests {
    @Test("An empty queue has no track, and one that is offered is told by its title")
    func idle() throws {
        let empty = ListeningSession(inputs: [], lifetime: .listener)
        let state = DesktopPlayerState(ListeningState(empty))
        #expect(state.track == nil && state.status == .stopped)
        #expect(
            RemoteStatus(ListeningState(empty), nil, languages: nil).count == 0
                && RemoteQueueEntry.all(of: empty.queue).isEmpty
        )
        let input = try #require(ListeningInput(argument: "a")).titled("Name", duration: 60)
        let offered = DesktopPlayerState(
            ListeningState(ListeningSession(inputs: [input], from: 0, lifetime: .listener))
        )
        #expect(offered.status == .stopped && offered.track?.title == "Name" && offered.track?.duration == 60)
    }

    @Test("The tags that were read of files are those of the entries, and of the status while nothing is open")
    func tags() throws {
        let inputs = ["/a.flac", "/b.flac"].compactMap { ListeningInput(argument: $0) }
        var session = ListeningSession(inputs: inputs, lifetime: .listener)
        let tags = ListeningTags(title: "A", artist: "Nobody", album: "Shores", duration: 83)
        _ = session.handle(.tags(["/a.flac": tags]), at: 0)
        let entries = RemoteQueueEntry.all(of: session.queue)
        #expect(entries[0].title == "A" && entries[0].artist == "Nobody" && entries[0].album == "Shores")
        #expect(entries[0].duration == 83 && entries[1].title == nil)
        let listening = ListeningState(session)
        let status = RemoteStatus(listening, DesktopPlayerState(listening).track, languages: nil)
        #expect(status.title == "A" && status.artist == "Nobody" && status.duration == 83)
    }
}
