import Foundation
import SyrinxTestSupport
import Testing

@testable import AVFoundation

@Suite struct TimeObserverScheduleTests {
    @Test("A periodic observer is called once per elapsed interval")
    func aPeriodicObserverIsCalledOnceForEachIntervalThatIsPassed() {
        var schedule = TimeObserverSchedule()
        let id = schedule.addPeriodic(every: 0.5)
        #expect(schedule.nextTime == 0.5)
        let calls = [0.49, 0.5, 0.7, 1.1, 1.05, 1.2, 1.5].map { schedule.advance(to: $0) }
        #expect(calls == [[], [id], [], [id], [], [], [id]])
        #expect(schedule.nextTime == 2)
    }

    @Test("A seek calls periodic observers but no boundary observers")
    func aJumpCallsPeriodicObserversAndNoBoundaries() {
        var schedule = TimeObserverSchedule()
        let periodic = schedule.addPeriodic(every: 1)
        let boundary = schedule.addBoundaries([5, 2, .nan])
        let jumped = schedule.jump(to: 3)
        #expect(jumped == [periodic])
        #expect(schedule.nextTime == 4)
        let passed = schedule.advance(to: 5.5)
        #expect(passed == [periodic, boundary])
        let back = schedule.jump(to: 1.5)
        #expect(back == [periodic])
        let again = schedule.advance(to: 2.1)
        #expect(again == [periodic, boundary])
    }

    @Test("A removed observer is not called")
    func anObserverThatWasRemovedIsNotCalled() {
        var schedule = TimeObserverSchedule()
        let id = schedule.addPeriodic(every: 1)
        schedule.remove(id)
        #expect(schedule.isEmpty)
        #expect(schedule.nextTime == nil)
        let calls = schedule.advance(to: 10)
        #expect(calls.isEmpty)
    }

    @Test("An invalid interval is limited to a minimum")
    func anIntervalThatIsNoneIsBounded() {
        var schedule = TimeObserverSchedule()
        for interval in [0, -1, .nan, .infinity, 1e-300] { _ = schedule.addPeriodic(every: interval) }
        let calls = schedule.advance(to: 0.0015)
        #expect(calls.count == 3)
    }
}

@Suite struct TimeObserverTests {
    private let files: PlayerFiles

    init() throws { files = try PlayerFiles() }

    @Test("Periodic observers follow the audible time")
    func periodicObserversFollowTheTimeThatIsHeard() async throws {
        let rig = PlayerRig([AVPlayerItem(url: try files.sine(seconds: 3))])
        let times = EventList()
        let token = rig.player.addPeriodicTimeObserver(
            forInterval: CMTime(value: 1, timescale: 10),
            queue: DispatchQueue(label: "observer")
        ) { times.add("\(Int(($0.seconds * 10 + 1e-6).rounded(.down)))") }
        rig.player.rate = 2
        #expect(rig.crank { rig.player.timeControlStatus == .playing })
        rig.crank(seconds: 0.75)
        rig.player.pause()
        let passed = Set(times.all)
        // 1.5 s have been heard, at any place of the first and the last interval.
        #expect(passed.isSuperset(of: (1...13).map { "\($0)" }))
        rig.player.removeTimeObserver(token)
        await drainMainQueue()
        let count = times.all.count
        rig.player.play()
        rig.crank(seconds: 0.3)
        #expect(times.all.count == count)
    }

    @Test("Boundary observers are called by playback and not by seeks")
    func boundariesAreCalledInPlayingAndNotBySeeks() async throws {
        let rig = PlayerRig([AVPlayerItem(url: try files.sine(seconds: 2))])
        let events = EventList()
        let marks = [0.2, 0.4, 1.2].map { NSValue(time: CMTime(seconds: $0, preferredTimescale: 1000)) }
        let token = rig.player.addBoundaryTimeObserver(forTimes: marks, queue: nil) {
            events.add(isOnMainQueue ? "mark" : "off main")
        }
        rig.player.play()
        #expect(rig.crank { rig.player.timeControlStatus == .playing })
        rig.crank(seconds: 0.3)
        await drainMainQueue()
        #expect(events.all == ["mark"])
        #expect(await rig.player.seek(to: CMTime(value: 1, timescale: 1)))
        rig.crank(seconds: 0.5)
        await drainMainQueue()
        #expect(events.all == ["mark", "mark"])
        rig.player.removeTimeObserver(token)
    }
}
