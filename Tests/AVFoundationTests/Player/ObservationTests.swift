import Foundation
import SyrinxTestSupport
import Testing

@testable import AVFoundation

@Suite struct ObservationTests {
    private let files: PlayerFiles

    init() throws { files = try PlayerFiles() }

    @Test("Observers are called on the main queue for each change")
    func observersGetEachChangeOnTheMainQueue() async throws {
        // A device that waits: on a busy machine a card would run dry, which is a change too.
        let rig = PlayerRig([AVPlayerItem(url: try files.sine(seconds: 0.4))], waits: true)
        let events = EventList()
        let status = rig.player.observe(\.timeControlStatus, options: [.old, .new]) { _, change in
            let place = isOnMainQueue ? "" : " off main"
            events.add("\(change.oldValue?.rawValue ?? -1) \(change.newValue?.rawValue ?? -1)\(place)")
        }
        rig.player.play()
        #expect(rig.crank { events.all.last == "2 0" })
        // Paused, waiting, playing, paused; the reason for waiting may change in between.
        #expect(events.all == ["0 1", "1 2", "2 0"])
        status.invalidate()
        rig.player.play()
        await drainMainQueue()
        #expect(events.all.count == 3)
    }

    @Test("The options decide which values an observer receives")
    func theOptionsDecideWhichValuesAreGiven() async throws {
        let player = AVPlayer()
        let events = EventList()
        let initial = player.observe(\.volume, options: [.initial, .new]) { _, change in
            events.add("a \(change.newValue ?? -1) \(change.oldValue ?? -1)")
        }
        let bare = player.observe(\.volume) { player, change in
            events.add("b \(player.volume) \(change.newValue ?? -1) \(change.oldValue ?? -1) \(change.isPrior)")
        }
        #expect(events.all == ["a 1.0 -1.0"])
        player.volume = 0.5
        await drainMainQueue()
        #expect(events.all == ["a 1.0 -1.0", "a 0.5 -1.0", "b 0.5 -1.0 -1.0 false"])
        withExtendedLifetime((initial, bare)) {}
    }

    @Test("A change before the observation is not reported")
    func aChangeBeforeTheObservationIsNotReportedHoweverLateTheMainQueueIs() async throws {
        let player = AVPlayer()
        let events = EventList()
        let gate = DispatchSemaphore(value: 0)
        DispatchQueue.main.async { gate.wait() }
        player.volume = 0.5
        let token = player.observe(\.volume, options: [.old, .new]) { _, change in
            events.add("\(change.oldValue ?? -1) \(change.newValue ?? -1)")
        }
        player.volume = 0.25
        gate.signal()
        await drainMainQueue()
        #expect(events.all == ["0.5 0.25"])
        withExtendedLifetime(token) {}
    }

    @Test("Each change is reported with the values before and after it, however late the main queue is")
    func lateReportsHaveTheirValues() async throws {
        let player = AVPlayer()
        let item = AVPlayerItem(url: URL(fileURLWithPath: "/no/such/file.wav"))
        let events = EventList()
        let gate = DispatchSemaphore(value: 0)
        let tokens = [
            player.observe(\.rate, options: [.old, .new]) { _, change in
                events.add("rate \(change.oldValue ?? -1) \(change.newValue ?? -1)")
            },
            player.observe(\.currentItem, options: [.old, .new]) { _, change in
                guard let old = change.oldValue, let new = change.newValue else { return events.add("no item") }
                events.add("item \(old == nil) \(new == nil)")
            },
            item.observe(\.status, options: [.old, .new]) { _, change in
                events.add("status \(change.oldValue?.rawValue ?? -1) \(change.newValue?.rawValue ?? -1)")
            },
        ]
        DispatchQueue.main.async { gate.wait() }
        player.play()
        player.pause()
        player.play()
        item.update { $0.status = .readyToPlay }
        item.update { $0.status = .failed }
        player.pause()
        player.replaceCurrentItem(with: item)
        player.replaceCurrentItem(with: nil)
        gate.signal()
        await drainMainQueue()
        #expect(
            events.all.filter { $0.hasPrefix("rate") } == [
                "rate 0.0 1.0", "rate 1.0 0.0", "rate 0.0 1.0", "rate 1.0 0.0",
            ]
        )
        #expect(events.all.filter { $0.hasPrefix("status") } == ["status 0 1", "status 1 2"])
        #expect(
            events.all.filter { $0.hasSuffix("true") || $0.hasSuffix("false") } == [
                "item true false", "item false true",
            ]
        )
        withExtendedLifetime(tokens) {}
    }

    @Test("An observation ends with its token")
    func anObservationEndsWithItsToken() async throws {
        let player = AVPlayer()
        let events = EventList()
        var token: NSKeyValueObservation? = player.observe(\.isMuted) { _, _ in events.add("muted") }
        player.isMuted = true
        await drainMainQueue()
        #expect(token != nil)
        token = nil
        player.isMuted = false
        await drainMainQueue()
        #expect(events.all == ["muted"])
    }

    @Test("An item that is ready has a duration")
    func anItemThatIsReadyHasItsDuration() async throws {
        let item = AVPlayerItem(url: try files.sine(seconds: 0.7))
        let events = EventList()
        let status = item.observe(\.status, options: [.new]) { item, change in
            events.add("\(change.newValue?.rawValue ?? -1) \(item.duration.seconds)")
        }
        let rig = PlayerRig([item])
        #expect(rig.crank { !events.all.isEmpty })
        #expect(events.all == ["1 0.7"])
        #expect(item.seekableTimeRanges.first?.timeRangeValue.duration.seconds == 0.7)
        #expect(item.loadedTimeRanges.first?.timeRangeValue.duration.seconds == 0.7)
        #expect(item.isPlaybackBufferFull)
        withExtendedLifetime(status) {}
    }

    @Test("A subclass of AVPlayer can be observed")
    func aSubclassIsObservedAsAPlayer() async throws {
        let player = AVQueuePlayer()
        let events = EventList()
        let token = player.observe(\.rate, options: .new) { _, change in events.add("\(change.newValue ?? -1)") }
        player.rate = 2
        #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
        #expect(player.reasonForWaitingToPlay == .noItemToPlay)
        await drainMainQueue()
        #expect(events.all == ["2.0"])
        withExtendedLifetime(token) {}
    }
}
