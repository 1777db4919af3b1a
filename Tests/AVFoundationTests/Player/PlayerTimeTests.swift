import Foundation
import Synchronization
import SyrinxStreaming
import SyrinxTestSupport
import Testing

@testable import AVFoundation

/// The time of a player where one item ends.
@Suite struct PlayerTimeTests {
    /// A streamer's time, as a test sets it.
    private final class Source: Sendable {
        private let seconds = Mutex<Double?>(nil)
        var time: Double? {
            get { seconds.withLock { $0 } }
            set { seconds.withLock { $0 = newValue } }
        }
    }

    @Test("The time stays at the end until the next item starts")
    func theTimeStaysAtTheEndUntilThePlayerGoesOver() {
        let source = Source()
        let time = PlayerTime { source.time }
        #expect(time.seconds == 0)
        time.begin(1)
        source.time = 3.5
        #expect(time.seconds == 3.5)
        time.ended(at: 4, 1)
        source.time = 0.1
        #expect(time.seconds == 4)
        // The next one ends as well, before the player has heard of the first.
        time.ended(at: 2, 1)
        source.time = 0
        #expect(time.seconds == 4)
        time.follow(hasEnded: true)
        #expect(time.seconds == 2)
        // One that failed had no end.
        time.follow(hasEnded: false)
        #expect(time.seconds == 2)
        time.hold(2)
        #expect(time.seconds == 2)
        time.hold(nil)
        #expect(time.seconds == 0)
    }

    @Test("The end of a previous input is ignored")
    func endsOfAFormerInputAreOfNoInterest() {
        let source = Source()
        let time = PlayerTime { source.time }
        time.begin(1)
        time.begin(2)
        source.time = 7
        time.ended(at: 4, 1)
        #expect(time.seconds == 7)
        time.ended(at: 8, 2)
        time.begin(3)
        #expect(time.seconds == 7)
    }

    @Test("A change between two polls is noticed")
    func aChangeBetweenTwoLooksIsNoticed() {
        let source = Source()
        let changing = Mutex<PlayerTime?>(nil)
        let time = PlayerTime {
            // The item ends while its time is being asked for, and the streamer is at the start again.
            changing.withLock { $0.take() }?.ended(at: 5, 1)
            return source.time
        }
        time.begin(1)
        source.time = 0
        changing.withLock { $0 = time }
        #expect(time.seconds == 5)
    }

    @Test("An ended item keeps its time until the player is notified")
    func anItemThatEndsKeepsItsTimeBeforeThePlayerKnows() throws {
        let files = try PlayerFiles()
        let rig = PlayerRig([AVPlayerItem(url: try files.sine(seconds: 0.5))], waits: true)
        rig.player.play()
        // Nothing reaches the player meanwhile.
        rig.player.core.change { _ in
            #expect(rig.crank { rig.player.streamer.status == .ended })
            #expect(abs(rig.player.currentTime().seconds - 0.5) < 1e-3)
        }
        #expect(waitUntil(timeout: 20) { rig.player.core.state.isAtEnd })
        #expect(abs(rig.player.currentTime().seconds - 0.5) < 1e-3)
    }

    @Test("The time of the next item starts with that item")
    func theTimeOfTheNextItemBeginsWithIt() throws {
        let files = try PlayerFiles()
        let items = try [0.5, 5].map { AVPlayerItem(url: try files.sine("\($0).wav", seconds: $0)) }
        let rig = PlayerRig(items, waits: true)
        rig.player.play()
        rig.player.core.change { _ in
            #expect(rig.crank { rig.player.streamer.upcoming.isEmpty })
            #expect(rig.player.streamer.currentTime ?? 1 < 0.4)
            #expect(abs(rig.player.currentTime().seconds - 0.5) < 1e-3)
        }
        #expect(waitUntil(timeout: 20) { rig.player.currentItem === items[1] })
        #expect(waitUntil(timeout: 20) { rig.player.currentTime().seconds < 0.4 })
    }
}
