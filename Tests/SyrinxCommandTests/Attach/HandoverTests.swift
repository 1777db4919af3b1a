import SyrinxPlayback
import SyrinxStreaming
import Testing

@testable import SyrinxListening
@testable import syrinx

@Suite("The handover to a detached player")
struct HandoverTests {
    private func handover(_ inputs: [String] = ["/a.flac", "/b.flac"]) -> Handover {
        Handover(
            inputs: inputs.map { Handover.Input(location: $0, title: nil, episode: nil) },
            index: 0,
            time: 3,
            sound: ListeningState.Sound(),
            loop: .none,
            start: 0,
            end: nil,
            staysOpen: true,
            isIdle: false
        )
    }

    @Test("Another position or item needs no other player; another queue, sound or loop mode does")
    func changes() {
        let sent = handover()
        var moved = sent
        (moved.index, moved.time) = (1, 40)
        #expect(sent.isCurrent(sent) && sent.isCurrent(moved))
        #expect(!sent.isCurrent(handover(["/b.flac", "/a.flac"])) && !sent.isCurrent(handover(["/b.flac"])))
        let edits: [(inout Handover) -> Void] = [
            { $0.sound.rate = 1.5 }, { $0.sound.volume = 0.25 }, { $0.loop = .all }, { $0.isIdle = true },
        ]
        for edit in edits {
            var edited = sent
            edit(&edited)
            #expect(!sent.isCurrent(edited))
        }
        var idle = sent
        idle.isIdle = true
        var chosen = idle
        chosen.index = 1
        #expect(!idle.isCurrent(chosen), "nothing is open that could be left")
    }

    @Test("If the item has changed meanwhile, the other player opens it and stays paused")
    func place() {
        var place = HandoverPlace(opened: 0, index: 0, time: 12, isIdle: false)
        #expect(place.requests == [.wish(.command(.seek(.to(12))))])
        place.index = 1
        #expect(
            place.requests == [
                .wish(.command(.goTo(1))), .wish(.command(.pause)), .wish(.command(.seek(.to(12)))),
            ]
        )
        (place.isIdle, place.sleep) = (true, .endOfItem)
        #expect(place.requests == [.wish(.setSleep(.endOfItem))])
        for requests in [place.requests, HandoverPlace(opened: 2, index: 0, time: -1, isIdle: false).requests] {
            #expect(!requests.contains(.wish(.command(.resume))), "it plays once it has answered")
        }
    }
}
