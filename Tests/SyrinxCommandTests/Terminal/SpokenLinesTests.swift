import SyrinxListening
import Testing

@testable import syrinx

@Suite("Spoken lines")
struct SpokenLinesTests {
    @Test("A pause, its end, and a lost connection have a line each, and nothing is told twice")
    func changes() {
        var lines = SpokenLines()
        let events: [CommandEvent] = [
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
}
