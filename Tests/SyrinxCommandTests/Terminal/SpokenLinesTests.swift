import Testing

@testable import SyrinxListening
@testable import syrinx

@Suite("Spoken lines")
struct SpokenLinesTests {
    @Test("A pause, its end, and a lost connection have a line each, and nothing is told twice")
    func changes() {
        var lines = SpokenLines()
        let events: [ListeningEvent] = [
            .state(.opening, time: 0), .state(.buffering, time: 0), .state(.playing, time: 0), .position(time: 1),
            .state(.paused, time: 62.5), .state(.paused, time: 63), .position(time: 63), .state(.playing, time: 63),
            .state(.buffering, time: 70), .retry(attempt: 2, delay: 3.2, code: "network.lost"),
            .state(.playing, time: 71), .state(.playing, time: 72), .state(.ended, time: 90),
            .state(.opening, time: 0), .state(.playing, time: 0),
        ]
        let told = events.compactMap { lines.line(for: $0) }
        #expect(
            told == [
                "Paused at 1:02", "Playing from 1:03", "No connection: attempt 2 in 4 s", "Playing from 1:11",
            ]
        )
    }

    @Test("What plays is told when it opens, and anew when it is called otherwise")
    func items() {
        var lines = SpokenLines()
        var nowPlaying = NowPlaying(name: "radio", number: 1, count: 1)
        let opened = ListeningEvent.opened(
            OpenedFields(
                url: "radio",
                container: "",
                codec: "",
                sampleRate: 1,
                channels: 1,
                duration: nil,
                frames: nil,
                seekable: false,
                contentLength: nil
            )
        )
        func told(_ event: ListeningEvent) -> String? { lines.item(after: event, nowPlaying) }
        #expect(told(opened) == "radio" && told(.metadata([:])) == nil && told(.position(time: 1)) == nil)
        nowPlaying.tags = ["station": "Radio"]
        #expect(told(.metadata([:])) == "radio  ·  Radio")
        nowPlaying.tags["title"] = "One"
        #expect(told(.metadata([:])) == "One  ·  Radio" && told(.metadata([:])) == nil)
        nowPlaying.chapter = .init(number: 1, count: 3, title: "Alpha")
        #expect(told(.chapter(index: 0, title: "Alpha", start: 0, end: 20)) == "Chapter 1/3  Alpha")
        // The same input once more has its line again.
        #expect(told(opened) == "One  ·  Radio")
    }
}
